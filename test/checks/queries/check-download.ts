// Compares a download, as DuckDB reads it, with the pages of the same filters, field by field.

import assert from "node:assert/strict";
import type { FeedRecord } from "../../../src/campaign/feed/feed-fields.ts";
import { requestDownload } from "../../support/downloads.ts";
import type { Random } from "../../support/histories.ts";
import type { Service } from "../../support/world.ts";
import type { KnownOrganization } from "./expected-page.ts";
import { localTime } from "./local-time.ts";
import type { ChangingOrganization } from "./random-change.ts";
import { duckDbFormats, readWithDuckDb } from "./read-with-duckdb.ts";

/**
 * @param filters the query string without pages
 * @param emails the records of all pages
 */
export async function checkDownload(
  { service, organization, random }: { service: Service; organization: ChangingOrganization; random: Random },
  filters: string,
  emails: readonly Record<string, unknown>[],
): Promise<void> {
  const format = random.pick(duckDbFormats);
  const url = `${service.url}/data_api/v1/emails.${format}?${filters}`;
  const { status, bytes } = await requestDownload(url, { key: organization.readKey });
  const what = `${format} of ?${filters}`;
  assert.equal(status, 200, what);
  const records = await readWithDuckDb(format, bytes);
  assert.deepEqual(
    records.map(({ id }) => id),
    emails.map(({ id }) => id),
    what,
  );
  for (const [index, email] of emails.entries()) {
    checkRecord(organization, records[index] as FeedRecord, email, what);
  }
}

/** Null replaces 0 or an empty text. What an import did not give is always null. */
function checkRecord(
  { timeZone, campaigns }: KnownOrganization,
  record: FeedRecord,
  email: Record<string, unknown>,
  what: string,
): void {
  const shown = { ...record, sent_at: localTime(Date.parse(record.sent_at), timeZone).text };
  const given = campaigns.get(record.id)?.values;
  for (const [name, value] of Object.entries(email)) {
    const where = `${name} of campaign ${record.id} in ${what}`;
    const inFeed = shown[name as keyof typeof shown];
    if (inFeed === null) assert.ok(value === 0 || value === "", where);
    else assert.deepEqual(inFeed, value, where);
    const isGiven = name === "tags" || !given || !(name in given) || (given[name] ?? null) !== null;
    if (record.kind === "reported" && !isGiven) assert.equal(inFeed, null, where);
  }
}
