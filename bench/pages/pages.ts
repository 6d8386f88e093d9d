// Measures the response times of the web application, with the demo's data and with many campaigns on both databases, as
// ratios to a page of 100 of the emails endpoint that the same client reads in the same run.

import { openDatabase } from "../../src/storage/open-database.ts";
import { addSession } from "../../src/storage/sessions.ts";
import { addUser } from "../../src/storage/users.ts";
import { databaseKinds, withNewDatabase } from "../../verify/support/new-database.ts";
import { programPath, type RunningService, startService, stopService } from "../../verify/support/service.ts";
import { makeWorld } from "../read/world.ts";
import { startServer } from "../support/programs.ts";

const requests = 100;
/** In milliseconds, for the median and for 99 of 100 requests. */
const goals = { demo: 50, many: 200 };

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
  "/settings/integrations/analytics-api",
  "/settings/tags",
  "/settings/people",
  "/settings/account",
  "/sources",
];

interface Client {
  url: string;
  cookie: string;
  key: string;
  /** The id of a campaign: in the demo one with events and answers. */
  campaign: number;
}

export async function benchPages(records: number): Promise<void> {
  console.log(`Medians, 99th percentiles and maximums of ${requests} sequential requests\n`);
  const demo = await startServer(programPath, ["demo", "--port", "0", "--json"], { cpu: "server" });
  try {
    await measure("the demo", await visitDemo(demo), goals.demo);
  } finally {
    await stopService(demo);
  }
  for (const kind of databaseKinds) {
    await withNewDatabase(kind, async (databaseUrl) => {
      const world = await makeWorld(databaseUrl, programPath, records);
      const cookie = await signIn(world.databaseUrl, world.keys.organizationId);
      const service = await startService(world.databaseUrl);
      try {
        const many = `${world.campaigns.toLocaleString("en")} campaigns on ${kind}`;
        await measure(many, { url: service.url, cookie, key: world.keys.read, campaign: 1_001 }, goals.many);
      } finally {
        await stopService(service);
      }
    });
  }
}

/** Signs in with the URL that the demo prints. */
async function visitDemo({
  url,
  printed,
}: RunningService & { printed: Record<string, string> }): Promise<Client> {
  const { headers } = await fetch(printed.sign_in ?? "", { redirect: "manual" });
  return {
    url,
    cookie: headers.getSetCookie()[0]?.split(";")[0] ?? "",
    key: printed.key ?? "",
    campaign: 525,
  };
}

async function signIn(databaseUrl: string, organizationId: number): Promise<string> {
  const database = await openDatabase(databaseUrl);
  const now = Date.now();
  const secret = await database.transaction(async (queries) => {
    const user = await addUser(queries, { organizationId, email: "bench@example.com", role: "admin", now });
    return addSession(queries, user, { client: "bench", now });
  });
  await database.close();
  return `ea_session=${secret}`;
}

async function measure(name: string, client: Client, goalMs: number): Promise<void> {
  const { url, cookie, key, campaign } = client;
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
