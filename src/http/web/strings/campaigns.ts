// Texts of the campaigns page: filters, the list, and what an organization without campaigns sees.

import { recordFields } from "../../../campaign/record-fields.ts";
import { type Html, html } from "../../html.ts";
import { formatCount, formatCountOf } from "../ui/number-format.ts";

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
    html`${formatCountOf(count, "more tag")} not listed. To filter by them, add their IDs to the URL of this page, separated by commas: <code>tag_ids=</code>.`,
  datesReversed: (from: string, until: string) =>
    `From: ${from} is later than Until: ${until}. Swap them, or leave one empty.`,
  invalidRange: (value: string, accepted: string) =>
    `range: ${value} is not a time range; use one of ${accepted}.`,
  invalidDate: (label: string, value: string) =>
    `${label}: ${value} is not a date; use YYYY-MM-DD, such as 2026-01-31.`,

  // List
  subject: "Subject",
  sent: "Sent",
  recipients: recordFields.recipient_count.title,
  openRate: recordFields.open_rate.title,
  clickRate: recordFields.click_rate.title,
  newestFirst: "sorted newest first; sort oldest first",
  oldestFirst: "sorted oldest first; sort newest first",
  noSubject: "(no subject)",
  tableName: (caption: string) => `${caption}: table`,
  listCaption: (total: number, order: Order) => `${formatCountOf(total, "campaign")}, ${orderText(order)}`,
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
  noMatchesYet: (order: Order) =>
    `No matches yet. Continue with ${order === "latest" ? "older" : "newer"} campaigns.`,
  noMoreMatches: "No more matches.",
  noSuchPage: (page: number) => `There is no page ${formatCount(page)}.`,
  invalidOrder: (value: string) => `order: ${value} is not an order; use latest or earliest.`,
  invalidPage: (value: string) => `page: ${value} is not a whole number of at least 1, such as 2.`,
  invalidAfter: (value: string) => `after: ${value} is not the position of a campaign; leave it out.`,

  // Getting started
  noCampaigns: "No campaigns yet",
  askAdmin: "Ask an admin of your organization to add some.",
  gettingStarted:
    "Opens, clicks and read time of your campaigns will appear here. There are three ways to start:",
  startWithProgram: (createKeyUrl: string): Html =>
    html`Send campaigns and events from your own program: <a href="${createKeyUrl}">create an API key with the scope ingest</a>.`,
  startWithProvider: html`Let your email provider send its events: the operator of this service adds it with <code>email-analytics source add</code>. It then appears in <a href="/sources">Sources</a>.`,
  startWithImport: html`Import existing numbers: the operator of this service runs <code>email-analytics import</code>.`,
};

type Order = "latest" | "earliest";
const orderText = (order: Order) => (order === "latest" ? "newest first" : "oldest first");

function truncate(subject: string): string {
  const characters = [...subject];
  return characters.length > 60 ? `${characters.slice(0, 59).join("")}…` : subject;
}
