// Texts of the pages of campaigns: filters, the list, and one campaign.

import { type Html, html } from "../../html.ts";
import { formatCount, pluralize } from "../ui/number-format.ts";

export const campaignsStrings = {
  title: "Campaigns",

  // Filters
  ranges: { "3-months": "Last 3 months", "12-months": "Last 12 months", all: "All time" },
  timeRange: "Time range",
  from: "From",
  until: "Until",
  team: "Team",
  allTeams: "All teams",
  apply: "Apply",
  tags: "Tags",
  tagsSelected: (count: number) => `Tags (${formatCount(count)} selected)`,
  withAnyTag: "With any of these tags",
  moreTags: (count: number): Html =>
    html`${pluralize(count, "more tag")} not listed. To filter by them, add their ids to the URL of this page, separated by commas: <code>tag_ids=</code>.`,
  datesReversed: (from: string, until: string) =>
    `From: ${from} is later than Until: ${until}. Swap them, or leave one empty.`,
  invalidRange: (given: string, accepted: string) =>
    `range: ${given} is not a time range; use one of ${accepted}.`,
  invalidDate: (label: string, given: string) =>
    `${label}: ${given} is not a date; use YYYY-MM-DD, such as 2026-01-31.`,

  // List
  subject: "Subject",
  sent: "Sent",
  recipients: "Recipients",
  openRate: "Open rate",
  clickRate: "Click rate",
  newestFirst: "newest first; reverse order",
  oldestFirst: "oldest first; reverse order",
  noSubject: "(no subject)",
  tableName: (caption: string) => `${caption}: table`,
  listCaption: (total: number, order: Order) => `${pluralize(total, "campaign")}, ${orderText(order)}`,
  searchCaption: (subject: string, isContinued: boolean, order: Order) =>
    `${isContinued ? "More campaigns" : "Campaigns"} ${subject === "" ? "that match the filters" : `with “${truncate(subject)}” in the subject`}, ${orderText(order)}`,
  olderCampaigns: "Older campaigns",
  newerCampaigns: "Newer campaigns",
  backToStart: "Back to the start",
  previousPage: "Previous page",
  nextPage: "Next page",
  pageOf: (page: number, pages: number) => `Page ${formatCount(page)} of ${formatCount(pages)}`,
  pagination: "More campaigns",
  noMatches: "No campaigns match these filters. Try another search, a longer time range or other tags, or",
  viewAll: "view all campaigns",
  noneInBatch: "No campaigns among those searched match.",
  noSuchPage: (page: number) => `There is no page ${formatCount(page)}.`,
  invalidOrder: (given: string) => `order: ${given} is not an order; use latest or earliest.`,
  invalidPage: (given: string) => `page: ${given} is not a whole number of at least 1, such as 2.`,
  invalidAfter: (given: string) => `after: ${given} is not the position of a campaign; leave it out.`,

  // Getting started
  noCampaigns: "No campaigns yet",
  askAdmin: "Ask an admin of your organization to add some.",
  gettingStarted:
    "Opens, clicks and read time of your campaigns will appear here. There are three ways to start:",
  startWithProgram: (createKeyUrl: string): Html =>
    html`Send campaigns and events from your own program: <a href="${createKeyUrl}">create an API key with the scope ingest</a>.`,
  startWithProvider: html`Let your email provider send its events: the operator of this service adds it with <code>email-analytics source add</code>. It then appears in <a href="/sources">Sources</a>.`,
  startWithImport: html`Import existing numbers: the operator of this service runs <code>email-analytics import</code>.`,

  // One campaign
  untitled: "Campaign without a subject",
  allCampaigns: "All campaigns",
  scheduled: "Scheduled",
  notFound: (given: string) => `Your organization has no campaign ${given}.`,
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
  metricsCaption: "As the Analytics API returns them",
  missingMetrics: "A dash means that the number is missing. The Analytics API returns 0 for it.",
  metrics: {
    open_rate: "Open rate",
    click_rate: "Click rate",
    unique_opens: "Unique opens",
    multiple_opens: "Repeat opens",
    unopened: "Unopened",
    total_opens: "Total opens",
    unique_clicks: "Unique clicks",
    multiple_clicks: "Repeat clicks",
    total_clicks: "Total clicks",
    click_per_unique_open_rate: "Click-to-open rate",
    desktop_open_rate: "Opens on desktop",
    mobile_open_rate: "Opens on mobile",
    read_time_glanced: "Read time: glanced (up to 3 seconds)",
    read_time_skimmed: "Read time: skimmed (up to 9 seconds)",
    read_time_read: "Read time: read (longer)",
    enps_score_average: "eNPS: average rating",
    enps_reactions_count: "eNPS: ratings",
    enps_comments_count: "eNPS: ratings with a comment",
    survey_reactions_count: "Other surveys: answers",
    survey_reactions_comments_count: "Other surveys: answers with a comment",
  },

  // Campaign details
  details: "Campaign details",
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
    ratings === null ? "average eNPS rating" : `average of ${pluralize(ratings, "eNPS rating")}`,
  enpsIndex: "eNPS index: the share of 9 and 10, minus the share of 0 to 6",
  enpsComments: "eNPS ratings with a comment",
  surveyAnswers: "answers to other surveys",
  surveyComments: "of them with a comment",
  indexUnknown: "The eNPS index is unknown: an imported campaign has only its average rating.",
  surveysClosed: "The campaign is closed. Individual answers and comments were deleted.",
  moreSurveys: (shown: number, others: number) =>
    `The ${formatCount(shown)} surveys with the most answers. ${pluralize(others, "more survey")} not shown.`,
  enps: "eNPS",
  survey: "Survey",
  surveyName: (isEnps: boolean, id: string) => `${isEnps ? "eNPS" : "survey"} ${id}`,
  answered: (recipients: number) => `${pluralize(recipients, "recipient")} answered.`,
  ratingsCaption: (name: string) => `Ratings: ${name}`,
  answersCaption: (name: string) => `Answers: ${name}`,
  rating: "Rating",
  answer: "Answer",
  times: "Times",
  forgottenAnswer: "Forgotten",
  otherAnswers: (count: number) => `Other answers: ${formatCount(count)}.`,
  commentsWithheld: (min: number) => `Comments are shown once ${min} recipients have answered.`,
  commentsCaption: (total: number, shown: number, name: string) =>
    `${pluralize(total, "comment")}${total > shown ? `, latest ${formatCount(shown)} shown` : ""}: ${name}`,
  comment: "Comment",
  withAnswer: "With the answer",
  commentFrom: "From",
};

type Order = "latest" | "earliest";
const orderText = (order: Order) => (order === "latest" ? "newest first" : "oldest first");

function truncate(subject: string): string {
  const characters = [...subject];
  return characters.length > 60 ? `${characters.slice(0, 59).join("")}…` : subject;
}
