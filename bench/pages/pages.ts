// Measures the response times of the web application, with the demo's data and with many campaigns on both databases, alone
// and while events arrive, as ratios to a page of 100 of the emails endpoint that the same client reads in the same run.

import { join } from "node:path";
import { makeDemoData } from "../../src/cli/demo/demo-server.ts";
import { addApiKey } from "../../src/storage/keys/api-keys.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import type { Database } from "../../src/storage/queries/database.ts";
import { addSession } from "../../src/storage/users/sessions.ts";
import { addUser } from "../../src/storage/users/users.ts";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { programPath } from "../../test/support/program.ts";
import { startService, stopService } from "../../test/support/service-process.ts";
import { withTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { makeWorld } from "../read/world.ts";
import { registerForEvents } from "../support/event-stream.ts";

const requests = 100;
/** No generated campaign has this ID or a higher one. */
const firstFreeCampaign = 10_000_000;
const eventsPerSecond = 1_000;
const demoGoalMs = 50;

/** For 99 of 100 requests. */
function goalOf(campaigns: number): number {
  return campaigns <= 5_000 ? 50 : campaigns <= 20_000 ? 200 : 1_000;
}

/** The pages that read the most data. `{day}` is another day in every request, `{campaign}` a campaign. */
const pages = [
  "/",
  "/?period=12m&compare=year",
  "/?period=all",
  "/?period=all&traffic=all",
  "/?from=2019-01-{day}&until=2023-12-{day}",
  "/campaigns?period=all",
  "/campaigns?period=all&page=15",
  "/campaigns?period=all&sort=open_rate&order=asc",
  "/campaigns?period=all&sort=subject&order=asc&page=7",
  "/campaigns?period=all&sort=devices&rows=100",
  "/campaigns?period=all&q=zebra",
  "/campaigns?period=all&q=a&sort=click_rate",
  "/campaigns/{campaign}",
  "/links?period=all",
  "/comments?period=all",
  "/comments?period=all&rating=low",
  "/settings/integrations/analytics-api",
  "/settings/tags",
  "/settings/people",
  "/settings/account",
  "/sources",
];

/** An organization whose pages are measured. */
interface Visited {
  /** What it has, for the title of the figures. */
  name: string;
  organizationId: number;
  /** The ID of a campaign: in the demo one with events and answers. */
  campaign: number;
  goalMs: number;
}

interface Client extends Visited {
  url: string;
  cookie: string;
  /** A key of the scope `read`. */
  key: string;
}

export async function benchPages(records: number): Promise<void> {
  console.log(`Medians, 99th percentiles and maximums of ${requests} sequential requests\n`);
  for (const kind of ["SQLite", "PostgreSQL"] as const) {
    await withNewDatabase(kind, async (databaseUrl) => {
      const { organizationId } = await withDatabase(databaseUrl, (database) =>
        makeDemoData(database, { region: "local", now: Date.now() }),
      );
      const name = `the demo on ${kind}`;
      await benchOrganization(databaseUrl, { name, organizationId, campaign: 525, goalMs: demoGoalMs });
    });
    await withNewDatabase(kind, async (databaseUrl) => {
      const { campaigns, keys } = await makeWorld(databaseUrl, programPath, records);
      const name = `${campaigns.toLocaleString("en")} campaigns on ${kind}`;
      const { organizationId } = keys;
      const goalMs = goalOf(campaigns);
      await benchOrganization(databaseUrl, { name, organizationId, campaign: 1_001, goalMs });
    });
  }
}

async function benchOrganization(databaseUrl: string, visited: Visited): Promise<void> {
  const { cookie, readKey, ingestKey } = await withDatabase(databaseUrl, (database) =>
    addAccess(database, visited.organizationId),
  );
  const service = await startService(databaseUrl);
  try {
    const client = { ...visited, url: service.url, cookie, key: readKey };
    await measure(client);
    const startEvents = await registerForEvents(service.url, ingestKey, {
      perSecond: eventsPerSecond,
      firstCampaign: firstFreeCampaign,
    });
    const sending = await startEvents();
    const beside = `with ${eventsPerSecond.toLocaleString("en")} events per second`;
    await measure({ ...client, name: `${visited.name}, ${beside}` });
    const { events, seconds } = await sending.end();
    console.log(`The service took ${(events / seconds).toFixed(0)} events per second.\n`);
  } finally {
    await stopService(service);
  }
}

/** Deletes the database after the work. */
async function withNewDatabase(
  kind: "SQLite" | "PostgreSQL",
  work: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  if (kind === "SQLite") return withTemporaryFolder((folder) => work(`sqlite:${join(folder, "bench.db")}`));
  const server = await startPostgres();
  try {
    await work(server.url());
  } finally {
    await server.remove();
  }
}

async function withDatabase<Result>(
  url: string,
  run: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(url);
  return run(database).finally(() => database.close());
}

/** Adds an admin who is signed in, and keys. */
function addAccess(
  database: Database,
  organizationId: number,
): Promise<{ cookie: string; readKey: string; ingestKey: string }> {
  const now = Date.now();
  return database.transactionOf(organizationId, async (scope) => {
    const user = await addUser(scope, { email: "bench@example.com", role: "admin", now });
    const session = await addSession(scope, user, { client: "bench", now });
    const key = { region: "local", now };
    const [read, ingest] = [
      await addApiKey(scope, { ...key, name: "bench read", scope: "read" }),
      await addApiKey(scope, { ...key, name: "bench ingest", scope: "ingest" }),
    ];
    return { cookie: `ea_session=${session}`, readKey: read.text, ingestKey: ingest.text };
  });
}

async function measure({ name, url, cookie, key, campaign, goalMs }: Client): Promise<void> {
  const api = await timesOf(`${url}/data_api/v1/emails?per_page=100`, { authorization: `Bearer ${key}` });
  console.log(`${name}: a page of 100 of the emails endpoint ${shown(api)}`);
  for (const path of pages) {
    const times = await timesOf(url + path.replace("{campaign}", String(campaign)), { cookie });
    const ratio = (times.median / api.median).toFixed(1).padStart(6);
    const reached = times.p99 <= goalMs ? "reached" : "not reached";
    console.log(`${ratio} x ${path.padEnd(56)} ${shown(times)}; goal ${goalMs} ms: ${reached}`);
  }
  console.log("");
}

interface Times {
  median: number;
  p99: number;
  longest: number;
  bytes: number;
}

async function timesOf(urlPattern: string, headers: Record<string, string>): Promise<Times> {
  const times: number[] = [];
  let bytes = 0;
  for (let time = 0; time <= requests; time++) {
    const day = String((time % 28) + 1).padStart(2, "0");
    const startedAt = performance.now();
    const response = await fetch(urlPattern.replaceAll("{day}", day), { headers, redirect: "manual" });
    bytes = (await response.bytes()).length;
    if (response.status !== 200) throw new Error(`${urlPattern}: ${response.status}`);
    // The first request warms up.
    if (time > 0) times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const p99 = times[Math.floor(0.99 * times.length) - 1] ?? 0;
  return { median: times[times.length >> 1] ?? 0, p99, longest: times.at(-1) ?? 0, bytes };
}

function shown({ median, p99, longest, bytes }: Times): string {
  const ms = (time: number) => `${time.toFixed(1)} ms`;
  return `${ms(median)} (p99 ${ms(p99)}, maximum ${ms(longest)}, ${(bytes / 1000).toFixed(1)} kB)`;
}
