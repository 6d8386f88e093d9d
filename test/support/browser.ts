// A real browser, from npm: it asks nobody but the pages that a test opens.

import type { TestContext } from "node:test";
import packed from "@sparticuz/chromium";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { desktopAgent } from "./reading.ts";

const quiet = [
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

let browser: Promise<Browser> | undefined;

/** A window of its own, of a person at a desk; the browser is started once for each test file. */
export async function openBrowser(
  test: TestContext,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<BrowserContext> {
  browser ??= packed
    .executablePath()
    .then((executablePath) => chromium.launch({ executablePath, args: quiet }));
  const context = await (await browser).newContext({ userAgent: desktopAgent, ...options });
  test.after(() => context.close());
  return context;
}

/** To be called when the tests of a file are done. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
}
