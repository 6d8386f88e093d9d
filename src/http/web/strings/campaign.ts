// Texts of the page of one campaign.

import { formatCount, formatCountOf } from "../ui/number-format.ts";

export const campaignStrings = {
  // One campaign
  untitled: "Campaign without a subject",
  allCampaigns: "All campaigns",
  scheduled: "Scheduled",
  notFound: (id: string) => `Your organization has no campaign ${id}.`,
  sentSentence: (isSent: boolean, time: string) => `${isSent ? "Sent" : "Scheduled for"} ${time}.`,
  imported: "The numbers of this campaign were imported. There is no activity to show.",
  closed: (time: string) =>
    `Counted from events until ${time}, when the campaign was closed. Its numbers no longer change.`,
  counted: (isHuman: boolean) =>
    `Counted from events as they arrive. The numbers include ${isHuman ? "human activity only" : "all traffic, human and automated"}.`,

  // Headline metrics
  recipientsMetric: "recipients",
  opened: (count: string) => `opened: ${count}`,
  clicked: (count: string) => `clicked: ${count}`,
  clickToOpenRate: "click-to-open rate",

  // All metrics
  allMetrics: "All metrics",
  metricsCaption: "All metrics of the Analytics API, with rates in percent",
  missingMetrics: "A dash means that the number is missing. The Analytics API returns 0 for it.",

  // Campaign details
  details: "Campaign details",
  team: "Team",
  tags: "Tags",
  sent: "Sent",
  detailsCaption: "As reported by the sender",
  notSet: "not set",
  id: "ID",
  externalId: "External ID",
  sentFrom: "Sent from",
  sendingType: "Sending type",
  trackingType: "Tracking type",
  recipientGroups: "Recipient groups",
  surveysCount: "Surveys",

  // Activity
  activity: "Opens and clicks",
  noActivity: "No opens or clicks with a known time yet.",
  activityOverTime: "Opens and clicks over time",
  opensByHour: (hours: number) => `Opens in the first ${hours} hours`,
  clicksByHour: (hours: number) => `Clicks in the first ${hours} hours`,
  hour: "Hour",
  day: "Day",
  human: "Human",
  automated: "Automated",
  byDay: "Opens and clicks by day",
  byLastDays: (days: number) => `Opens and clicks on the last ${days} days`,
  humanOpens: "Human opens",
  automatedOpens: "Automated opens",
  humanClicks: "Human clicks",
  automatedClicks: "Automated clicks",
  trafficTitle: "Human and automated activity",
  trafficCaption: "Opens and clicks by kind of traffic",
  traffic: "Traffic",
  countedAs: "Counted as",
  reason: "Reason",
  opens: "Opens",
  clicks: "Clicks",
  opensWithoutTime: (opens: number) =>
    `Opens that are not in this table: ${formatCount(opens)}. They were inferred from a click, a read or a survey answer.`,
  clicksWithoutTime: (clicks: number, max: number) =>
    `Clicks that are not in this table: ${formatCount(clicks)}. They come after the first ${formatCount(max)} clicks of a recipient.`,
  links: "Links",
  noClicks: "No clicks yet.",
  linksCaption: "Links by human clicks",
  link: "Link, without personal data",
  allClicks: "All clicks",
  linksNote: (max: number) =>
    `The first ${formatCount(max)} clicked URLs are counted separately, without their query strings. All others share one row.`,
  otherLinks: "All other links",

  // Surveys
  surveys: "Surveys",
  averageOf: (ratings: number | null) =>
    ratings === null ? "average eNPS rating" : `average of ${formatCountOf(ratings, "eNPS rating")}`,
  enpsIndex: "eNPS index: percentage of ratings of 9 and 10, minus percentage of ratings from 0 to 6",
  enpsComments: "eNPS ratings with a comment",
  surveyAnswers: "answers to other surveys",
  surveyComments: "answers to other surveys with a comment",
  indexUnknown: "The eNPS index is unknown: an imported campaign has only its average rating.",
  surveysClosed: "The campaign is closed. Individual answers and comments were deleted.",
  moreSurveys: (shown: number, others: number) =>
    `The ${formatCount(shown)} surveys with the most answers. ${formatCountOf(others, "more survey")} not shown.`,
  enps: "eNPS",
  survey: "Survey",
  surveyName: (isEnps: boolean, id: string) => `${isEnps ? "eNPS" : "survey"} ${id}`,
  answered: (recipients: number) => `${formatCountOf(recipients, "recipient")} answered.`,
  ratingsCaption: (name: string) => `Ratings: ${name}`,
  answersCaption: (name: string) => `Answers: ${name}`,
  rating: "Rating",
  answer: "Answer",
  count: "Count",
  forgottenAnswer: "Forgotten",
  otherAnswers: (count: number) => `Other answers: ${formatCount(count)}.`,
  commentsWithheld: (min: number) => `Comments are shown once ${min} recipients have answered.`,
  commentsCaption: (total: number, shown: number, name: string) =>
    `${formatCountOf(total, "comment")}${total > shown ? `, latest ${formatCount(shown)} shown` : ""}: ${name}`,
  comment: "Comment",
  withAnswer: "With the answer",
  commentFrom: "From",
};
