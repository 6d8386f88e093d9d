// A real Chromium from npm. The test files of a process share it. It makes no network requests besides those of the pages
// under test.

import packed from "@sparticuz/chromium";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { desktopAgent } from "./user-agents.ts";
import type { Cleanup } from "./world.ts";

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

/** Returns the path of the program. Unpacks it first if it is not there yet. */
export const unpackBrowser = () => packed.executablePath();

let browser: Promise<Browser> | undefined;

/** Close it when done. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await unpackBrowser(), args: quietFlags });
}

export type WindowOptions = NonNullable<Parameters<Browser["newContext"]>[0]>;

/** Opens an isolated desktop window (cookies and storage of its own) that closes with the test. */
export async function openBrowser(test: Cleanup, options: WindowOptions = {}): Promise<BrowserContext> {
  browser ??= launchBrowser();
  const context = await (await browser).newContext({
    userAgent: desktopAgent,
    // A transition that a further click aborts is an error on the page.
    reducedMotion: "reduce",
    ...options,
  });
  test.after(() => context.close());
  return context;
}

/** Closes the browser of this process. Call it when the tests of a file are done. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
}
