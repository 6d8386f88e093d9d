// The table of exports that imports recognize by their header: which column of which tool is which field. The documentation
// and the tests follow from it.

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
      id: ["Campaign ID"],
      subject: ["Subject", "Campaign Name"],
      sent_at: ["Send Date", "Send Time"],
      recipients: ["List"],
      tags: ["Tags"],
      recipient_count: ["Successful Deliveries"],
      open_rate: ["Open Rate"],
      unique_opens: ["Unique Opens"],
      total_opens: ["Total Opens"],
      click_rate: ["Click Rate"],
      unique_clicks: ["Unique Clicks"],
      total_clicks: ["Total Clicks"],
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
      id: ["Unique Id"],
      subject: ["Subject", "Title"],
      sent_at: ["Send Date"],
      recipients: ["List", "Audience"],
      recipient_count: ["Successful Deliveries"],
      open_rate: ["Open Rate"],
      unique_opens: ["Unique Opens"],
      total_opens: ["Total Opens"],
      click_rate: ["Click Rate"],
      unique_clicks: ["Unique Clicks"],
      total_clicks: ["Total Clicks"],
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
      id: ["Campaign ID"],
      subject: ["Subject", "Campaign Name", "Name"],
      sent_at: ["Sent Date", "Date Sent", "Sent"],
      sent_from: ["From Email"],
      recipient_count: ["Recipients", "Total Recipients"],
      open_rate: ["Open Rate"],
      unique_opens: ["Unique Opened"],
      total_opens: ["Total Opened"],
      click_rate: ["Click Rate"],
      unique_clicks: ["Unique Clicks", "Clicked"],
      total_clicks: ["Total Clicks", "Clicks"],
      sent: ["Recipients", "Total Recipients"],
      bounced: ["Bounced"],
      unsubscribed: ["Unsubscribed"],
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
      id: ["Campaign ID"],
      subject: ["Subject", "Subject Line", "Campaign Name"],
      sent_at: ["Last Sent Date", "Time Sent", "Date Sent", "Sent Date"],
      sent_from: ["From Email"],
      recipient_count: ["Sends"],
      open_rate: ["Open Rate"],
      unique_opens: ["Opens"],
      click_rate: ["Click Rate"],
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
      id: ["All Internal HubSpot IDs", "Internal HubSpot ID"],
      subject: ["Subject", "Email Name"],
      sent_at: ["Send Date (Your time zone)"],
      organization_team: ["Business unit", "Brand"],
      recipient_count: ["Delivered"],
      open_rate: ["Open Rate"],
      unique_opens: ["Opened"],
      click_rate: ["Click Rate"],
      unique_clicks: ["Clicked"],
      click_per_unique_open_rate: ["Click Through Rate"],
      sent: ["Sent"],
      delivered: ["Delivered"],
      bounced_hard: ["Hard Bounced"],
      bounced_soft: ["Soft Bounced"],
      unsubscribed: ["Unsubscribed"],
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
      id: ["Campaign ID"],
      subject: ["Subject", "Campaign Name"],
      sent_at: ["Sent Date", "Send Date", "Date Sent"],
      sent_from: ["Sender Email", "From Email"],
      recipients: ["Lists", "List"],
      recipient_count: ["Delivered"],
      open_rate: ["Open Rate"],
      unique_opens: ["Openers"],
      total_opens: ["Total Opens"],
      click_rate: ["Click Rate"],
      unique_clicks: ["Clickers"],
      total_clicks: ["Total Clicks"],
      sent: ["Sent"],
      delivered: ["Delivered"],
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
      id: ["ID", "Campaign ID"],
      subject: ["Subject"],
      sent_at: ["Sent At"],
      sent_from: ["Sent From"],
      organization_team: ["Organization Team", "Team"],
      sending_type: ["Sending Type"],
      tracking_type: ["Tracking Type"],
      open_rate: ["Open Rate"],
      click_rate: ["Click Rate"],
      unique_opens: ["Unique Opens"],
      multiple_opens: ["Multiple Opens"],
      unopened: ["Unopened"],
      total_opens: ["Total Opens"],
      unique_clicks: ["Unique Clicks"],
      multiple_clicks: ["Multiple Clicks"],
      total_clicks: ["Total Clicks"],
      click_per_unique_open_rate: ["Click Per Unique Open Rate"],
      desktop_open_rate: ["Desktop Open Rate"],
      mobile_open_rate: ["Mobile Open Rate"],
      tags: ["Tags"],
      recipient_count: ["Recipient Count"],
      recipients: ["Recipients"],
      read_time_glanced: ["Read Time Glanced"],
      read_time_skimmed: ["Read Time Skimmed"],
      read_time_read: ["Read Time Read"],
      surveys_count: ["Surveys Count"],
      enps_score_average: ["eNPS Score Average"],
      enps_reactions_count: ["eNPS Reactions Count"],
      enps_comments_count: ["eNPS Comments Count"],
      survey_reactions_count: ["Survey Reactions Count"],
      survey_reactions_comments_count: ["Survey Reactions Comments Count"],
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
      id: ["ID"],
      subject: ["Subject"],
      sent_at: ["SentDate"],
      sent_from: ["From"],
      tracking_type: ["SendMode"],
      recipient_count: ["Sent"],
      open_rate: ["OpenRate"],
      unique_opens: ["UniqueOpens"],
      total_opens: ["TotalOpens", "Opens"],
      click_rate: ["ClickRate"],
      unique_clicks: ["UniqueClicks"],
      total_clicks: ["TotalClicks", "Clicks"],
      sent: ["ActualSent"],
    },
    rates: "percent",
  },
];
