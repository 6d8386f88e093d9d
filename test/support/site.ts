// The web application in a real browser: a served organization, windows of its users, and what they do on pages.

import assert from "node:assert/strict";
import type { BrowserContext, Locator, Page } from "playwright-core";
import type { Role } from "../../src/access/role.ts";
import type { Organization } from "../../src/storage/organizations/organizations.ts";
import { openBrowser, type WindowOptions } from "./browser.ts";
import { makeWebWorld, type WebWorld } from "./web-world.ts";
import type { Cleanup, ServedWith } from "./world.ts";

export interface Site extends WebWorld {
  url: string;
  /** Opens a window without a session. */
  openWindow(options?: WindowOptions): Promise<Page>;
  /** Opens a window in which a new user is signed in. */
  openWindowOf(
    role: Role,
    options?: { email?: string; organization?: Organization } & WindowOptions,
  ): Promise<Page>;
}

/** Script errors, dialogs and CSP violations fail the test at its end. */
export async function openSite(t: Cleanup, options: ServedWith = {}): Promise<Site> {
  let url = "";
  const web = await makeWebWorld(t, { publicUrl: () => url, keyUsageMs: 500, ...options });
  url = web.service.url;
  const errors: string[] = [];
  t.after(() => assert.deepEqual(errors, []));
  const openWindow: Site["openWindow"] = async (options) => openPage(await openBrowser(t, options), errors);
  return {
    ...web,
    url,
    openWindow,
    async openWindowOf(role, { email, organization, ...window } = {}) {
      const user = { ...(email !== undefined && { email }), ...(organization && { organization }) };
      const { secret } = await web.signIn(role, user);
      const page = await openWindow(window);
      // Lax, as the service sets it: browsers would send a cookie without SameSite with some cross-site forms.
      const cookie = { name: "ea_session", value: secret, url, httpOnly: true, sameSite: "Lax" } as const;
      await page.context().addCookies([cookie]);
      return page;
    },
  };
}

async function openPage(context: BrowserContext, errors: string[]): Promise<Page> {
  const page = await context.newPage();
  // Generous, for slow or busy test machines.
  page.setDefaultTimeout(60_000);
  page.on("dialog", async (dialog) => {
    errors.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on("pageerror", (error) => errors.push(`error: ${error.message}`));
  page.on("console", (line) => {
    // The browser logs the status of a rejected form.
    const isStatus = line.text().startsWith("Failed to load resource: the server responded");
    if (line.type() === "error" && !isStatus) errors.push(`console: ${line.text()}`);
  });
  return page;
}

/** The notice of the page, without the invisible marks around names. */
export const noticeOn = async (page: Page) =>
  (await page.locator(".notice").innerText()).replaceAll(/[\u2068\u2069]/g, "");
/** Why the submission was rejected. */
export const problemOn = (page: Page) => page.getByRole("alert").innerText();
export const titleOf = (page: Page) => page.locator("h1").innerText();
export const pathOf = (page: Page) => page.url().replace(/^https?:\/\/[^/]+/, "");
export const press = (page: Page, name: string) =>
  clickAndLoad(page, page.getByRole("button", { name, exact: true }));
export const follow = (page: Page, name: string) =>
  clickAndLoad(page, page.getByRole("link", { name, exact: true }).first());

/** Opens the account menu first, on phones in the main menu. */
export async function signOut(page: Page): Promise<void> {
  const mainMenu = page.locator(".menu-button");
  if (await mainMenu.isVisible()) await mainMenu.click();
  await page.locator(".account summary").click();
  await press(page, "Sign out");
}

/** A click alone waits only until the next page starts to load. */
async function clickAndLoad(page: Page, target: Locator): Promise<void> {
  await target.click();
  await page.waitForLoadState();
}

/** The cells of each row of the first table whose caption contains the text, including collapsed tables. */
export async function rowsOf(page: Page, caption: string): Promise<string[][]> {
  const table = page.locator("table").filter({ has: page.locator("caption", { hasText: caption }) });
  const rows = table.first().locator("tbody tr");
  const texts = await rows.evaluateAll((all) =>
    all.map((row) =>
      Array.from(row.querySelectorAll("th, td"), (cell: { textContent: string }) => cell.textContent),
    ),
  );
  return texts.map((row) => row.map((cell) => cell.replace(/\s+/g, " ").trim()));
}

/** Fills in and submits the sign-in page. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await press(page, "Sign in");
}

export const password = "nine green ships sail";

/** Opens an invite link and chooses the password. */
export async function choosePassword(page: Page, inviteLink: string): Promise<void> {
  await page.goto(inviteLink);
  await page.getByLabel("New password").fill(password);
  await page.getByLabel("Repeat password").fill(password);
  await press(page, "Set password and sign in");
}
