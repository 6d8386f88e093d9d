// The recipients of a campaign as CSV, read from the database while it is sent: the columns of the page, and the first click.

import {
  type RecipientActivity,
  type RecipientQuery,
  readRecipientActivity,
} from "../../../listing/reports/recipient-activity.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import type { FileContent, WebSession } from "../page.ts";
import { csvFile, csvTime, csvTitle } from "../ui/csv-file.ts";
import type { WebContext } from "../web-context.ts";

/** All recipients that match, whatever `after` is. */
export function recipientsCsv(
  { database, shutdownSignal }: WebContext,
  session: WebSession,
  { campaignId, query }: { campaignId: number; query: RecipientQuery },
): FileContent {
  const { id } = session.organization;
  const batches = readRecipientActivity(database, id, { ...query, after: "" }, shutdownSignal);
  const file = csvFileName(`recipients-${campaignId}`, { traffic: query.traffic });
  return csvFile(file, headerOf(session), rowBatches(session, batches));
}

function headerOf({ locale, organization: { timeZone } }: WebSession): string[] {
  const { recipient, opens, device, readTime, clicks, firstClick, lastClick, answers } =
    locale.strings.recipients.columns;
  const times = [firstClick, lastClick].map((title) => csvTitle(title, timeZone));
  return [recipient, opens, device, readTime, clicks, ...times, answers];
}

async function* rowBatches(
  session: WebSession,
  batches: AsyncIterable<{ recipients: readonly RecipientActivity[] }>,
): AsyncGenerator<unknown[][]> {
  for await (const { recipients } of batches) yield recipients.map((each) => rowOf(session, each));
}

function rowOf({ locale, organization: { timeZone } }: WebSession, recipient: RecipientActivity): unknown[] {
  const { devices, readTimes } = locale.strings.recipients;
  const answers = recipient.answers.map(({ surveyId, reaction }) => `${surveyId}: ${reaction}`);
  return [
    recipient.name,
    recipient.opens,
    recipient.devices.map((each) => devices[each]).join(", ") || null,
    recipient.readTime === null ? null : readTimes[recipient.readTime],
    recipient.clicks,
    csvTime(recipient.firstClickAt, timeZone),
    csvTime(recipient.lastClickAt, timeZone),
    answers.join("; ") || null,
  ];
}
