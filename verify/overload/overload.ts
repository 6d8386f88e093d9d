// Offers the service twice as many requests as it can answer, from other processes. It answers nearly as many in time as
// at its peak, refuses the rest, and its health checks stay fast.

import assert from "node:assert/strict";
import { parseReportedCampaign } from "../../src/campaign/reported-campaign.ts";
import { saveReportedCampaigns } from "../../src/counting/campaigns/save-reported-campaigns.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { findOrganization } from "../../src/storage/organizations.ts";
import { generateRecords } from "../../test/support/generated-record.ts";
import {
  type Keys,
  makeOrganization,
  type RunningService,
  registerCampaigns,
  startService,
  stopService,
} from "../../test/support/service-process.ts";
import type { LoadJob, LoadReport } from "./load.ts";
import type { ProbeReport } from "./probe.ts";
import { eventsPerRequest } from "./requests.ts";
import { outputOf, runLoad, startScript } from "./run-load.ts";

export interface OverloadOptions {
  /** A new database. */
  databaseUrl: string;
  /** How long each measurement takes. */
  seconds: number;
  /** The campaigns whose pages are read. */
  records: number;
  /** That the load keeps open. */
  connections: number;
  /** Limit on the good responses per second at twice the peak, as a share of the peak. */
  minGoodput: number;
  /** Limit on the 99th percentile and the longest time of a health check. */
  maxHealthMs: number;
  print: (line: string) => void;
}

const campaigns = 20;
const recordsPerTransaction = 2_000;
/** People wait for pages. Programs and email providers wait at least this long for the answer to their events. */
const deadlinesMs = { pages: 1_000, events: 5_000 } as const;
/** All connections come from this computer. */
const environment = {
  MAX_CONNECTIONS: "5000",
  TRUSTED_PROXIES: "127.0.0.1",
};

/** @throws AssertionError if a limit is exceeded */
export async function verifyOverload(options: OverloadOptions): Promise<void> {
  const { databaseUrl, records } = options;
  const keys = await makeOrganization(databaseUrl);
  await saveRecords(databaseUrl, keys, records);
  const service = await startService(databaseUrl, { environment });
  try {
    await verifyKind(service, { kind: "pages", records }, keys.read, options);
    const counting = await makeOrganization(databaseUrl);
    await registerCampaigns(service.url, counting.ingest, campaigns);
    await verifyKind(service, { kind: "events", campaigns, prefix: "e" }, counting.ingest, options);
  } finally {
    await stopService(service);
  }
}

async function saveRecords(databaseUrl: string, { organizationId }: Keys, records: number): Promise<void> {
  const database = await openDatabase(databaseUrl);
  const reported = [...generateRecords(records)].flatMap(
    (record) => parseReportedCampaign({ ...record, id: campaigns + record.id }, "UTC").reported ?? [],
  );
  for (let start = 0; start < records; start += recordsPerTransaction) {
    await database.transaction(async (queries) => {
      const organization = await findOrganization(queries, organizationId);
      const some = reported.slice(start, start + recordsPerTransaction);
      if (organization) await saveReportedCampaigns(queries, organization, some, Date.now());
    });
  }
  await database.close();
}

async function verifyKind(
  { url }: RunningService,
  requests: LoadJob["requests"],
  key: string,
  { seconds, connections, minGoodput, maxHealthMs, print }: OverloadOptions,
): Promise<void> {
  const deadlineMs = deadlinesMs[requests.kind];
  // A full queue needs some seconds to build up.
  const warmupSeconds = seconds / 4;
  const run = (prefix: string, rate?: number) =>
    runLoad({
      ...{ url, key, seconds, warmupSeconds, deadlineMs, connections },
      requests: requests.kind === "pages" ? requests : { ...requests, prefix },
      ...(rate !== undefined && { rate }),
    });
  const unit = requests.kind === "pages" ? "pages" : `batches of ${eventsPerRequest} events`;
  const closed = await run("a");
  print(`${unit} per second in a closed loop: ${describe(closed)}`);
  const full = await run("b", closed.rates.good);
  print(`at that rate: ${describe(full)}`);
  const stopProbe = await startProbe(url);
  const double = await run("c", 2 * Math.max(closed.rates.good, full.rates.good));
  const health = await stopProbe();
  print(`at twice the peak: ${describe(double)}`);
  const after = await run("d");
  print(`in a closed loop again: ${describe(after)}`);
  // Writing becomes slower while the database grows, so the peak is that of just before and just after.
  const peak = (full.rates.good + after.rates.good) / 2;
  for (const [name, { p99, longest, count }] of Object.entries(health)) {
    print(`${name}: p99 ${p99.toFixed(1)} ms, longest ${longest.toFixed(1)} ms of ${count} requests`);
  }
  print(`goodput at twice the peak: ${(double.rates.good / peak).toFixed(2)} of the peak`);
  assert.ok(
    full.rates.good >= minGoodput * closed.rates.good,
    `goodput falls below ${minGoodput} at the peak rate`,
  );
  assert.ok(double.rates.good >= minGoodput * peak, `goodput falls below ${minGoodput} at twice the peak`);
  const longest = Math.max(health.healthz.longest, health.readyz.longest);
  assert.ok(longest <= maxHealthMs, `a health check took ${longest.toFixed(1)} ms, above ${maxHealthMs}`);
}

function describe({ rates, p50, p99, lateness }: LoadReport): string {
  const { good, refused, late, closed } = rates;
  return (
    `${good.toFixed(0)} in time (p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms), ${refused.toFixed(0)} refused, ` +
    `${late.toFixed(0)} late, ${closed.toFixed(0)} without a response; sent at most ${lateness.toFixed(0)} ms late (p99)`
  );
}

async function startProbe(url: string): Promise<() => Promise<ProbeReport>> {
  const child = startScript("probe.ts", url);
  return async () => {
    child.stdin?.end();
    return JSON.parse(await outputOf(child)) as ProbeReport;
  };
}
