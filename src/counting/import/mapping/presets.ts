// The table of exports that imports recognize by their header: which column of which tool is which field. The documentation
// and the tests follow from it.

import { emailRecordFieldNames } from "../../../campaign/email-record-schema.ts";
import type { ImportField } from "../../../campaign/reported-campaign.ts";

/** What rates without a percent sign are: `27.5` or `0.275`. */
export const rateForms = ["percent", "fraction"] as const;
export type RateForm = (typeof rateForms)[number];

export interface ImportPreset {
  tool: string;
  /** Where the names of the columns come from. */
  source: string;
  /** Fields whose columns neither a page nor an export shows: they have the words of the tool's reports or of its API. */
  undocumented: "all" | readonly ImportField[];
  /** A header with all of these columns is an export of the tool. Letter case, spaces and punctuation make no difference. */
  recognizedBy: readonly string[];
  /** The columns of a field; the first that the header has counts. */
  columns: Partial<Record<ImportField, readonly string[]>>;
  /** What rates without a percent sign are. */
  rates: RateForm;
}

/** Columns that have the name of their field, such as Unique Opens. */
const namedAlike = (...fields: ImportField[]): ImportPreset["columns"] =>
  Object.fromEntries(fields.map((field) => [field, [field]]));

const opensAndClicks = [
  ...(["open_rate", "unique_opens", "total_opens"] as const),
  ...(["click_rate", "unique_clicks", "total_clicks"] as const),
];

/**
 * `recipient_count` is the number that a tool divides its rates by, which is that of delivered messages for most, so that
 * pages show the rates of its reports.
 */
export const importPresets: readonly ImportPreset[] = [
  // Klaviyo comes before Mailchimp, whose columns it has too.
  {
    tool: "Klaviyo",
    source: "exports that users published",
    undocumented: [],
    recognizedBy: ["Campaign Name", "Successful Deliveries", "Unique Opens"],
    columns: {
      ...namedAlike("tags", ...opensAndClicks),
      id: ["Campaign ID"],
      subject: ["Subject", "Campaign Name"],
      sent_at: ["Send Date", "Send Time"],
      recipients: ["List"],
      recipient_count: ["Successful Deliveries"],
      sent: ["Total Recipients"],
      delivered: ["Successful Deliveries"],
      bounced: ["Bounces"],
      unsubscribed: ["Unsubscribes"],
      complained: ["Spam Complaints"],
    },
    rates: "percent",
  },
  {
    tool: "Mailchimp",
    source:
      "exports that users published; [its help](https://mailchimp.com/help/about-email-campaign-reports/) defines the numbers",
    undocumented: [],
    recognizedBy: ["Send Date", "Successful Deliveries", "Unique Opens"],
    columns: {
      ...namedAlike(...opensAndClicks),
      id: ["Unique Id"],
      subject: ["Subject", "Title"],
      sent_at: ["Send Date"],
      recipients: ["List", "Audience"],
      recipient_count: ["Successful Deliveries"],
      sent: ["Total Recipients"],
      delivered: ["Successful Deliveries"],
      bounced: ["Total Bounces"],
      bounced_hard: ["Hard Bounces"],
      bounced_soft: ["Soft Bounces"],
      unsubscribed: ["Unsubscribes"],
      complained: ["Abuse Complaints"],
    },
    rates: "percent",
  },
  {
    tool: "Campaign Monitor",
    source: "the summary in its API",
    undocumented: "all",
    recognizedBy: ["Subject", "Recipients", "Unique Opened", "Total Opened"],
    columns: {
      ...namedAlike("open_rate", "click_rate", "bounced", "unsubscribed"),
      id: ["Campaign ID"],
      subject: ["Subject", "Campaign Name", "Name"],
      sent_at: ["Sent Date", "Date Sent", "Sent"],
      sent_from: ["From Email"],
      recipient_count: ["Recipients", "Total Recipients"],
      unique_opens: ["Unique Opened"],
      total_opens: ["Total Opened"],
      unique_clicks: ["Unique Clicks", "Clicked"],
      total_clicks: ["Total Clicks", "Clicks"],
      sent: ["Recipients", "Total Recipients"],
      complained: ["Spam Complaints"],
    },
    rates: "percent",
  },
  {
    tool: "Constant Contact",
    source: "the summary in its API, whose opens and clicks are unique",
    undocumented: "all",
    recognizedBy: ["Campaign Name", "Sends", "Opens", "Clicks", "Bounces"],
    columns: {
      ...namedAlike("open_rate", "click_rate"),
      id: ["Campaign ID"],
      subject: ["Subject", "Subject Line", "Campaign Name"],
      sent_at: ["Last Sent Date", "Time Sent", "Date Sent", "Sent Date"],
      sent_from: ["From Email"],
      recipient_count: ["Sends"],
      unique_opens: ["Opens"],
      unique_clicks: ["Clicks"],
      sent: ["Sends"],
      bounced: ["Bounces"],
      unsubscribed: ["Unsubscribes", "Optouts"],
      complained: ["Abuse"],
    },
    rates: "percent",
  },
  {
    tool: "HubSpot",
    source:
      "exports that users published; [its help](https://knowledge.hubspot.com/articles/kcs_article/email/what-do-my-marketing-email-statistics-mean) defines the numbers",
    undocumented: ["organization_team"],
    recognizedBy: ["Email Name", "Send Date (Your time zone)", "Delivered", "Opened", "Clicked"],
    columns: {
      ...namedAlike("open_rate", "click_rate", "sent", "delivered", "unsubscribed"),
      id: ["All Internal HubSpot IDs", "Internal HubSpot ID"],
      subject: ["Subject", "Email Name"],
      sent_at: ["Send Date (Your time zone)"],
      organization_team: ["Business unit", "Brand"],
      recipient_count: ["Delivered"],
      unique_opens: ["Opened"],
      unique_clicks: ["Clicked"],
      click_per_unique_open_rate: ["Click Through Rate"],
      bounced_hard: ["Hard Bounced"],
      bounced_soft: ["Soft Bounced"],
      complained: ["Spam reports"],
    },
    rates: "percent",
  },
  {
    tool: "Brevo",
    source: "[the statistics in its API](https://developers.brevo.com/reference/get-email-campaign)",
    undocumented: "all",
    recognizedBy: ["Campaign Name", "Subject", "Delivered", "Openers", "Clickers"],
    columns: {
      ...namedAlike("open_rate", "total_opens", "click_rate", "total_clicks", "sent", "delivered"),
      id: ["Campaign ID"],
      subject: ["Subject", "Campaign Name"],
      sent_at: ["Sent Date", "Send Date", "Date Sent"],
      sent_from: ["Sender Email", "From Email"],
      recipients: ["Lists", "List"],
      recipient_count: ["Delivered"],
      unique_opens: ["Openers"],
      unique_clicks: ["Clickers"],
      bounced_hard: ["Hard Bounces"],
      bounced_soft: ["Soft Bounces"],
      unsubscribed: ["Unsubscribed", "Unsubscriptions"],
      complained: ["Complaints"],
    },
    rates: "percent",
  },
  {
    tool: "ContactMonkey",
    source: "the fields of its API, in the words of its dashboard",
    undocumented: "all",
    recognizedBy: ["Subject", "Sent At", "Unique Opens", "Unique Clicks", "Recipient Count"],
    columns: {
      ...namedAlike(...emailRecordFieldNames),
      id: ["ID", "Campaign ID"],
      organization_team: ["Organization Team", "Team"],
    },
    rates: "percent",
  },
  {
    tool: "PoliteMail",
    source:
      "[the fields of its metrics export](https://help.politemail.com/help/what-do-all-of-the-fields-mean-when-i-export-a-metrics-report-to-excel)",
    undocumented: ["open_rate", "unique_opens", "total_opens", "click_rate", "unique_clicks", "total_clicks"],
    recognizedBy: ["SentDate", "ActualSent", "SendMode"],
    columns: {
      ...namedAlike("id", "subject", "open_rate", "unique_opens", "click_rate", "unique_clicks"),
      sent_at: ["SentDate"],
      sent_from: ["From"],
      tracking_type: ["SendMode"],
      recipient_count: ["Sent"],
      total_opens: ["TotalOpens", "Opens"],
      total_clicks: ["TotalClicks", "Clicks"],
      sent: ["ActualSent"],
    },
    rates: "percent",
  },
];
