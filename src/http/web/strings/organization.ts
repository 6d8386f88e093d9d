// Texts of the organization page.

import { formatCount, formatCountOf } from "../ui/number-format.ts";

export const organizationStrings = {
  title: "Organization",
  general: "General",
  name: "Name",
  timeZone: "Time zone",
  timeZoneHint: "Times are shown in this time zone, here and in the API.",
  timeZoneRule: "a time zone with an IANA name, such as Europe/Berlin or UTC",
  count: "Counted traffic",
  countedTraffic: { people: "Human activity only", all: "All traffic, including automated activity" },
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
    `${formatCountOf(campaigns, "campaign")} ${campaigns === 1 ? "closes" : "close"} within a minute. The data behind ${campaigns === 1 ? "its" : "their"} numbers is deleted.`,
  cannotUndo: "You cannot undo this. Raising the number later does not restore deleted data.",
  individual: "Campaigns with named recipients (Individual)",
  nameless: "Campaigns without named recipients (Anonymous, Overall)",
  daysUnchanged: (days: number) => `${formatCount(days)} days, unchanged`,
  daysChanged: (days: number, before: number) =>
    `${formatCount(days)} days instead of ${formatCount(before)}`,
  understand: "I understand that this permanently deletes data",
  closeSooner: "Close campaigns sooner",
  keepDays: "Cancel",
};
