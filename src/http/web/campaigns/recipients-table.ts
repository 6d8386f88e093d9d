// The table of the recipients of a campaign.

import type { RecipientActivity } from "../../../listing/reports/recipient-activity.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { WebSession } from "../page.ts";
import { noValue } from "../ui/number-or-dash.ts";
import {
  cellLabel,
  columnHeader,
  numberCell,
  numberColumnHeader,
  renderTable,
  textColumnHeader,
} from "../ui/table.ts";

export function recipientsTable(
  session: WebSession,
  recipients: readonly RecipientActivity[],
  caption: string,
): Html {
  const headers = [
    textColumnHeader(session.locale.t("recipients.columns.recipient")),
    numberColumnHeader(session.locale.t("recipients.columns.opens")),
    columnHeader(session.locale.t("recipients.columns.device")),
    columnHeader(session.locale.t("recipients.columns.readTime")),
    numberColumnHeader(session.locale.t("recipients.columns.clicks")),
    columnHeader(session.locale.t("recipients.columns.lastClick")),
    textColumnHeader(session.locale.t("recipients.columns.answers")),
  ];
  return renderTable(
    caption,
    headers,
    recipients.map((each) => recipientRow(session, each)),
    { isStacked: true, name: session.locale.t("recipients.caption") },
  );
}

function recipientRow({ locale, organization }: WebSession, recipient: RecipientActivity): Html {
  const none = noValue(locale);
  const time = (at: number | null) =>
    at === null ? none : locale.format.dateTime(at, organization.timeZone);
  return html`<tr><th scope="row" class="text"><bdi>${recipient.name}</bdi></th>
${numberCell(locale, recipient.opens, locale.t("recipients.columns.opens"))}
<td${cellLabel(locale.t("recipients.columns.device"))}>${recipient.devices.map((each) => locale.t(`recipients.devices.${each}`)).join(", ") || none}</td>
<td${cellLabel(locale.t("recipients.columns.readTime"))}>${recipient.readTime === null ? none : locale.t(`recipients.readTimes.${recipient.readTime}`)}</td>
${numberCell(locale, recipient.clicks, locale.t("recipients.columns.clicks"))}
<td class="time"${cellLabel(locale.t("recipients.columns.lastClick"))}>${time(recipient.lastClickAt)}</td>
<td class="text"${cellLabel(locale.t("recipients.columns.answers"))}>${recipient.answers.length > 0 ? answersOf(recipient) : none}</td></tr>
`;
}

/** The surveys with the answers, one per line. */
function answersOf({ answers }: RecipientActivity): HtmlValue {
  return answers.map(
    ({ surveyId, reaction }, index) =>
      html`${index > 0 && html`<br>`}<span class="soft">${surveyId}:</span> ${reaction}`,
  );
}
