// Sends randomly changed webhook requests of every provider. The service never fails and never counts wrong.

import assert from "node:assert/strict";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { pino } from "pino";
import { hourMs } from "../../src/campaign/calendar/durations.ts";
import { startWriterThread } from "../../src/counting/writer/writer-thread.ts";
import { buildServer } from "../../src/http/server.ts";
import { providerNames } from "../../src/providers/providers.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { addSource } from "../../src/storage/sources.ts";
import { generateCampaign } from "../../test/support/generated-events.ts";
import { type Keys, makeOrganization, readRecords } from "../../test/support/service-process.ts";
import { run } from "../../test/support/world.ts";
import { providerRequests, snsCertificate } from "./provider-bodies.ts";
import { campaigns, sendProviderRequests } from "./send-provider-requests.ts";

export interface WebhooksOptions {
  folder: string;
  /** Changed requests of each provider. */
  bodies: number;
  print: (line: string) => void;
}

/**
 * @throws AssertionError if a request gets a 5xx, a forged request is accepted, or a number differs from the accepted
 *   events
 */
export async function verifyWebhooks({ folder, bodies, print }: WebhooksOptions): Promise<void> {
  const path = join(folder, "webhooks.db");
  const databaseUrl = `sqlite:${path}`;
  const keys = await makeOrganization(databaseUrl);
  const database = await openDatabase(databaseUrl);
  const service = await startInProcess(database, databaseUrl);
  try {
    await register(service.url, keys);
    let unchanged = { opens: 0, clicks: 0 };
    let accepted = 0;
    for (const provider of providerNames) {
      const source = await database.transaction((queries) =>
        addSource(queries, {
          organizationId: keys.organizationId,
          provider,
          secret: providerRequests[provider].secret,
          campaignField: "campaign_id",
          now: Date.now(),
        }),
      );
      const url = `${service.url}/ingest/v1/webhooks/${source.id}`;
      const outcome = await sendProviderRequests(provider, url, bodies);
      unchanged = { opens: unchanged.opens + outcome.opens, clicks: unchanged.clicks + outcome.clicks };
      accepted += outcome.accepted;
      print(`${provider.padEnd(10)} ${outcome.summary}`);
    }
    assert.deepEqual(service.failures, []);
    const records = await readRecords(service.url, keys.read);
    const { total_opens, total_clicks } = records.get(campaigns.unchanged) ?? {};
    assert.deepEqual({ opens: total_opens, clicks: total_clicks }, unchanged);
    assert.equal(countRows(path, "event_ids"), accepted);
    assert.equal(countStored(path), accepted);
    const recount = await run(databaseUrl, ["recount", "--organization", String(keys.organizationId)]);
    assert.equal(recount.exitCode, 0, recount.stdout + recount.stderr);
    print(
      `${accepted} events were accepted, and each is counted once; ${unchanged.opens} opens and ${unchanged.clicks} clicks are of unchanged requests`,
    );
  } finally {
    await service.stop();
    await database.close();
  }
}

/** Runs the server in this process, so that the test can supply the certificate of SNS. */
async function startInProcess(database: Database, databaseUrl: string) {
  const failures: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => failures.push(line) });
  const writer = startWriterThread({
    databaseUrl,
    maxQueueBytes: 256 * 1024 * 1024,
    maxQuarantined: 100_000_000,
  });
  let url = "";
  const app = await buildServer({
    database,
    writer,
    region: "local",
    publicUrl: () => url,
    indexBytes: 10_000_000,
    downloads: { databaseUrl, maxDownloads: 1, maxSeconds: 600 },
    tracking: { secrets: [], url: () => url, maxOpenReads: 0 },
    log,
    fetchUrl: async () => snsCertificate,
  });
  url = await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    url,
    failures,
    async stop() {
      await app.close();
      await writer.stop();
    },
  };
}

async function register(url: string, keys: Keys): Promise<void> {
  for (const id of Object.values(campaigns)) {
    const response = await fetch(`${url}/ingest/v1/campaigns/${id}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${keys.ingest}`, "content-type": "application/json" },
      body: JSON.stringify({
        ...generateCampaign(1),
        external_id: `campaign-${id}`,
        tracking_type: "Individual",
        sending_type: "Immediate",
        sent_at: new Date(Date.now() - hourMs).toISOString(),
      }),
    });
    assert.equal(response.status, 201, await response.text());
  }
}

function countRows(path: string, table: string): number {
  const sqlite = new Sqlite(path, { readonly: true });
  const rows = sqlite.prepare(`select count(*) from ${table}`).pluck().get() as number;
  sqlite.close();
  return rows;
}

/** The number of events in the stored states of recipients. */
function countStored(path: string): number {
  const sqlite = new Sqlite(path, { readonly: true });
  let events = 0;
  for (const text of sqlite.prepare("select state from recipients").pluck().iterate()) {
    const { opens = {}, clicks = [], moreClicks = {}, readings = {} } = JSON.parse(text as string);
    const counts = [opens, moreClicks, readings].flatMap((each) => Object.values(each) as number[]);
    events += clicks.length + counts.reduce((sum, count) => sum + count, 0);
  }
  sqlite.close();
  return events;
}
