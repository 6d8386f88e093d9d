// The table of the recipients of a campaign.

import type { RecipientActivity } from "../../../../listing/reports/recipient-activity.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { WebSession } from "../../frame/page.ts";
import { dataTable } from "../../ui/lists/table.ts";
import { noValue, numberOrDash } from "../../ui/numbers/number-or-dash.ts";

export function recipientsTable(
  { locale, organization }: WebSession,
  recipients: readonly RecipientActivity[],
  caption: string,
): Html {
  const { t, format } = locale;
  const none = noValue(locale);
  const names = ["recipient", "opens", "device", "readTime", "clicks", "lastClick", "answers"] as const;
  const titles = names.map((name) => t(`recipients.columns.${name}`));
  const classes = ["text", "number", "", "", "number", "time", "text"];
  const rows = recipients.map((recipient) => {
    const { name, opens, devices, readTime, clicks, lastClickAt } = recipient;
    return [
      html`<bdi>${name}</bdi>`,
      numberOrDash(locale, "count", opens),
      devices.map((each) => t(`recipients.devices.${each}`)).join(", ") || none,
      readTime === null ? none : t(`recipients.readTimes.${readTime}`),
      numberOrDash(locale, "count", clicks),
      lastClickAt === null ? none : format.dateTime(lastClickAt, organization.timeZone),
      recipient.answers.length > 0 ? answersOf(recipient) : none,
    ];
  });
  return dataTable(caption, titles, rows, { classes, isStacked: true, name: t("recipients.caption") });
}

/** The surveys with the answers, one per line. */
function answersOf({ answers }: RecipientActivity): HtmlValue {
  return answers.map(
    ({ surveyId, reaction }, index) =>
      html`${index > 0 && html`<br>`}<span class="soft">${surveyId}:</span> ${reaction}`,
  );
}
