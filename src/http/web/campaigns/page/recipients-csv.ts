// The recipients of a campaign as CSV, read from the database while it is sent.

import {
  type RecipientActivity,
  type RecipientQuery,
  readRecipientActivity,
} from "../../../../listing/reports/recipient-activity.ts";
import { csvFileName } from "../../filters/csv-file-name.ts";
import { csvFile } from "../../frame/csv-file.ts";
import type { FileContent, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { recipientColumns } from "./recipient-columns.ts";

/** All recipients that match, whatever `after` is. */
export function recipientsCsv(
  context: WebContext,
  session: WebSession,
  { campaignId, query }: { campaignId: number; query: RecipientQuery },
): FileContent {
  const file = csvFileName(`recipients-${campaignId}`, { traffic: query.traffic });
  return csvFile(file, recipientColumns(session), recipientBatches(context, session, query));
}

async function* recipientBatches(
  { database, shutdownSignal }: WebContext,
  { organization: { id } }: WebSession,
  query: RecipientQuery,
): AsyncGenerator<RecipientActivity[]> {
  const batches = readRecipientActivity(database, id, { ...query, after: "" }, shutdownSignal);
  for await (const { recipients } of batches) yield recipients;
}
