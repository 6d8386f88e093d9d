// The recipients of a campaign as CSV, read from the database while it is sent: the columns of the page, and the first click.

import {
  type RecipientActivity,
  type RecipientQuery,
  readRecipientActivity,
} from "../../../../listing/reports/recipient-activity.ts";
import { csvFileName } from "../../filters/csv-file-name.ts";
import { csvFile, csvTime, csvTitle } from "../../frame/csv-file.ts";
import type { FileContent, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";

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
  const times = [locale.t("recipients.columns.firstClick"), locale.t("recipients.columns.lastClick")].map(
    (title) => csvTitle(title, timeZone),
  );
  return [
    locale.t("recipients.columns.recipient"),
    locale.t("recipients.columns.opens"),
    locale.t("recipients.columns.device"),
    locale.t("recipients.columns.readTime"),
    locale.t("recipients.columns.clicks"),
    ...times,
    locale.t("recipients.columns.answers"),
  ];
}

async function* rowBatches(
  session: WebSession,
  batches: AsyncIterable<{ recipients: readonly RecipientActivity[] }>,
): AsyncGenerator<unknown[][]> {
  for await (const { recipients } of batches) yield recipients.map((each) => rowOf(session, each));
}

function rowOf({ locale, organization: { timeZone } }: WebSession, recipient: RecipientActivity): unknown[] {
  const answers = recipient.answers.map(({ surveyId, reaction }) => `${surveyId}: ${reaction}`);
  return [
    recipient.name,
    recipient.opens,
    recipient.devices.map((each) => locale.t(`recipients.devices.${each}`)).join(", ") || null,
    recipient.readTime === null ? null : locale.t(`recipients.readTimes.${recipient.readTime}`),
    recipient.clicks,
    csvTime(recipient.firstClickAt, timeZone),
    csvTime(recipient.lastClickAt, timeZone),
    answers.join("; ") || null,
  ];
}
