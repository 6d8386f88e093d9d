// The set-up page in a real browser: it suggests the time zone, and a list leaves none to mistype.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { findPageProblems } from "../../../support/axe.ts";
import { closeBrowser, openBrowser } from "../../../support/browser.ts";
import { makeWorld, serve } from "../../../support/world.ts";

after(closeBrowser);

test("suggests the time zone of the browser in a list of all", async (t) => {
  const setUpSecret = "5e".repeat(32);
  const world = await makeWorld(t);
  const service = await serve(t, world, { publicUrl: () => "http://127.0.0.1", setUpSecret });
  for (const [timezoneId, shown, width] of [
    ["America/St_Johns", "America/St_Johns", 1280],
    ["Etc/GMT+3", "Etc/GMT+3", 390],
  ] as const) {
    const context = await openBrowser(t, { timezoneId, viewport: { width, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${service.url}/set-up/${setUpSecret}`);
    assert.equal(await page.getByLabel("Time zone").inputValue(), shown);
    assert.deepEqual(await findPageProblems(page), []);
    await page.getByLabel("Time zone").selectOption("Asia/Calcutta, UTC+5:30");
  }
});
