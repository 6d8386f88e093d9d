// The page of a new key in a real browser shows the first request of the key in time, also if another process serves it.

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { ConnectTool } from "../../src/http/connect/connect-tool.ts";
import { tools } from "../../src/http/connect/tools.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { startAdminSession } from "../../test/support/admin-session.ts";
import { launchBrowser } from "../../test/support/browser.ts";
import { freePort } from "../../test/support/postgres-server.ts";
import {
  makeOrganization,
  type RunningService,
  registerCampaigns,
  startService,
  stopService,
} from "../../test/support/service-process.ts";
import { withTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { startNginx } from "./nginx.ts";

export interface FirstRequestOptions {
  /** A new database. */
  databaseUrl: string;
  /** With two, one serves the page, and the other one the request. */
  processes: "one" | "two" | "two behind nginx";
  /** The number of tools: a key is created on the page of each. */
  tools: number;
  /** From the answer to the request until the page shows it. */
  maxMs: number;
  print: (line: string) => void;
}

const campaigns = 3;

/** Where the page is, and where the tool sends its request. */
interface Urls {
  web: string;
  api: string;
}

/** @throws AssertionError if the page does not show the request in time */
export async function verifyFirstRequest(options: FirstRequestOptions): Promise<void> {
  const { databaseUrl, processes, print, maxMs } = options;
  const { organizationId, ingest } = await makeOrganization(databaseUrl);
  const cookie = await signIn(databaseUrl, organizationId);
  await withServices(databaseUrl, processes, async ({ web, api }) => {
    await registerCampaigns(web, ingest, campaigns);
    const browser = await launchBrowser();
    try {
      const context = await browser.newContext();
      await context.addCookies([{ name: "ea_session", value: cookie, url: web }]);
      const page = await context.newPage();
      const times: number[] = [];
      const withKeys = tools.filter(({ usesViews }) => !usesViews);
      for (const tool of withKeys.slice(0, options.tools))
        times.push(await measure(page, tool, { web, api }));
      times.sort((a, b) => a - b);
      const [median, longest] = [times[times.length >> 1] ?? 0, times.at(-1) ?? 0];
      print(
        `${processes}: the page showed the first requests of ${times.length} keys after ${median.toFixed(0)} ms (median), at most ${longest.toFixed(0)} ms`,
      );
      assert.ok(longest <= maxMs, `${longest} ms`);
    } finally {
      await browser.close();
    }
  });
}

/** Creates a key on the page of a tool and sends a request with it. @returns milliseconds until the page shows the request */
async function measure(page: Page, { id, name }: ConnectTool, { web, api }: Urls): Promise<number> {
  await page.goto(`${web}/connect/${id}`);
  await page.getByRole("button", { name: `Create key for ${name}` }).click();
  const key = await page.locator("#key").innerText();
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${api}/data_api/v1/emails`, { headers });
  assert.equal(response.status, 200);
  const answered = performance.now();
  await page.getByText(`The first answer had ${campaigns} rows.`).waitFor();
  return performance.now() - answered;
}

async function signIn(databaseUrl: string, organizationId: number): Promise<string> {
  const database = await openDatabase(databaseUrl);
  const { cookie } = await startAdminSession(database, organizationId, "admin@example.com");
  await database.close();
  return cookie.slice(cookie.indexOf("=") + 1);
}

/** Starts the processes, and passes the URLs of the page and of the API. */
async function withServices(
  databaseUrl: string,
  processes: FirstRequestOptions["processes"],
  work: (urls: Urls) => Promise<void>,
): Promise<void> {
  const started: RunningService[] = [];
  const start = async (argv: string[] = [], environment: Record<string, string> = {}) => {
    const service = await startService(databaseUrl, { argv, environment });
    started.push(service);
    return service.url;
  };
  try {
    if (processes === "two behind nginx") {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const environment = { PUBLIC_URL: url, TRUSTED_PROXIES: "127.0.0.1" };
      const api = await start(["--only", "api"], environment);
      const write = await start(["--only", "ingest,web"], environment);
      await withTemporaryFolder(async (folder) => {
        const nginx = await startNginx({ folder, port, api, write });
        await work({ web: url, api: url }).finally(() => nginx.stop());
      });
    } else {
      const web = await start();
      await work({ web, api: processes === "two" ? await start() : web });
    }
  } finally {
    for (const service of started) await stopService(service);
  }
}
