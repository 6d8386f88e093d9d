// Texts of the overview page.

import { recordFields } from "../../../campaign/record-fields.ts";
import { formatCount, formatCountOf, formatIndex } from "../ui/number-format.ts";

export const overviewStrings = {
  title: "Overview",
  viewCampaigns: "View campaigns",
  noMatches: "No campaigns match these filters. Choose a longer time range or other tags, or",
  viewAll: "view all campaigns",
  campaigns: "Campaigns",
  recipients: recordFields.recipient_count.title,
  openRate: recordFields.open_rate.title,
  clickRate: recordFields.click_rate.title,
  enpsAverage: "Average eNPS rating (0 to 10)",
  ratings: (ratings: number) => formatCountOf(ratings, "rating"),
  index: (index: number, ratings: number) =>
    `eNPS index ${formatIndex(index)}, from ${formatCountOf(ratings, "rating")}, excluding imported campaigns`,
  excluded: (campaigns: number) =>
    `Campaigns excluded from rates because recipients, opens or clicks are missing: ${formatCount(campaigns)}.`,
  humanTraffic: "Only human opens and clicks are counted.",
  allTraffic: "All traffic is counted, including automated activity.",
  scope: (traffic: string, timeZone: string) =>
    `${traffic} Rates are weighted by recipients. Months are in the time zone ${timeZone}.`,

  // Charts
  overTime: "Over time",
  month: "Month",
  year: "Year",
  rates: "Open rate and click rate",
  perMonth: "Campaigns per month",
  perYear: "Campaigns per year",
  devices: "Opens by device",
  readTime: "Read time",
  shares: { desktop: "Desktop", mobile: "Mobile", glanced: "Glanced", skimmed: "Skimmed", read: "Read" },
  total: (shares: readonly string[]) => `Total: ${shares.join(", ")}.`,
  average: "Average",
  enpsIndex: "eNPS index, from −100 to +100",
  indexName: "Index",
  indexNote:
    "The percentage of ratings of 9 and 10, minus the percentage of ratings from 0 to 6. Imported campaigns are excluded: they have only an average rating.",
};
