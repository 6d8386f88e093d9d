// Every text of the web application in English, by page. The other languages have the same ones.

import { type ActivityVerdict, verdictMeanings } from "../../../campaign/events/activity.ts";
import { type FeedField, feedFields, type NullMeaning } from "../../../campaign/feed/feed-fields.ts";
import { describeRounding } from "../../../campaign/feed/metric-contract.ts";
import { acceptedName } from "../../../campaign/names.ts";
import {
  formulaCounts,
  type RecordField,
  type Rounding,
  roundings,
  units,
} from "../../../campaign/record-fields.ts";
import { type ProblemReason, problems } from "../../../counting/events/problems.ts";
import { tools } from "../../connect/tools.ts";
import { type Html, html } from "../../html.ts";
import type { Formatter } from "../formatter.ts";

/** One text for each name of a table. */
function textsOf<Name extends string, Row>(
  table: Readonly<Record<Name, Row>>,
  textOf: (row: Row, name: Name) => string,
): Record<Name, string> {
  const entries = Object.entries(table) as [Name, Row][];
  return Object.fromEntries(entries.map(([name, row]) => [name, textOf(row, name)])) as Record<Name, string>;
}

const recordFields: Readonly<Record<FeedField, RecordField>> = feedFields;
const nullMeanings = Object.values(recordFields).flatMap(({ nullMeans }) => nullMeans ?? []) as NullMeaning[];

const stepsOf = (tool: string) => tools.find(({ id }) => id === tool)?.steps.map(({ text }) => text) ?? [];

/** The texts of a language, which all languages have. Annotate the result of a function that returns one of several texts. */
export type Strings = ReturnType<typeof en>;

export const en = (format: Formatter) => ({
  languageName: "English",

  /** The fields of a record, as titles of columns. */
  fields: textsOf(recordFields, ({ title }) => title),

  // Shared by several pages
  /** Names of the values of `sending_type`; a campaign may have others. */
  sendingTypes: { Timezone: "Local time", Scheduled: "Scheduled", Immediate: "Immediate" },
  /** Names of the values of `tracking_type`; a campaign may have others. */
  trackingTypes: { Individual: "Individual", Anonymous: "Anonymous", Overall: "Overall" },
  roles: { viewer: "Viewer", admin: "Admin" },
  /** Roles with their article, for use in a sentence. */
  roleNouns: { viewer: "a viewer", admin: "an admin" },
  /** Why an open or click counts as human or automated. Code is between backquotes. */
  verdicts: verdictMeanings as Record<ActivityVerdict, { title: string; meaning: string }>,
  /** Why an event was not counted. */
  problems: Object.fromEntries(
    Object.entries(problems).map(([reason, { meaning }]) => [reason, meaning]),
  ) as Record<ProblemReason, string>,

  /** The names of pages in the navigation. */
  pages: {
    overview: "Overview",
    campaigns: "Campaigns",
    links: "Links",
    comments: "Comments",
    connect: "Connect",
    sources: "Sources",
    analyticsApi: "Analytics API",
    apiReference: "API reference",
    help: "Help",
    tags: "Tags",
    people: "People",
    organization: "General",
    account: "Your account",
    settings: "Settings",
  },

  /** The groups of the settings. */
  settingsGroups: { organization: "Organization", integrations: "Integrations", you: "You" },

  errors: {
    title: "Something went wrong",
    forbiddenForm: "Your changes were not saved",
    /** By the code of the error; others have the title above. */
    titles: {
      forbidden: "You need the Admin role",
      not_found: "Page not found",
      too_many_requests: "Too many attempts",
    },
    /** By the code of the error, if the error says nothing more exact. */
    messages: {
      bad_request: "The request is invalid.",
      forbidden: "You do not have permission to do this. Ask an admin of your organization.",
      not_found: "The URL is wrong, or the page was removed.",
      payload_too_large: "The form is too large.",
      too_many_requests: "Too many requests. Try again later.",
      internal_error:
        "An unexpected error occurred. The operator of this service can find the cause in the log. Give them the request ID.",
      unavailable: "The service is busy or restarting. Try again in a moment.",
    },
    requestId: (id: string) => `Request ID: ${id}`,
    goToOverview: "Go to the overview",
  },

  ui: {
    downloadCsv: "Download CSV",
    // Layout
    skipLink: "Skip to main content",
    skipToResults: "Skip to results",
    problemTitle: (title: string) => `Error: ${title}`,
    navigation: "Main",
    signOut: "Sign out",
    openMenu: "Open the menu",
    closeMenu: "Close the menu",
    region: "Region",
    breadcrumb: "Breadcrumb",
    noEvents: "No events yet",
    lastEvent: (ago: string, isLive: boolean) => (isLive ? `Live · ${ago}` : `Last event ${ago}`),
    /** Why the sources need a look. */
    sourcesAlerts: { silent: "A source is silent", quarantined: "Events are in quarantine" },

    // Permissions and forms
    needsAdminRole:
      "Only admins of your organization have this permission. Ask one of them, or ask for the Admin role.",
    sessionEnded: "Your session has ended. Nothing was changed.",
    sessionEndedSignIn: "Your session has ended. Nothing was changed: sign in and send the form again.",
    csrfFailed:
      "The form was not sent from a page of this application, or the page is out of date. Go back, reload the page and send the form again.",
    unknownAction: (name: string) => `action: ${name} is not an action of this page.`,

    // Forms
    tooManyFields: (count: number, max: number) => `The form has ${count} fields; up to ${max} are accepted.`,
    fieldTooLong: (name: string, length: number, max: number) =>
      `${name}: has ${length} characters; up to ${max} are accepted.`,
    /** A problem with one field of a form. */
    fieldProblem: (label: string, problem: string) => `${label}: ${problem}`,
    fieldRejected: (label: string, value: string, accepted: string) =>
      `${label}: ${value} is not ${accepted}.`,
    /** A value of a user in a message. */
    quoted: (text: string) => `"${text}"`,
    nameRule: `accepted: a name has ${acceptedName}`,
    oneOf: (values: readonly string[]) => `one of ${values.join(", ")}`,
    copy: "Copy",
    copied: "Copied",
    copyByHand: "Selected. Press Ctrl+C to copy.",
    copyLabel: (what: string) => `Copy ${what}`,

    // Browsers and waits
    unknownBrowser: "Unknown browser",

    /** Marks a link or a text that has no translation. */
    inEnglish: "(in English)",

    // Numbers
    /** A difference between two rates, in percentage points. */
    points: (difference: string) => `${difference} pts`,
    /** Read instead of a dash. */
    noValue: "no value",
    /** Why all activity is not compared. */
    notToldApart: "imported campaigns do not tell automated activity apart",
    notCompared: "Opens and clicks are not compared: imported campaigns do not tell automated activity apart",

    // Lists
    search: "Search",
    previousPage: "Previous page",
    nextPage: "Next page",
    noResultsFor: (search: string) => `No results for ${search}`,
    clearSearch: "Clear search",
    paginationLabel: (what: string) => `More ${what}`,
    itemRange: (first: number, last: number, total: number) =>
      `${format.count(first)}–${format.count(last)} of ${format.count(total)}`,

    ratingOf: (score: number) => `Rating ${format.count(score)} of 10`,

    // Charts
    noData: "No data yet.",
    chartKinds: { lines: "Line chart", columns: "Column chart", stacked: "Stacked column chart" },
    chartDescription: ({
      title,
      kind,
      xTitle,
      span,
      ranges,
    }: {
      title: string;
      kind: string;
      xTitle: string;
      span: string;
      ranges: readonly string[];
    }) =>
      `${title}. ${kind} by ${xTitle.toLowerCase()}, ${span}. ${ranges.join(" ")} The table below has all the numbers.`,
    chartKeys: (title: string) => `${title}: read the values with the arrow keys`,
    fromTo: (first: string, last: string) => `from ${first} to ${last}`,
    seriesWithoutData: (name: string) => `${name}: no data.`,
    seriesValue: (name: string, value: string) => `${name}: ${value}.`,
    seriesRange: (name: string, low: string, high: string) => `${name}: between ${low} and ${high}.`,
    showTable: "View as table",
    tableRegion: (title: string) => `${title}: table`,
  },

  signIn: {
    title: "Sign in",
    email: "Email",
    password: "Password",
    submit: "Sign in",
    or: "or",
    withCompanyAccount: "Sign in with your company account",
    noOrganization: "This service has no organization yet. Its operator runs two commands:",
    addOrganization: "Add an organization.",
    addFirstAdmin: "Add its first admin. The command prints the link with which they choose a password.",
    noPassword: "No password, or forgotten? Ask an admin of your organization for an invite link.",
    wrongCredentials: "Wrong email or password. Try again.",
    tooManyAttempts: (wait: string) => `Too many failed attempts. Try again ${wait}.`,
    signedOut: "You are signed out.",

    // Invite link
    choosePasswordTitle: "Choose a password",
    newPassword: "New password",
    repeatPassword: "Repeat password",
    passwordHint: (min: number) => `At least ${min} characters. A few words in a row are easy to remember.`,
    /** Why a new password is too weak, after the name of the field. */
    weakPassword: {
      short: (length: number, { min, max }: { min: number; max: number }) =>
        `it has ${length} characters; use ${min} to ${max}.`,
      long: (_length: number, { min, max }: { min: number; max: number }) =>
        `it has more than ${max} characters; use ${min} to ${max}.`,
      email: () => "it is your email address; choose another password.",
      common: () => "it is too easy to guess; choose another password.",
    },
    passwordsDiffer: "The passwords do not match. Type both again.",
    setPassword: "Set password and sign in",
    welcome: "Welcome! Your password is set, and you are signed in.",
    inviteLinkInvalidTitle: "This invite link is no longer valid",
    inviteLinkInvalid:
      "It was already used, replaced by a newer one, or has expired. Ask an admin of your organization for a new invite link.",

    // OpenID Connect
    failedTitle: "Sign-in failed",
    backToSignIn: "Back to the sign-in page",
    openIdExpired: "The sign-in was started in another browser, or more than ten minutes ago.",
    openIdNoEmail: "Your company account has no verified email address.",
    openIdUnknownUser:
      "You are not a user of this service. Ask an admin of your organization to add the email address of your company account.",
    openIdInvalid: "The sign-in was canceled, or your company's sign-in service sent an invalid response.",
    openIdUnavailable: "Your company's sign-in service is not responding as expected. Try again shortly.",
  },

  /** The filters of pages over many campaigns. `name` is the parameter in the URL. */
  filters: {
    period: "Period",
    /** By the value in the URL. */
    periods: {
      "7d": "Last 7 days",
      "30d": "Last 30 days",
      "90d": "Last 90 days",
      month: "This month",
      quarter: "This quarter",
      year: "This year",
      "12m": "Last 12 calendar months",
      all: "All time",
    },
    quarter: (quarter: string, year: string) => `Q${quarter} ${year}`,
    since: (date: string) => `Since ${date}`,
    upTo: (date: string) => `Until ${date}`,
    from: "From",
    until: "Until",
    apply: "Apply",
    allTeams: "All teams",
    tags: "Tags",
    tagsSelected: (count: number) => format.countOf(count, { one: "# tag", other: "# tags" }),
    withAnyTag: "With any of these tags",
    moreTags: (count: number): Html =>
      html`${format.countOf(count, { one: "# more tag", other: "# more tags" })} not listed. To filter by them, add their IDs to the URL of this page, separated by commas: <code>tag_ids=</code>.`,
    more: "More filters",
    group: "Recipient group",
    any: "Any",
    /** By the value in the URL. */
    surveyFilters: { rated: "With ratings", some: "With surveys", none: "Without surveys" },
    searchSubjects: "Search subjects",
    trafficLabel: "Activity",
    comparisons: { previous: "Previous period", year: "Year before", none: "No comparison" },
    traffic: { people: "Human only", all: "All activity" },
    datesReversed: (from: string, until: string) =>
      `From: ${from} is later than Until: ${until}. Swap them, or leave one empty.`,
    invalidTagId: (name: string, value: string) =>
      `${name}: ${value} is not the ID of a tag; separate IDs by commas, such as tag_ids=1,2.`,
    tooManyTags: (name: string, max: number) => `${name}: up to ${format.count(max)} are accepted.`,
    invalidDate: (name: string, value: string) =>
      `${name}: ${value} is not a date; use YYYY-MM-DD, such as 2026-01-31.`,
    invalidValue: (name: string, value: string, accepted: string) =>
      `${name}: ${value} is not accepted; use one of ${accepted}.`,
  },

  overview: {
    title: "Overview",
    viewCampaigns: "View campaigns",
    filters: "Filters",
    comparedWith: {
      previous: "vs. previous period",
      year: "vs. year before",
      none: "No comparison",
    },
    noMatches: (allUrl: string): Html =>
      html`No campaigns match these filters. Choose another period or other filters, or <a href="${allUrl}">view all campaigns</a>.`,

    // Key metrics
    campaigns: "Campaigns",
    /** The sum of the recipients of campaigns: a recipient of two counts twice. */
    emailsSent: (emails: number) => format.countOf(emails, { one: "# email sent", other: "# emails sent" }),
    enps: "eNPS",
    rates: { openRate: "Open rate", clickRate: "Click rate", clickToOpenRate: "Click-to-open rate" },
    none: "None yet",
    tooFew: "Too few",
    from: {
      campaigns: (from: number, of: number) =>
        `from ${format.count(from)} of ${format.countOf(of, { one: "# campaign", other: "# campaigns" })}`,
      recipients: (from: number, of: number) =>
        `from ${format.count(from)} of ${format.countOf(of, { one: "# recipient", other: "# recipients" })}`,
    },
    fromSurveyed: (from: number, of: number) =>
      `from ${format.count(from)} of ${format.countOf(of, { one: "# campaign with a survey", other: "# campaigns with a survey" })}`,
    /** @param from how many of the campaigns, as `from` and `fromSurveyed` say it. */
    knownOnly: (from: string) => `known only ${from}`,
    noSurveys: "No campaign had an eNPS survey",
    unknown: "Unknown",
    surveysUnknown: (unknown: number, of: number) =>
      `It is not known whether ${format.count(unknown)} of ${format.countOf(of, { one: "# campaign", other: "# campaigns" })} had a survey`,
    noAnswersYet: (surveyed: number) =>
      format.countOf(surveyed, {
        one: "# campaign with a survey, no answers yet",
        other: "# campaigns with a survey, no answers yet",
      }),
    /** @param from how many `of` the campaigns with a survey have ratings */
    averageRating: (mean: string, { ratings, from, of }: { ratings: number; from: number; of: number }) =>
      `Average rating ${mean} of 10, ${format.countOf(ratings, { one: "from # rating", other: "from # ratings" })} in ${format.count(from)} of ${format.countOf(of, { one: "# campaign", other: "# campaigns" })}`,
    /** The same rate with the other traffic. */
    withTraffic: {
      people: (rate: string) => `Human only: ${rate}`,
      all: (rate: string) => `With automated activity: ${rate}`,
    },
    before: (value: string) => `compared with ${value} before`,
    /** What the changes of all key numbers are compared with. */
    vsPeriod: (dates: string, others: string) => `${dates} vs. ${others}`,

    // Chart
    openAndClick: "Open rate and click rate",
    units: { day: "Day", week: "Week", month: "Month", year: "Year" },
    unfinished: {
      day: "Day not over",
      week: "Week not over",
      month: "Month not over",
      year: "Year not over",
    },

    // Cards
    /** By the value of `rank` in the URL. */
    ranked: {
      rate: { best: "Best open rates", worst: "Worst open rates" },
      team: { best: "Best open rates vs. team", worst: "Worst open rates vs. team" },
    },
    rankBy: "Rank campaigns by",
    rankings: { rate: "Open rate", team: "Difference from team" },
    breakDownBy: "Break results down by",
    /** By the value of `by` in the URL: the tab, and the card with the head of its first column. */
    breakdowns: {
      team: { tab: "Teams", title: "Results by team", column: "Team" },
      group: { tab: "Groups", title: "Results by recipient group", column: "Recipient group" },
      tag: { tab: "Tags", title: "Results by tag", column: "Tag" },
      sending_type: { tab: "Sending types", title: "Results by sending type", column: "Sending type" },
    },
    byGroupNote: "A campaign sent to several groups counts in each of them, with all of its recipients.",
    noneSet: "Not set for any of these campaigns.",
    largest: (shown: number, of: number) =>
      `The ${format.count(shown)} with the most recipients, of ${format.count(of)}`,
    unchanged: "unchanged",
    notSet: "not set",
    campaignCount: (count: number) => format.countOf(count, { one: "# campaign", other: "# campaigns" }),
    opensByHour: "When people open",
    opens: (count: number) => format.countOf(count, { one: "# open", other: "# opens" }),
    fewOpens: "Fewer",
    manyOpens: "More",
    topLinks: "Top links",
    link: "Link",
    clicks: "Clicks",
    latestComments: "Latest comments",
    allComments: "All comments",
    allLinks: "All links",
    imported: (imported: number, of: number) =>
      `Imported, with numbers as reported: ${format.count(imported)} of ${format.countOf(of, { one: "# campaign", other: "# campaigns" })}.`,
    countedTraffic: {
      people: "Only human opens and clicks are counted.",
      all: "All activity is counted, including automated activity.",
    },
    scope: (timeZone: string) =>
      `Rates are weighted by recipients. Days are in the time zone ${timeZone}. A rate from fewer than half of the campaigns or of their recipients is not shown.`,
  },

  campaigns: {
    title: "Campaigns",
    id: "ID",

    // List
    /** By their names in the URL. */
    columns: {
      subject: "Subject",
      sent_at: "Sent",
      team: "Team",
      tags: "Tags",
      recipients: "Recipients",
      open_rate: "Open rate",
      click_rate: "Click rate",
      click_to_open_rate: "Click-to-open rate",
      opens: "Unique opens",
      clicks: "Unique clicks",
      read_time: "Read over 9\u00a0s",
      enps: "eNPS",
      average_rating: "Average rating",
      comments: "Comments",
      devices: "Opens on desktop",
      kind: "Data source",
    },
    /** The title of a column with differences. */
    vsTeam: (column: string) => `${column} vs. team`,
    /** Why there is no difference. */
    noTeam: "no team",
    noUsual: "too few campaigns or recipients of its team with this rate in the year before",
    /** The eNPS index needs ratings that this service counts. */
    noUsualEnps: "too few campaigns of its team with eNPS ratings counted here in the year before",
    vsUsual: (team: string, rate: string) => `vs. ${team}: ${rate}`,
    kinds: { counted: "Counted here", closed: "Counted here, final", reported: "Imported" },
    sortText: { asc: "sort A to Z", desc: "sort Z to A" },
    sortNumber: { asc: "sort lowest first", desc: "sort highest first" },
    sortTime: { asc: "sort oldest first", desc: "sort newest first" },
    sort: "Sort",
    view: "View",
    views: "Views",
    chooseColumns: "Columns",
    campaigns: (count: number) => format.countOf(count, { one: "# campaign", other: "# campaigns" }),
    tableName: (caption: string) => `${caption}: table`,
    total: (count: number) =>
      format.countOf(count, { one: "Total of # campaign", other: "Total of # campaigns" }),
    /** The sum of the recipients of campaigns. */
    emailsSent: "emails sent",
    importedCount: (count: number) =>
      format.countOf(count, { one: "# imported, as reported", other: "# imported, as reported" }),
    tooFew: "too few",
    /** Why a total is from fewer campaigns than show a rate. */
    notWeighted:
      "A total rate is weighted. It leaves out rates that were imported without counts to weigh them, such as recipients.",
    coverage: {
      campaigns: (from: number, of: number) => `from ${format.count(from)} of ${format.count(of)}`,
      recipients: (from: number, of: number) =>
        `from ${format.count(from)} of ${format.count(of)} recipients`,
    },
    page: "Page",
    ofPages: (pages: number) => `of ${format.count(pages)}`,
    goToPage: "Go",
    rowsPerPage: "Rows per page",
    pagination: "Pages of the list",
    noMatches: "No campaigns match",
    tryOthers: "Try a longer period, another search or fewer filters.",
    allTime: "Show all time",
    resetFilters: "Reset filters",

    // Comparison
    select: (subject: string) => `Select ${subject}`,
    selectColumn: "Select",
    compare: "Compare",
    /** The script fills in the number. */
    compareSelected: (count: string) => `Compare ${count}`,
    compareHint: "Select two to five campaigns to compare them.",
    tooManySelected: (selected: string, excess: string) => `${selected} selected: remove ${excess}`,

    // Getting started
    noCampaigns: "No campaigns yet",
    askAdmin: "Ask an admin of your organization to add some.",
    gettingStarted:
      "Opens, clicks and read time of your campaigns will appear here. There are three ways to start:",
    startWithProgram: (createKeyUrl: string): Html =>
      html`Send campaigns and events from your own program: <a href="${createKeyUrl}">create an API key with the scope ingest</a>.`,
    startWithProvider: html`Let your email provider send its events: the operator of this service adds it with <code>email-analytics source add</code>. It then appears in <a href="/sources">Sources</a>.`,
    startWithImport: html`Import existing numbers: the operator of this service runs <code>email-analytics import</code>.`,
  },

  comparison: {
    title: "Compare campaigns",
    metric: "Metric",
    caption: "The campaigns side by side",
    best: "best",
    bestNote:
      "“Best” marks the highest rate. Counts have no mark, because they grow with the number of recipients.",
    noOpens: (subjects: string) => `Without opens by hour: ${subjects}.`,
    invalidId: (value: string) => `${value} is not the ID of a campaign; use whole numbers, such as ids=1,2.`,
    wrongNumber: (count: number) =>
      format.countOf(count, {
        one: "You selected # campaign; select two to five.",
        other: "You selected # campaigns; select two to five.",
      }),
    backToList: "Back to the campaigns",
  },

  campaign: {
    // One campaign
    untitled: "Campaign without a subject",
    scheduled: "Scheduled",
    notFound: (id: string) => `Your organization has no campaign ${id}.`,
    sentAt: (time: string) => `Sent ${time}`,
    scheduledFor: (time: string) => `Scheduled for ${time}`,
    imported: "The numbers of this campaign were imported. There is no activity to show.",
    closed: (time: string) =>
      `Counted from events until ${time}, when the campaign was closed. Its numbers no longer change.`,
    countedLive: "Counted from events as they arrive.",
    counted: {
      people: "The numbers include human activity only.",
      all: "The numbers include all activity, human and automated.",
    },

    // Headline metrics

    // All metrics
    allMetrics: "All metrics",
    metricsCaption: "The fields of the Analytics API, as pages show them and as the API returns them",
    onPages: "On pages",
    /** A note where a page shows other activity, by what the API counts. */
    apiTraffic: {
      people: "The Analytics API counts human activity only.",
      all: "The Analytics API counts all activity.",
    },
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
    opensByHour: (hours: number) => `Opens in the first ${hours} hours`,
    clicksByHour: (hours: number) => `Clicks in the first ${hours} hours`,
    hour: "Hour",
    day: "Day",
    human: "Human",
    automated: "Automated",
    byDay: "Opens and clicks by day; days without activity are left out",
    byLastDays: (days: number) => `Opens and clicks on the last ${days} days`,
    humanOpens: "Human opens",
    automatedOpens: "Automated opens",
    humanClicks: "Human clicks",
    automatedClicks: "Automated clicks",
    trafficTitle: "Human and automated activity",
    trafficCaption: "Opens and clicks by kind of activity",
    traffic: "Activity",
    countedAs: "Counted as",
    reason: "Reason",
    opens: "Opens",
    clicks: "Clicks",
    inferredOpens: "Inferred opens",
    inferredMeaning:
      "From a click, a read or a survey answer of a recipient without an open: images may be blocked.",
    furtherClicks: "Further clicks",
    furtherMeaning: (max: number) => `After the first ${format.count(max)} clicks of a recipient.`,
    /** The sum of the table, by the traffic that the page shows. */
    trafficTotals: { people: "Total, human only", all: "Total, all activity" },
    links: "Links",
    noClicks: "No clicks yet.",
    linksCaption: "Links by human clicks",
    link: "Link, without personal data",
    allClicks: "All clicks",
    linksNote: (max: number) =>
      `The first ${format.count(max)} clicked URLs are counted separately, without their query strings. All others share one row.`,
    otherLinks: "All other links",

    // Surveys
    surveys: "Surveys",
    enpsIndex: "eNPS index: percentage of ratings of 9 and 10, minus percentage of ratings from 0 to 6",
    enpsComments: "eNPS ratings with a comment",
    surveyAnswers: "Answers to other surveys",
    surveyComments: "Answers with a comment",
    indexUnknown: "The eNPS index is unknown: an imported campaign has only its average rating.",
    surveysClosed: "The campaign is closed. Individual answers and comments were deleted.",
    moreSurveys: (shown: number, others: number) =>
      `The ${format.count(shown)} surveys with the most answers. ${format.countOf(others, { one: "# more survey not shown.", other: "# more surveys not shown." })}`,
    enps: "eNPS",
    survey: "Survey",
    answered: (recipients: number) =>
      format.countOf(recipients, { one: "# recipient answered.", other: "# recipients answered." }),
    rating: "Rating",
    forgottenAnswer: "Forgotten",
    otherAnswers: (count: number) => `Other answers: ${format.count(count)}.`,
    commentsWithheld: (min: number) => `Comments are shown once ${min} recipients have answered.`,

    /** The parts of the page. */
    tabsLabel: "Campaign",
    tabs: {
      summary: "Summary",
      links: "Links",
      surveys: "Surveys",
      recipients: "Recipients",
      activity: "Human vs. automated",
      details: "Details",
    },
    previous: (subject: string) => `Previous campaign: ${subject}`,
    next: (subject: string) => `Next campaign: ${subject}`,
    copyLink: "Copy link",
    lastActivity: (time: string) => `Last activity ${time}`,
    activeNow: "Active in the last 15 minutes",

    // Key numbers
    keyNumbers: {
      openRate: "Open rate",
      clickRate: "Click rate",
      clickToOpenRate: "Click-to-open rate",
      desktopShare: "Desktop",
      readShare: "Read over 9\u00a0s",
      enpsIndex: "eNPS",
      enpsMean: "Average rating",
    },
    opened: (opened: number, recipients: number) =>
      `${format.count(opened)} of ${format.count(recipients)} opened`,
    clicked: (clicked: number, recipients: number) =>
      `${format.count(clicked)} of ${format.count(recipients)} clicked`,
    openedMore: (opened: number, recipients: number) =>
      `${format.count(opened)} opened, ${format.countOf(recipients, { one: "more than the # recipient that the sender named", other: "more than the # recipients that the sender named" })}`,
    clickedMore: (clicked: number, recipients: number) =>
      `${format.count(clicked)} clicked, ${format.countOf(recipients, { one: "more than the # recipient that the sender named", other: "more than the # recipients that the sender named" })}`,
    clickedOfOpened: (clicked: number, opened: number) =>
      `${format.count(clicked)} of ${format.count(opened)} who opened`,
    readFor: (seconds: number) => `longer than ${seconds} seconds`,
    readOf: (read: number, measured: number, seconds: number) =>
      `${format.count(read)} of ${format.count(measured)} measured reads longer than ${seconds} seconds`,
    ratings: (ratings: number) => format.countOf(ratings, { one: "# rating", other: "# ratings" }),
    noRatings: "no ratings",
    teamAverage: (value: string) => `Team average: ${value}`,
    teamTooFew: "Team: too few campaigns to compare with",
    tagAverage: (tag: string, value: string) => `${tag}: ${value}`,
    /** What the changes of all key numbers are compared with. */
    vsTeam: (team: string, campaigns: number) =>
      `vs. ${team}, 12 months before (${format.countOf(campaigns, { one: "# campaign", other: "# campaigns" })})`,
    tooFewOfTeam: (team: string) =>
      `${team} sent fewer than three campaigns in the 12 months before, so there is nothing to compare with`,
    comparedWithTeam: (campaigns: number) =>
      format.countOf(campaigns, {
        one: "compared with # campaign of the team in the year before",
        other: "compared with the average of # campaigns of the team in the year before",
      }),

    // Summary
    opensCurve: "Opens per 100 recipients",
    hoursAfter: "Hours after sending",
    hourOf: (hour: number) => `${format.count(hour)}\u00a0h`,
    thisCampaign: "This campaign",
    opensCurveNote: "Repeat opens count too, so the line can end above the open rate.",
    /** For a campaign with a team, or without one. */
    usualOpens: {
      team: (campaigns: number) =>
        `Usual (median of ${format.count(campaigns)} previous campaigns of the team)`,
      all: (campaigns: number) => `Usual (median of ${format.count(campaigns)} previous campaigns)`,
    },
    deviceShares: "Share of the opens whose device is known",
    readShares: "Share of the human reads whose time was measured",
    partOf: (count: number, total: number) => `${format.count(count)} of ${format.count(total)}`,
    namesForAdmins: "Only admins see who wrote a comment.",
    noUsual: "The team does not have three earlier campaigns with opens by hour to compare with.",
    devices: "Devices",
    desktop: "Desktop",
    mobile: "Mobile",
    noDevices: "No device is known.",
    readTime: "Read time",
    glanced: (seconds: number) => `Glanced (≤\u00a0${seconds}\u00a0s)`,
    skimmed: (seconds: number) => `Skimmed (≤\u00a0${seconds}\u00a0s)`,
    read: (seconds: number) => `Read (>\u00a0${seconds}\u00a0s)`,
    noReads: "No read time was measured.",
    topLinks: "Top links",
    allLinks: "All links",
    comments: "Comments",
    allComments: "All comments and surveys",
    importedActivity: "The numbers of this campaign were imported, without its opens and clicks over time.",
    importedLinks: "The numbers of this campaign were imported, without its links.",
    shareOfHumanClicks: "Share of human clicks",

    // Ratings
    ratingsTitle: "Ratings",
    promoters: (count: string, share: string) => `Promoters: ${count} (${share})`,
    passives: (count: string, share: string) => `Passives: ${count} (${share})`,
    detractors: (count: string, share: string) => `Detractors: ${count} (${share})`,
    kinds: { promoters: "Promoters", passives: "Passives", detractors: "Detractors" },
    noSurvey: "This campaign has no survey.",
    noAnswers: "The survey has no answers yet.",
    surveyUnknown: "It is not known whether this campaign had a survey.",
    answersUnknown: "It is not known whether anyone answered the survey.",
    commentCount: (count: number) => format.countOf(count, { one: "# comment", other: "# comments" }),
    latestComments: (total: number, shown: number) =>
      `${format.countOf(total, { one: "# comment", other: "# comments" })}, latest ${format.count(shown)} shown`,
    commentsShown: (total: number, shown: number) =>
      `${format.countOf(total, { one: "# comment", other: "# comments" })}, ${format.count(shown)} shown`,
  },

  recipients: {
    noList: "No list of recipients",
    /** Why a campaign has no list of recipients. */
    reasons: {
      Anonymous:
        "This campaign has Anonymous tracking, so there is no list of recipients: each recipient was replaced by a hash before anything was stored.",
      Overall:
        "This campaign has Overall tracking, so there is no list of recipients: it counts devices and does not know recipients.",
      imported:
        "The numbers of this campaign were imported, so there is no list of recipients: imported numbers have none.",
      closed:
        "This campaign is closed, so there is no list of recipients: they were deleted, and only the numbers were kept.",
    },
    opened: (opened: number, recipients: number) =>
      `${format.countOf(recipients, { one: "# recipient.", other: "# recipients." })} Opened: ${format.count(opened)}. Not opened: ${format.count(Math.max(recipients - opened, 0))}.`,
    /** Of those who did not open. */
    unknown: (unknown: number, listed: number) =>
      `Of these, ${format.count(listed)} can be listed; ${format.countOf(unknown, { one: "of # there is no event yet.", other: "of # there is no event yet." })}`,
    notOpenedNote:
      "These recipients are known only from automated activity, such as a prefetch or a security scanner.",
    filterLabel: "Recipients",
    filters: { all: "All", opened: "Opened", not_opened: "Not opened", clicked: "Clicked" },
    search: "Email or ID starts with",
    caption: "Recipients by email or ID",
    columns: {
      recipient: "Recipient",
      opens: "Opens",
      device: "Device",
      readTime: "Read time",
      clicks: "Clicks",
      firstClick: "First click",
      lastClick: "Last click",
      answers: "Survey answers",
    },
    devices: { desktop: "Desktop", mobile: "Mobile" },
    readTimes: { glanced: "Glanced", skimmed: "Skimmed", read: "Read" },
    noMatches: "No recipients match.",
    noMatchesYet: "No matches among the recipients searched so far. Continue with the next page.",
    pages: "More recipients",
    onPage: (count: number) =>
      format.countOf(count, {
        one: "# recipient of a longer list. The CSV file has all of them.",
        other: "# recipients of a longer list. The CSV file has all of them.",
      }),
    backToStart: "Back to the start",
    note: "Each view and download of this list is logged with your user ID. Opens are stored as counts, without their times. Forgotten recipients are not listed.",
  },

  connect: {
    title: "Connect",
    intro: (count: number) =>
      format.countOf(count, {
        one: "Get your campaigns into the tool that you work with. There are instructions for # tool.",
        other: "Get your campaigns into the tool that you work with. There are instructions for # tools.",
      }),
    groups: {
      reports: "Reporting tools and spreadsheets",
      dashboards: "Dashboards",
      pipelines: "Pipelines and automation",
      programs: "Programming languages and terminals",
    },
    search: "Search tools",
    find: "Search",
    allTools: "All tools",
    noMatch: (text: string): Html =>
      html`No tool matches <strong>${text}</strong>. Any tool that can send an HTTP header or a user name and a password can read the API.`,
    minutes: (minutes: number) => format.countOf(minutes, { one: "# minute", other: "# minutes" }),
    toolTitle: (name: string) => `Connect ${name}`,
    notFound: "There are no instructions for this tool.",
    fileNotFound: "There is no such file for this tool.",
    steps: "Steps",
    /** The steps of the most used tools, by their ids. Those of other tools are in English in every language. */
    toolSteps: {
      "power-bi": stepsOf("power-bi"),
      excel: stepsOf("excel"),
      tableau: stepsOf("tableau"),
      "google-sheets": stepsOf("google-sheets"),
      "looker-studio": stepsOf("looker-studio"),
      grafana: stepsOf("grafana"),
      pandas: stepsOf("pandas"),
      curl: stepsOf("curl"),
    },
    time: "Time",
    timeNote: (minutes: number) =>
      format.countOf(minutes, {
        one: "About # minute, if you know the tool.",
        other: "About # minutes, if you know the tool.",
      }),
    download: (file: string) => `Download ${file}`,
    fileHolds: "The file contains the URL of this service, and no key.",
    filesHold: "The files contain the URL of this service, and no key.",
    /** @param own the schema of the organization */
    replaceSchema: (given: string, own: string): Html =>
      html`In the files, replace the schema <code>${given}</code> with yours, <code>${own}</code>.`,
    linesLabel: (name: string) => `the lines for ${name}`,
    commandLabel: (step: number, command: number) => `command ${command} of step ${step}`,
    urlToEnter: "URL to enter",
    urlLabel: "the URL",
    facts: "Good to know",
    refresh: "Refresh",
    limits: "Limits",
    tested: "Tested",
    hasPostgres:
      "This service uses PostgreSQL, which this tool needs. The operator of the service gives the tool access to the SQL views.",
    needsPostgres:
      "This service uses SQLite, so this tool cannot read it: SQL views need PostgreSQL. Choose a tool that reads with an API key.",
    key: "API key",
    keyIntro: (name: string) =>
      `Creates a key with the scope read, named after ${name}. It is shown once, and the next page shows when its first request arrives.`,
    createKey: (name: string) => `Create key for ${name}`,
    newKeyTitle: (name: string) => `Your API key for ${name}`,
    firstRequest: "First request",
    waiting: (name: string) => `Waiting for the first request from ${name}…`,
    waitingNote: "Follow the steps with the new key. This page updates automatically.",
    stillWaiting: "No request arrives? See Still waiting for the first request",
    waitElsewhere: "I copied the key. Wait for the first request",
    received: "The first request has arrived.",
    receivedFrom: (time: string, client: string): Html =>
      html`It came on ${time} from <strong>${client}</strong>.`,
    clients: {
      powerQuery: "Power Query (Power BI or Excel)",
      browser: "a browser",
      unknown: "a program that does not name itself",
    },
    noRows: "It has read no rows yet. Load the data in the tool.",
    firstRows: (rows: number) =>
      format.countOf(rows, { one: "The first answer had # row.", other: "The first answer had # rows." }),
    campaigns: (count: number) =>
      format.countOf(count, {
        one: "Your organization has # campaign.",
        other: "Your organization has # campaigns.",
      }),
    units: "Before you sum or average: units and missing values",
    troubleshooting: "If something does not work: troubleshooting",
    backToTool: (name: string) => `Back to ${name}`,
    keyForViewers: "You need an API key with the scope read. Ask an admin of your organization for one.",
  },

  help: {
    allTopics: "All topics",
    groups: {
      tools: "Get your campaigns into a tool",
      numbers: "Understand the numbers",
      programs: "Write a program",
    },
    /** The pages that come from `docs/`, by their file. The English titles are those of the files. */
    topics: {
      tools: {
        title: "Which way for which tool",
        summary: "Compares the ways in which tools read campaigns, and says which one fits your tool.",
      },
      troubleshooting: {
        title: "Troubleshooting",
        summary: "What to do when a tool does not show what you expect.",
      },
      refresh: {
        title: "Refresh and incremental loads",
        summary: "How to keep the data of a tool up to date.",
      },
      downloads: { title: "Downloads", summary: "All campaigns in one file: CSV, NDJSON or Parquet." },
      odata: { title: "OData", summary: "The tables that Power BI, Excel and Tableau read." },
      "sql-views": {
        title: "SQL views",
        summary: "How tools that speak SQL read the campaigns from PostgreSQL.",
      },
      units: {
        title: "Units and missing values",
        summary: "What to know before you sum or average a field.",
      },
      numbers: {
        title: "The numbers",
        summary: "How opens, clicks, reads and answers become the numbers of a campaign.",
      },
      glossary: { title: "Glossary", summary: "The terms of the service and what they mean." },
      api: {
        title: "The API",
        summary: "How programs read campaigns: keys, pages, filters, changes and errors.",
      },
    },
    numbersLink: "What these numbers mean",
    connect: "Steps, files and lines for each tool, with the URL of this service.",
    fieldsTitle: "Each number and field",
    fields: "Meaning, unit and formula of each field, and its value when nothing is known.",
    apiReference: "Every URL with its parameters, responses and fields. Try requests with your key.",
    field: "Field",
    meaning: "Meaning",
    unit: "Unit",
    formula: "Formula",
    whenNull: "Null if",
    fieldsCaption: (count: number) =>
      format.countOf(count, {
        one: "# field, as downloads have it",
        other: "# fields, as downloads have them",
      }),
    /** Code is between backquotes. */
    fieldsIntro:
      "Downloads and the Analytics API have these units. Pages show all rates as percentages with one decimal: 0.2947 is 29.5%. In `/data_api/v1/emails`, a field is 0 or empty where downloads have null.",
    /** What pages show besides the fields. */
    pageNumbers: [
      html`<strong>vs. team</strong>: how far a rate is above or below that of the campaigns that its team sent in the 365 days before, in percentage points.`,
      html`<strong>eNPS</strong>: the index from −100 to 100. It is the percentage of ratings of 9 and 10, minus that of ratings from 0 to 6. Imported campaigns have only an average rating.`,
      html`<strong>Opens per 100 recipients</strong>: the curve adds up all opens since sending. Repeat opens count too, so it can end above the open rate.`,
    ],
    countsCaption: "Counts in formulas that are not fields",
    count: "Count",
    rounding: (rule: string) => `Rounding: ${rule}.`,
    notFound: "There is no such help page.",
    /** What each field means. Code is between backquotes. */
    meanings: textsOf(recordFields, ({ definition, description }) => definition ?? description),
    units: textsOf(units, (name) => name),
    /** When a field is null, by the words of the table of fields. */
    nullMeanings: Object.fromEntries(nullMeanings.map((text) => [text, text])) as Record<NullMeaning, string>,
    counts: textsOf(formulaCounts, ({ description }) => description),
    roundings: textsOf(roundings, (_, name: Rounding) => describeRounding(name)),
  },

  links: {
    title: "Links",
    lead: "What recipients click, in all campaigns that match. URLs are without their query strings.",
    none: "No clicks in these campaigns",
    noneHint:
      "Links are known for campaigns that this service counts. Choose a longer period or other filters.",
    caption: (links: number) =>
      format.countOf(links, { one: "# link, by clicks", other: "# links, by clicks" }),
    link: "Link",
    clicks: "Clicks",
    share: "Share of clicks",
    campaigns: "Campaigns",
    othersNote: (others: number) =>
      format.countOf(others, {
        one: "# more link has fewer clicks.",
        other: "# more links have fewer clicks.",
      }),
    /** From how many campaigns numbers are, of all those that match. */
    scope: (read: number, of: number) =>
      read < of
        ? `From the newest ${format.count(read)} of ${format.count(of)} campaigns that this service counts.`
        : format.countOf(of, {
            one: "From the one campaign that this service counts.",
            other: "From all # campaigns that this service counts.",
          }),

    // The page of one link
    campaign: "Campaign",
    shareOfLink: "Share of its clicks",
    /** @param counted how many campaigns were searched */
    clicksPer100: "Clicks per 100 recipients",
    inCampaigns: (campaigns: number, counted: number) =>
      format.countOf(counted, {
        one: `Clicks in ${format.count(campaigns)} of # counted campaign`,
        other: `Clicks in ${format.count(campaigns)} of # counted campaigns`,
      }),
    open: "Open link",
    notFound: "This link has no clicks in these campaigns",
  },

  comments: {
    title: "Comments",
    lead: (answers: number) =>
      `What recipients wrote with their answers. A campaign's comments are shown once ${answers} recipients have answered.`,
    search: "Search comments",
    rating: "Rating",
    ratings: { any: "All", low: "0 to 6", middle: "7 and 8", high: "9 and 10", none: "None" },
    by: "Group",
    orders: {
      newest: "Newest first",
      lowest: "Lowest rating first",
      highest: "Highest rating first",
      longest: "Longest first",
    },
    groupings: { none: "No groups", question: "By question", campaign: "By campaign" },
    /** @param comments their number in words, such as "12 comments" */
    inGroups: {
      question: (comments: string, questions: number) =>
        `${comments} on ${format.countOf(questions, { one: "# question", other: "# questions" })}`,
      campaign: (comments: string, campaigns: number) =>
        `${comments} on ${format.countOf(campaigns, { one: "# campaign", other: "# campaigns" })}`,
    },
    /** Beside a group that other pages continue. @param page another one with its comments */
    partOfGroup: (shown: number, total: number, page: number) =>
      `${format.count(shown)} of ${format.count(total)} comments, more on page ${format.count(page)}`,
    /** Of the comments of a question that have a rating. @param mean such as "6.8" */
    averageRating: {
      ofThese: (mean: string) => `average rating of these comments ${mean}`,
      ofAll: (mean: string, total: number) => `average rating of all ${format.count(total)} comments ${mean}`,
    },
    file: {
      comment: "Comment",
      rating: "Rating",
      answer: "Answer",
      question: "Question",
      campaignId: "Campaign ID",
      campaign: "Campaign",
      campaignSent: "Campaign sent",
    },
    none: "No comments to show",
    noneHint:
      "Comments come with answers to surveys, and are deleted when a campaign closes. Choose a longer period or other filters.",
    importedOnly: (comments: number) =>
      format.countOf(comments, {
        one: "# comment on an imported campaign is not here: imports have only the number of comments.",
        other: "# comments on imported campaigns are not here: imports have only the number of comments.",
      }),
    closedOnly: (comments: number) =>
      format.countOf(comments, {
        one: "# comment on a closed campaign is not here: its text was deleted.",
        other: "# comments on closed campaigns are not here: their texts were deleted.",
      }),
    leftOut: (campaigns: number) =>
      format.countOf(campaigns, {
        one: "# campaign is left out: it would take too long to read. Its comments are on its own page.",
        other:
          "# campaigns are left out: they would take too long to read. Their comments are on their own pages.",
      }),
  },

  sources: {
    title: "Sources",

    // Email providers
    providers: "Email providers",
    noProviders: html`No email provider sends events yet. The operator of this service adds one with the command <code>email-analytics source add</code>.`,
    providersCaption: (sources: number, note: string) =>
      `${format.countOf(sources, { one: "# source", other: "# sources" })}. ${note}`,
    urlsAreSecret: "Keep the webhook URLs secret: anyone who knows one can send events.",
    urlsForAdmins: "Only admins can see the webhook URLs.",
    provider: "Provider",
    lastEvent: "Last event",
    campaignField: "Field with the campaign ID",
    webhookUrl: "Webhook URL",
    webhookUrlOf: (provider: string) => `the webhook URL for ${provider}`,
    noEventYet: "none yet",
    silent: "no recent events",
    noSecretTitle: (provider: string) => `${provider} has no secret yet.`,
    noSecret: html`All its events are rejected until you set the secret with the command <code>email-analytics source change --secret</code>.`,
    silentTitle: (provider: string) => `${provider} stopped sending events.`,
    silentAfterCampaign: (time: string) =>
      `The last event arrived ${time}, and a campaign was sent after that.`,
    silentForDays: (time: string) => `The last event arrived ${time}, more than seven days ago.`,
    silentChecklist: (provider: string): Html =>
      html`Check at ${provider} that the webhook is enabled, that its URL is the one of this source, that it sends opens and clicks, and that its secret is unchanged. The log of this service has every rejected request. If you no longer use ${provider}, delete the source with the command <code>email-analytics source delete</code>.`,

    // Programs
    programs: "Programs",
    noPrograms: "No program sends campaigns and events: there is no API key with the scope ingest.",
    createKey: "Create an API key",
    programsCaption:
      "Programs send with an API key that has the scope ingest. Last used is accurate to the hour.",
    apiKey: "API key",
    lastUsed: "Last used",
    notUsedYet: "not used yet",
    programsForViewers: (programs: number) =>
      format.countOf(programs, { one: "# program can send.", other: "# programs can send." }),
    noDataYet: "No data was sent yet.",
    lastUsedAt: (time: string) => `Last used ${time}.`,

    // Tracked messages
    trackedMessages: "Tracked messages",
    trackingOn: "This service can track messages itself: the setting TRACKING_SECRET is set.",
    trackingOff: "This service does not track messages itself: the setting TRACKING_SECRET is empty.",

    // Quarantine
    quarantine: "Events that could not be counted",
    noQuarantined: "No events are in quarantine.",
    quarantined: (events: number) =>
      format.countOf(events, {
        one: "# event could not be counted and is in quarantine.",
        other: "# events could not be counted and are in quarantine.",
      }),
    replayHelp: "A replay counts those that can be counted now and keeps the others.",
    nothingCounts:
      "They cannot be counted now: they are unreadable, or their campaign is not registered, is closed, or has imported numbers.",
    quarantineCaption: "By campaign and reason",
    otherGroups: (events: number) =>
      format.countOf(events, {
        one: "By campaign and reason. Smaller groups have another # event",
        other: "By campaign and reason. Smaller groups have another # events",
      }),
    campaign: "Campaign",
    reason: "Reason",
    events: "Events",
    firstReceived: "First received",
    lastReceived: "Last received",
    /** The fields follow, each with what it accepts. */
    firstUnreadable: "Wrong or missing in the first event:",
    unknownCampaign: "unknown",
    replay: "Replay",
    replayAll: "Replay all",
    replayCampaign: (name: string) => `Replay the events of campaign ${name}`,
    replayed: ({
      accepted,
      repeated,
      ignored,
      quarantined,
    }: Record<"accepted" | "repeated" | "ignored" | "quarantined", number>) =>
      `Replayed: ${format.count(accepted)} counted, ${format.count(repeated)} repeated, ${format.count(ignored)} ignored (campaign closed or recipient forgotten), ${format.count(quarantined)} still in quarantine.`,
    replayIncomplete: (left: number) =>
      format.countOf(left, {
        one: "The replay ran out of time with # event left. Replay again to continue.",
        other: "The replay ran out of time with # events left. Replay again to continue.",
      }),
    nothingToReplay: (campaign: string) => `Campaign: ${campaign} has no events in quarantine.`,
    campaignRule: 'the JSON of a campaign ID (such as 42) or of an external ID (such as "spring-news")',
  },

  keys: {
    title: "Analytics API",
    baseUrl: "Base URL",
    baseUrlIntro: (emailsPath: string, region: string): Html =>
      html`Tools send their requests to this URL, with an API key from below. Records: <code>GET ${emailsPath}</code>. Region: <code>${region}</code>.`,
    baseUrlLabel: "the base URL",
    keys: "API keys",
    noKeys: "No API keys yet.",
    keysCaption: (count: number) =>
      `${format.countOf(count, { one: "# key", other: "# keys" })}. Last used is accurate to the hour and may lag slightly.`,
    name: "Name",
    scope: "Scope",
    startsWith: "Starts with",
    created: "Created",
    lastUsed: "Last used",
    notUsedYet: "not used yet",
    commandLine: "command line",
    until: (time: string) => `until ${time}`,
    delete: "Delete",
    deleteKeyNamed: (name: string) => `Delete ${name}`,
    createKey: "Create an API key",
    createKeyIntro:
      "The key is shown once, on the next page. The name says what it is for. Use a separate key for each report and each program, so that you can delete one without the others.",
    create: "Create key",
    scopes: {
      read: "read: reports and programs that read records",
      ingest: "ingest: programs that send campaigns and events",
    },
    /** After the name of the field. */
    nameTaken: (name: string) =>
      `the key ${name} already exists. Choose a name that differs in more than letter case.`,
    justCreated: (name: string) =>
      `Name: the key ${name} was created a moment ago. Delete it if you did not copy it, or choose another name.`,

    // A new key
    newKeyTitle: "Your new API key",
    copyNow:
      "Copy the key now: it is never shown again. Anyone who has it can use it, so store it like a password.",
    keyWithScope: (scope: string) => `API key with the scope ${scope}`,
    keyLabel: "the key",
    codeLabel: (title: string) => `the code for ${title}`,
    doneCopying: "I copied the key. Back to all keys",
    powerBiHint:
      "In Power BI, choose Get data, OData feed, and paste this URL. When Power BI asks for credentials, choose Basic and enter any user name, and the key as the password. Do not choose Web API.",
    excelHint:
      "Choose Data, Get Data, From Other Sources, From OData Feed, and paste this URL. When Excel asks for credentials, choose Basic and enter any user name, and the key as the password.",
    ingestHint: "Sends no events yet. It only checks that the key is accepted.",

    // Delete
    deleteTitle: "Delete an API key",
    describe: (key: { name: string; scope: string; prefix: string; use: string }): Html =>
      html`The key <strong>${key.name}</strong> starts with <code>${key.prefix}…</code> and has the scope <strong>${key.scope}</strong>. ${key.use}`,
    neverUsed: "It has not been used yet.",
    lastUsedAt: (time: string) => `It was last used ${time}.`,
    consequences: {
      read: "Reports, spreadsheets and programs that read records with it stop working: their next request fails with 401.",
      "csv-link": "Spreadsheets that use the link get an error from their next refresh on.",
      ingest:
        "Programs that send campaigns and events with it fail with 401 from the next request on. What they do not send again is not counted.",
    },
    cannotUndo: "You cannot undo this. To avoid a gap, create a new key and put it in place first.",
    deleteKey: "Delete key",
    cancel: "Cancel",
    deleted: (name: string) => `Deleted the key ${name}.`,
    notFound: "The key does not exist. It may have been deleted.",
  },

  csvLinks: {
    title: "CSV links",
    intro:
      "For spreadsheets that cannot send a key, such as IMPORTDATA in Google Sheets: a link returns campaigns as CSV to everyone who has it. Links are in the list of keys, with the scope csv-link, and stop working when you delete them there.",
    allow: "Allow CSV links",
    refuse: "Turn off CSV links",
    allowed: "CSV links work now.",
    refused: "CSV links no longer work.",
    notAllowed: "CSV links are turned off.",
    name: "Link name",
    days: "Days until it expires",
    daysRule: (max: number) => `a whole number from 1 to ${max}`,
    sentAfter: "Sent on or after (optional)",
    sentBefore: "Sent on or before (optional)",
    dateRule: "a date such as 2025-01-31",
    endRule: (start: string) => `${start} or later`,
    moreTags: (count: number): Html =>
      html`${format.countOf(count, { one: "# more tag", other: "# more tags" })} not listed. The command <code>csv-link add</code> takes any tag.`,
    create: "Create link",
    newTitle: "Your new CSV link",
    copyNow:
      "Copy the link now: it is never shown again. Everyone who has it can read the campaigns, so share the spreadsheet, not the link.",
    label: "the link",
    importData: "Google Sheets",
    done: "I copied the link. Back to all keys",
  },

  tags: {
    title: "Tags",
    addTag: "Add a tag",
    add: "Add tag",
    noTags: "No tags yet. A tag is a label for campaigns.",
    intro: html`The filter <code>tag_ids</code> of the API takes these IDs. Renaming a tag keeps its ID.`,
    caption: (count: number) => format.countOf(count, { one: "# tag", other: "# tags" }),
    plural: "tags",
    tag: "Tag",
    id: "ID",
    idOf: (name: string) => `the ID of ${name}`,
    campaigns: "Campaigns",
    edit: "Edit",
    editNamed: (name: string) => `Edit ${name}`,
    name: "Name",
    color: "Color",
    colorRule: "a color of the form #RRGGBB",
    nameTaken: (name: string, id: number) =>
      `Name: the tag with the ID ${id} already has the name ${name}. Choose one that differs in more than letter case.`,
    added: (name: string) => `Added the tag ${name}.`,

    // One tag
    tagTitle: (name: string) => `Tag ${name}`,
    nameAndColor: "Name and color",
    idIsFixed: (id: number): Html =>
      html`The ID <code>${id}</code> never changes. The API returns changes immediately.`,
    save: "Save",
    saved: (name: string) => `Saved the tag ${name}. The API returns it immediately.`,
    delete: "Delete",
    deleteTag: "Delete this tag",
    deleteNamed: (name: string) => `Delete ${name}`,
    loss: (campaigns: number) =>
      campaigns === 0
        ? "No campaign has this tag."
        : format.countOf(campaigns, {
            one: "# campaign loses this tag and keeps everything else.",
            other: "# campaigns lose this tag and keep everything else.",
          }),
    deleteWarning: (id: number): Html =>
      html`Reports that filter by <code>tag_ids=${id}</code> find nothing anymore. You cannot undo this: a new tag gets another ID.`,
    deleted: (name: string) => `Deleted the tag ${name}.`,
    notFound: "The tag does not exist. It may have been deleted.",
  },

  people: {
    title: "People",
    plural: "people",
    caption: (organization: string, timeZone: string) =>
      `Users who can sign in to ${organization}. Times are in the time zone ${timeZone}.`,
    email: "Email",
    role: "Role",
    lastVisit: "Last visit",
    never: "Never",
    password: "Password",
    invitedUntil: (time: string) => `Invited until ${time}`,
    passwordSet: "Set",
    passwordNotSet: "Not set",
    actions: "Actions",
    you: "(you)",
    yourAccount: "Your account",
    roleOf: (email: string) => `Role of ${email}`,
    changeRole: "Change",
    changeRoleOf: (email: string) => `Change the role of ${email}`,
    roleChanged: (email: string, role: string) => `${email} is now ${role}.`,

    // Add
    addUser: "Add a user",
    add: "Add user",
    addHint:
      "Viewers see numbers, tags, and comments without names. Admins also manage API keys, tags, people and settings. You get an invite link next, with which the user chooses a password.",
    invalidEmail: (email: string) => `Email: ${email} is not an email address, such as ada@example.com.`,
    emailTakenHere: (email: string) =>
      `Email: a user with the email ${email} already exists. To send another invite link, use New invite link or Reset password in the table.`,
    emailTakenElsewhere: (email: string) =>
      `Email: a user of this service with the email ${email} already exists. An email can belong to one user only.`,
    tooManyTaken: (wait: string) => `Too many emails that are already in use. Try again ${wait}.`,

    // Invite link
    inviteTitle: (email: string) => `Send this invite link to ${email}`,
    inviteIntro:
      "Opening it lets the user choose a password. Do not send it to anyone else: it works once, for seven days, and is not shown again.",
    inviteLabel: "the invite link",
    backToPeople: "Back to people",

    // Reset and remove
    resetPassword: "Reset password",
    newInviteLink: "New invite link",
    resetPasswordOf: (email: string) => `of ${email}`,
    newInviteLinkFor: (email: string) => `for ${email}`,
    resetButton: "Reset password",
    newInviteButton: "Create invite link",
    resetWarning: (email: string) => `The password of ${email} stops working, and all sessions end.`,
    sessionsWarning: (email: string) => `All sessions of ${email} end.`,
    oldLinkWarning: (email: string) => `The previous invite link of ${email} stops working.`,
    resetNext: "You get an invite link for choosing a new password.",
    resetOwn: "Change your own password on the page Your account.",
    remove: "Remove",
    removeWarning: (email: string) =>
      `${email} can no longer sign in and is signed out everywhere. API keys that they created keep working.`,
    removeUser: "Remove user",
    removed: (email: string) => `Removed ${email}.`,
    lastAdmin: (email: string) => `${email} is the last admin. Make another user an admin first.`,
    lastUser: (email: string) =>
      `${email} is the last user. Only the command "email-analytics user delete" can remove the last user.`,
    notFound: "The user does not exist. They may have been removed.",
  },

  sessions: {
    title: "Sessions",
    caption: "Active sessions. Last used is accurate to the hour.",
    user: "User",
    browser: "Browser",
    since: "Signed in",
    lastUsed: "Last used",
    actions: "Actions",
    current: "This session",
    end: "Sign out",
    endOf: (email: string, browser: string) => `Sign out ${email} in ${browser}`,
    more: (count: number) => `And ${format.count(count)} more, used less recently.`,
    ended: "The session has ended.",
    notFound: "The session does not exist. It may have ended.",
  },

  organization: {
    title: "Organization",
    general: "General",
    name: "Name",
    timeZone: "Time zone",
    timeZoneHint: "Times are shown in this time zone, here and in the API. The offsets are those of today.",
    timeZoneRule: "a time zone with an IANA name, such as Europe/Berlin or UTC",
    count: "Counted activity",
    countedTraffic: { people: "Human activity only", all: "All activity, including automated" },
    save: "Save",
    saved: "Saved. The API returns the change immediately.",

    // Auto-close
    autoClose: "Auto-close campaigns",
    autoCloseIntro:
      "The numbers of a closed campaign no longer change, and the data behind them is deleted: later events are not counted, and individual answers and comments are no longer shown.",
    closeAfterDays: "Days until campaigns with named recipients (Individual) close",
    closeNamelessAfterDays: "Days until campaigns without named recipients (Anonymous, Overall) close",
    closeDaysHint: "Counted from sending or registration, whichever is later.",
    fewerDaysHint: "If you choose fewer days, you are asked to confirm before anything is deleted.",
    saveDays: "Save days",
    daysSaved: "Auto-close settings saved.",
    daysRule: "a whole number from 1 to 100000",
    confirmTitle: "Close campaigns sooner?",
    closesNone: "No campaign closes immediately; campaigns will close earlier than before.",
    closesSome: (campaigns: number) =>
      format.countOf(campaigns, {
        one: "# campaign closes within a minute. The data behind its numbers is deleted.",
        other: "# campaigns close within a minute. The data behind their numbers is deleted.",
      }),
    cannotUndo: "You cannot undo this. Raising the number later does not restore deleted data.",
    individual: "Campaigns with named recipients (Individual)",
    nameless: "Campaigns without named recipients (Anonymous, Overall)",
    daysUnchanged: (days: number) => `${format.count(days)} days, unchanged`,
    daysChanged: (days: number, before: number) =>
      `${format.count(days)} days instead of ${format.count(before)}`,
    understand: "I understand that this permanently deletes data",
    closeSooner: "Close campaigns sooner",
    keepDays: "Cancel",
  },

  account: {
    title: "Your account",
    signedInAs: (email: string, role: string, organization: string): Html =>
      html`You are <strong>${email}</strong>, ${role} of ${organization}.`,
    password: "Password",
    noPasswordCompany: "You have no password: you sign in with your company account.",
    noPassword: "You have no password yet.",
    askAdmin: "No password, or forgotten? An admin of your organization can create an invite link for you.",
    askOtherAdmin: (peopleUrl: string, command: string): Html =>
      html`No password, or forgotten? Another admin can create an invite link for you under <a href="${peopleUrl}">People</a>. If you are the only admin, the operator of this service runs <code>${command}</code>: it ends your sessions and prints the link.`,
    currentPassword: "Current password",
    signsOutElsewhere: "You stay signed in here and are signed out everywhere else.",
    changePassword: "Change password",
    passwordChanged: "Your password was changed. You are signed out everywhere else.",
    passwordChangedMeanwhile: "Your password was changed in another session. Sign in again.",
    wrongPassword: "Current password: wrong password. Type it again.",
    sessions: "Your sessions",
    language: "Language",
    browserLanguage: "Language of the browser",
    saveLanguage: "Save language",
    languageSaved: "Language saved.",
    languageRule: (languages: readonly string[]) => `one of ${languages.join(", ")}, or empty`,
  },
});
