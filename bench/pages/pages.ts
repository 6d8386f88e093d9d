// Measures the response times of the web application, with the demo's data and with many campaigns, as ratios to a page of
// 100 of the emails endpoint that the same client reads in the same run.

import { join } from "node:path";
import { openDatabase } from "../../src/storage/open-database.ts";
import { addSession } from "../../src/storage/sessions.ts";
import { addUser } from "../../src/storage/users.ts";
import { programPath, type RunningService, startService, stopService } from "../../verify/support/service.ts";
import { withTemporaryFolder } from "../../verify/support/temporary-folder.ts";
import { makeWorld } from "../read/world.ts";
import { startServer } from "../support/programs.ts";

const requests = 20;
/** In milliseconds. */
const goals = { demo: 50, many: 200 };

/** The pages that read the most data. */
const pages = [
  "/",
  "/?range=all",
  // A year that starts on another day in every request, so that its sums are not cached.
  "/?sent_after=2023-01-{day}&sent_before=2023-12-{day}",
  // All time, also not cached.
  "/?sent_after=1999-01-{day}",
  "/campaigns",
  "/campaigns?page=15",
  "/campaigns?subject=zebra",
  "/campaigns/1001",
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
}

export async function benchPages(records: number): Promise<void> {
  console.log(`Medians and maximums of ${requests} sequential requests\n`);
  const demo = await startServer(programPath, ["demo", "--port", "0", "--json"], { cpu: "server" });
  try {
    await measure("the demo", await visitDemo(demo), goals.demo);
  } finally {
    await stopService(demo);
  }
  await withTemporaryFolder(async (folder) => {
    const world = await makeWorld(`sqlite:${join(folder, "pages.db")}`, programPath, records);
    const cookie = await signIn(world.databaseUrl, world.keys.organizationId);
    const service = await startService(world.databaseUrl);
    try {
      const many = `${world.campaigns.toLocaleString("en")} campaigns`;
      await measure(many, { url: service.url, cookie, key: world.keys.read }, goals.many);
    } finally {
      await stopService(service);
    }
  });
}

/** Signs in with the URL that the demo prints. */
async function visitDemo({
  url,
  printed,
}: RunningService & { printed: Record<string, string> }): Promise<Client> {
  const { headers } = await fetch(printed.sign_in ?? "", { redirect: "manual" });
  return { url, cookie: headers.getSetCookie()[0]?.split(";")[0] ?? "", key: printed.key ?? "" };
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
  const { url, cookie, key } = client;
  const api = await timesOf(`${url}/data_api/v1/emails?per_page=100`, { authorization: `Bearer ${key}` });
  console.log(`${name}: a page of 100 of the emails endpoint ${shown(api)}`);
  for (const path of pages) {
    const times = await timesOf(url + path, { cookie });
    const ratio = (times.median / api.median).toFixed(1).padStart(6);
    const reached = times.median <= goalMs ? "reached" : "not reached";
    console.log(`${ratio} x ${path.padEnd(54)} ${shown(times)}; goal ${goalMs} ms: ${reached}`);
  }
  console.log("");
}

interface Times {
  median: number;
  longest: number;
  bytes: number;
}

async function timesOf(urlPattern: string, headers: Record<string, string>): Promise<Times> {
  const times: number[] = [];
  let bytes = 0;
  for (let time = 0; time <= requests; time++) {
    const day = String(time + 1).padStart(2, "0");
    const startedAt = performance.now();
    const response = await fetch(urlPattern.replaceAll("{day}", day), { headers, redirect: "manual" });
    bytes = (await response.bytes()).length;
    if (response.status !== 200) throw new Error(`${urlPattern}: ${response.status}`);
    // The first request warms up.
    if (time > 0) times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  return { median: times[times.length >> 1] ?? 0, longest: times.at(-1) ?? 0, bytes };
}

function shown({ median, longest, bytes }: Times): string {
  return `${median.toFixed(1)} ms (maximum ${longest.toFixed(1)} ms, ${(bytes / 1000).toFixed(1)} kB)`;
}
