// A served organization, and people who walk through its web application in a real browser, for the journeys.

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { BrowserContext, Locator, Page } from "playwright-core";
import type { Role } from "../../src/access/role.ts";
import type { Organization } from "../../src/storage/organizations.ts";
import { openBrowser } from "./browser.ts";
import { makeWebWorld, type WebWorld } from "./visiting.ts";

export interface Site extends WebWorld {
  url: string;
  /** A window of somebody who has not signed in. */
  openWindow(options?: Parameters<typeof openBrowser>[1]): Promise<Page>;
  /** A window of somebody new who has. */
  openWindowOf(
    role: Role,
    options?: { email?: string; organization?: Organization; javaScriptEnabled?: boolean },
  ): Promise<Page>;
}

/** Whatever a page runs that it should not, or its policy stops, is a fault at the end of the test. */
export async function openSite(t: TestContext): Promise<Site> {
  let url = "";
  const visit = await makeWebWorld(t, { publicUrl: () => url });
  url = visit.service.url;
  const faults: string[] = [];
  t.after(() => assert.deepEqual(faults, []));
  const openWindow: Site["openWindow"] = async (options) => watched(await openBrowser(t, options), faults);
  return {
    ...visit,
    url,
    openWindow,
    async openWindowOf(role, { javaScriptEnabled = true, ...who } = {}) {
      const { secret } = await visit.signIn(role, who);
      const page = await openWindow({ javaScriptEnabled });
      // As the service sets it: a cookie without "Lax" would go along with forms of other sites for a while.
      const cookie = { name: "ea_session", value: secret, url, httpOnly: true, sameSite: "Lax" } as const;
      await page.context().addCookies([cookie]);
      return page;
    },
  };
}

async function watched(context: BrowserContext, faults: string[]): Promise<Page> {
  const page = await context.newPage();
  // What is not there by then is missing, also on a machine that is slow or has other things to do.
  page.setDefaultTimeout(60_000);
  page.on("dialog", async (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (line) => {
    // A refused form is a page with a status of its own, and the console tells of it.
    const isStatus = line.text().startsWith("Failed to load resource: the server responded");
    if (line.type() === "error" && !isStatus) faults.push(`console: ${line.text()}`);
  });
  return page;
}

/** What the page says of what was just done, without the marks around names, which nobody sees. */
export const noticeOn = async (page: Page) =>
  (await page.locator(".notice").innerText()).replaceAll(/[\u2068\u2069]/g, "");
/** Why what was sent could not be done. */
export const problemOn = (page: Page) => page.getByRole("alert").innerText();
export const titleOf = (page: Page) => page.locator("h1").innerText();
export const pathOf = (page: Page) => page.url().replace(/^https?:\/\/[^/]+/, "");
export const press = (page: Page, name: string) => led(page, page.getByRole("button", { name, exact: true }));
export const follow = (page: Page, name: string) =>
  led(page, page.getByRole("link", { name, exact: true }).first());

/** A click waits for the beginning of the page that it leads to; what is looked at next may stand at its end. */
async function led(page: Page, by: Locator): Promise<void> {
  await by.click();
  await page.waitForLoadState();
}

/** The cells of each row of the table with a caption that begins so; what is folded away is read as well. */
export async function rowsOf(page: Page, caption: string): Promise<string[][]> {
  const table = page.locator("table").filter({ has: page.locator("caption", { hasText: caption }) });
  const rows = await table.first().locator("tbody tr").all();
  return Promise.all(
    rows.map(async (row) =>
      (await row.locator("th, td").allTextContents()).map((cell) => cell.replace(/\s+/g, " ").trim()),
    ),
  );
}

/** Types what somebody signs in with, and sends it. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await press(page, "Sign in");
}

export const password = "nine green ships sail";

/** Chooses the password at an address that an invitation holds. */
export async function choosePassword(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel("New password").fill(password);
  await page.getByLabel("Repeat password").fill(password);
  await press(page, "Set password and sign in");
}
