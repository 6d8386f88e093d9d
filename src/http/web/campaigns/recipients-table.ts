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
  const { caption: name, columns } = session.locale.strings.recipients;
  const headers = [
    textColumnHeader(columns.recipient),
    numberColumnHeader(columns.opens),
    columnHeader(columns.device),
    columnHeader(columns.readTime),
    numberColumnHeader(columns.clicks),
    columnHeader(columns.lastClick),
    textColumnHeader(columns.answers),
  ];
  return renderTable(
    caption,
    headers,
    recipients.map((each) => recipientRow(session, each)),
    { isStacked: true, name },
  );
}

function recipientRow({ locale, organization }: WebSession, recipient: RecipientActivity): Html {
  const { columns, devices, readTimes } = locale.strings.recipients;
  const none = noValue(locale);
  const time = (at: number | null) =>
    at === null ? none : locale.format.dateTime(at, organization.timeZone);
  return html`<tr><th scope="row" class="text"><bdi>${recipient.name}</bdi></th>
${numberCell(locale, recipient.opens, columns.opens)}
<td${cellLabel(columns.device)}>${recipient.devices.map((each) => devices[each]).join(", ") || none}</td>
<td${cellLabel(columns.readTime)}>${recipient.readTime === null ? none : readTimes[recipient.readTime]}</td>
${numberCell(locale, recipient.clicks, columns.clicks)}
<td class="time"${cellLabel(columns.lastClick)}>${time(recipient.lastClickAt)}</td>
<td class="text"${cellLabel(columns.answers)}>${recipient.answers.length > 0 ? answersOf(recipient) : none}</td></tr>
`;
}

/** The surveys with the answers, one per line. */
function answersOf({ answers }: RecipientActivity): HtmlValue {
  return answers.map(
    ({ surveyId, reaction }, index) =>
      html`${index > 0 && html`<br>`}<span class="soft">${surveyId}:</span> ${reaction}`,
  );
}
