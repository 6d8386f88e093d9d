// Texts of CSV links.

import { type Html, html } from "../../html.ts";
import { formatCountOf } from "../ui/number-format.ts";

export const csvLinksStrings = {
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
    html`${formatCountOf(count, "more tag")} not listed. The command <code>csv-link add</code> takes any tag.`,
  create: "Create link",
  newTitle: "Your new CSV link",
  copyNow:
    "Copy the link now: it is never shown again. Everyone who has it can read the campaigns, so share the spreadsheet, not the link.",
  label: "the link",
  importData: "Google Sheets",
  done: "I copied the link. Back to all keys",
};
