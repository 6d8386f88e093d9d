// Texts that all pages share: navigation, errors, forms, lists and charts.

import { formatCount, formatCountOf } from "../ui/number-format.ts";

export const uiStrings = {
  // Layout
  skipLink: "Skip to main content",
  problemTitle: (title: string) => `Error: ${title}`,
  navigation: "Main",
  overview: "Overview",
  campaigns: "Campaigns",
  connect: "Connect",
  sources: "Sources",
  settings: "Settings",
  settingsIntegrations: "Settings › Integrations",
  analyticsApi: "Analytics API",
  tags: "Tags",
  people: "People",
  organization: "Organization",
  signOut: "Sign out",

  // Errors
  forbiddenTitle: "You need the Admin role",
  forbiddenFormTitle: "Your changes were not saved",
  notFoundTitle: "Page not found",
  tooManyRequestsTitle: "Too many attempts",
  errorTitle: "Something went wrong",
  forbidden: "You do not have permission to do this. Ask an admin of your organization.",
  notFound: "The URL is wrong, or the page was removed.",
  internalError:
    "An unexpected error occurred. The operator of this service can find the cause in the log. Give them the request ID.",
  requestId: (id: string) => `Request ID: ${id}`,
  goToOverview: "Go to the overview",
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
  fieldRejected: (label: string, value: string, accepted: string) => `${label}: ${value} is not ${accepted}.`,
  nameRule: (accepted: string) => `accepted: a name has ${accepted}`,
  oneOf: (values: readonly string[]) => `one of ${values.join(", ")}`,
  copy: "Copy",
  copied: "Copied",
  copyByHand: "Selected. Press Ctrl+C to copy.",
  copyLabel: (what: string) => `Copy ${what}`,

  // Browsers and waits
  unknownBrowser: "Unknown browser",
  browserOnSystem: (browser: string, system: string | undefined) =>
    system === undefined ? browser : `${browser} on ${system}`,
  inSeconds: (seconds: number) => `in ${formatCountOf(seconds, "second")}`,
  inMinutes: (minutes: number) => `in ${formatCountOf(minutes, "minute")}`,

  // Lists
  previousPage: "Previous page",
  nextPage: "Next page",
  paginationLabel: (what: string) => `More ${what}`,
  itemRange: (first: number, last: number, total: number) =>
    `${formatCount(first)} to ${formatCount(last)} of ${formatCount(total)}`,

  // Charts
  noData: "No data yet.",
  chartRegion: (title: string) => `${title}: chart`,
  chartKinds: { lines: "Line chart", columns: "Column chart", stacked: "Stacked column chart" },
  chartDescription: ({ title, kind, xTitle, span, ranges }: ChartDescription) =>
    `${title}. ${kind} by ${xTitle.toLowerCase()}${span}. ${ranges.join(" ")} The table below has all the numbers.`,
  fromTo: (first: string, last: string) => `, from ${first} to ${last}`,
  seriesWithoutData: (name: string) => `${name}: no data.`,
  seriesValue: (name: string, value: string) => `${name}: ${value}.`,
  seriesRange: (name: string, low: string, high: string) => `${name}: between ${low} and ${high}.`,
  pointLabel: (label: string, name: string, value: string) => `${label}, ${name}: ${value}`,
  showTable: "View as table",
  tableRegion: (title: string) => `${title}: table`,
};

interface ChartDescription {
  title: string;
  kind: string;
  xTitle: string;
  /** The first and the last label, with a leading comma. */
  span: string;
  ranges: readonly string[];
}
