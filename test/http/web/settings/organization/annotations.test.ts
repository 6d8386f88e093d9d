// Annotations: admins add and delete them, and the chart of the overview shows them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertPage } from "../../../../support/pages.ts";
import { makeWebWorld } from "../../../../support/web-world.ts";
import { campaign } from "../../../../support/world.ts";

test("shows what admins noted on the chart and in its table, and nothing of other organizations", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  const { organization: other } = await world.addOrganization();
  for (const each of [organization, other])
    await world.save(each, [campaign({ id: each.id, sentAt: world.clock.now - 10 * 86_400_000 })]);
  const [admin, viewer] = [await signIn("admin"), await signIn("viewer")];
  const stranger = await signIn("viewer", { organization: other });
  const page = "/settings/annotations";
  assert.equal((await viewer.get(page)).status, 403);
  const add = (day: string, text: string) => admin.post(page, "add", { day, text });
  const refused = await add("2026-02-30", "New intranet");
  assertPage(refused, 400, /id="day_problem">.*is not a date such as 2025-01-31/);
  assert.match(
    (await add("2026-06-05", "x".repeat(41))).text,
    /id="text_problem">.*is not a text of 1 to 40 characters/,
  );
  assert.equal((await add("2026-06-05", " <b>New intranet ")).notice, "Added the annotation.");
  const shown = await viewer.read("/?period=month");
  assert.match(shown, /<text class="annotation" [^>]*>&lt;b&gt;New intranet<\/text>/);
  assert.match(shown, /<th scope="row"><a [^>]*>Jun 1.–.7, 2026 · &lt;b&gt;New intranet<\/a><\/th>/);
  assert.doesNotMatch(await viewer.read("/?from=2026-06-06&until=2026-06-15"), /New intranet/);
  assert.doesNotMatch(await stranger.read("/?period=month"), /New intranet/);
  const fields = { day: "2026-06-05", text: "<b>New intranet" };
  assert.equal((await admin.post(page, "delete", fields)).notice, "Deleted the annotation.");
  assert.equal((await admin.post(page, "delete", fields)).status, 404);
  assert.doesNotMatch(await viewer.read("/?period=month"), /New intranet/);
});
