// Reads the feed records of a selection, newest first, in batches.

import type { FeedRecord } from "../../campaign/feed/feed-fields.ts";
import { toFeedRecord } from "../../campaign/feed/typed-record.ts";
import { type EmailKey, type EmailSelection, findSelectedRecords } from "../../storage/campaigns/emails.ts";
import type { Scope } from "../../storage/queries/scope.ts";

/** About 256 KB of NDJSON. */
export const recordsPerBatch = 250;

/**
 * @param scope of one snapshot
 * @param range.after starts with the campaign after this one
 * @param range.limit the number of records that the caller reads at most
 */
export async function* readFeed(
  scope: Scope,
  selection: EmailSelection,
  { after, limit = recordsPerBatch }: { after?: EmailKey | undefined; limit?: number | undefined } = {},
): AsyncGenerator<FeedRecord[]> {
  const batchSize = Math.min(limit, recordsPerBatch);
  for (;;) {
    const records = await findSelectedRecords(scope, selection, {
      after,
      limit: batchSize,
    });
    if (records.length > 0) yield records.map(toFeedRecord);
    const last = records.at(-1);
    if (!last || records.length < batchSize) return;
    after = { sentAt: last.sent_at, id: last.id };
  }
}
