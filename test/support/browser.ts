// A real Chromium from npm. One process serves a whole test run (setup.ts starts it); a test file that runs alone
// starts its own. It makes no network requests besides those of the pages under test.

import packed from "@sparticuz/chromium";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { desktopAgent } from "./user-agents.ts";
import type { Cleanup } from "./world.ts";

/** The WebSocket endpoint of the shared browser, for all processes of a test run. */
export const browserVariable = "TEST_BROWSER";

const quietFlags = [
  "--no-sandbox",
  "--no-zygote",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-domain-reliability",
  "--no-first-run",
  "--no-pings",
];

/** Unpacks and starts Chromium for other processes to connect to. */
export async function startSharedBrowser(): Promise<{ endpoint: string; close(): Promise<void> }> {
  const executablePath = await packed.executablePath();
  const server = await chromium.launchServer({ executablePath, args: quietFlags });
  return { endpoint: server.wsEndpoint(), close: () => server.close() };
}

let browser: Promise<Browser> | undefined;

/** The shared browser, or one of its own. Close it when done. */
export async function connectBrowser(): Promise<Browser> {
  const endpoint = process.env[browserVariable];
  if (endpoint) return chromium.connect(endpoint);
  return chromium.launch({ executablePath: await packed.executablePath(), args: quietFlags });
}

export type WindowOptions = NonNullable<Parameters<Browser["newContext"]>[0]>;

/** Opens an isolated desktop window (cookies and storage of its own) that closes with the test. */
export async function openBrowser(test: Cleanup, options: WindowOptions = {}): Promise<BrowserContext> {
  browser ??= connectBrowser();
  const context = await (await browser).newContext({
    userAgent: desktopAgent,
    // A transition that a further click aborts is an error on the page.
    reducedMotion: "reduce",
    ...options,
  });
  test.after(() => context.close());
  return context;
}

/** Closes this file's connection, or its own browser. Call it when the tests of a file are done. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
}
