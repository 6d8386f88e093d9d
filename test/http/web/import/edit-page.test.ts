// Attacks on the pages that change many campaigns: roles, forms of other sites, ids of other organizations, and hostile texts.

import assert from "node:assert/strict";
import { hash } from "node:crypto";
import test, { type TestContext } from "node:test";
import { findCampaignIds, findCampaigns } from "../../../../src/storage/campaigns/campaigns.ts";
import type { Organization } from "../../../../src/storage/organizations/organizations.ts";
import { listRules } from "../../../../src/storage/organizations/rules.ts";
import { addTag, listTags } from "../../../../src/storage/organizations/tags.ts";
import { assertPage } from "../../../support/pages.ts";
import { makeWebWorld } from "../../../support/web-world.ts";
import { campaign } from "../../../support/world.ts";

const editPath = "/campaigns/edit";
const tagsPath = "/settings/tags";
const rule = { field: "subject", text: "campaign", tag: "", team: "HR" };

/** Two organizations, each with a campaign 7, a rule and a tag. */
async function twoOrganizations(t: TestContext) {
  const web = await makeWebWorld(t);
  const { world, organization } = web;
  const { organization: theirs } = await world.addOrganization({ name: "Other" });
  await world.save(organization, [campaign({ id: 7, tags: ["Ours"] })]);
  await world.save(theirs, [campaign({ id: 7, tags: ["Theirs"] }), campaign({ id: 8 })]);
  const [admin, stranger] = [await web.signIn("admin"), await web.signIn("admin", { organization: theirs })];
  for (const client of [admin, stranger])
    assert.equal((await client.post(tagsPath, "add_rule", rule)).status, 303);
  const stateOf = (of: Organization) =>
    world.read(of, async (scope) => [
      await findCampaigns(scope, await findCampaignIds(scope)),
      await listTags(scope),
      await listRules(scope),
    ]);
  return { ...web, theirs, admin, stranger, stateOf };
}

/** What the form says of its campaigns. */
const selectionOf = (...ids: number[]) => hash("sha256", ids.join());

test("viewers and forms without the token change nothing", async (t) => {
  const { service, organization, admin, signIn, stateOf } = await twoOrganizations(t);
  const viewer = await signIn("viewer");
  const before = await stateOf(organization);
  const forms = [
    [`${editPath}?ids=7`, { action: "tag", tag: "X", selection: selectionOf(7) }],
    [`${editPath}?ids=7`, { action: "team", team: "X", selection: selectionOf(7) }],
    [`${editPath}?ids=7`, { action: "delete", selection: selectionOf(7) }],
    [tagsPath, { action: "add_rule", ...rule }],
    [tagsPath, { action: "delete_rule", id: "1" }],
  ] as const;
  assert.equal((await viewer.get(`${editPath}?ids=7`)).status, 403);
  for (const [path, { action, ...fields }] of forms) {
    assert.equal((await viewer.post(path, action, fields)).status, 403, action);
    for (const token of ["", viewer.csrfToken]) {
      const body = new URLSearchParams({ ...fields, action, form_token: token });
      const headers = { cookie: admin.cookie };
      const options = { method: "POST", body, headers, redirect: "manual" } as const;
      const { status } = await fetch(service.url + path, options);
      assert.equal(status, 403, `${action} with the token ${token}`);
    }
  }
  assert.deepEqual(await stateOf(organization), before);
});

test("ids of another organization name nothing", async (t) => {
  const { world, organization, theirs, admin, stranger, stateOf } = await twoOrganizations(t);
  const edited = await stranger.post(`${editPath}?ids=7`, "team", { team: "X", selection: selectionOf(7) });
  const [before, own] = [await stateOf(theirs), await stateOf(organization)];
  assertPage(await admin.get(`${editPath}?ids=8`), 200, /Change 0 campaigns/);
  for (const action of ["tag", "team", "delete"]) {
    const fields = { tag: "Ours", team: "X" };
    assertPage(
      await admin.post(`${editPath}?ids=8`, action, { ...fields, selection: selectionOf(7) }),
      409,
      /0/,
    );
    // Says nothing of what others have.
    assert.equal(
      (await admin.post(`${editPath}?ids=8`, action, { ...fields, selection: selectionOf() })).status,
      303,
    );
  }
  const [theirRule] = await world.read(theirs, listRules);
  const [theirTag] = await world.read(theirs, listTags);
  const id = String(theirRule?.id);
  assert.equal((await admin.get(`${editPath}?rule=${id}`)).status, 404);
  assert.equal(
    (await admin.post(`${editPath}?rule=${id}`, "team", { team: "HR", selection: selectionOf(7) })).status,
    404,
  );
  assert.equal((await admin.post(tagsPath, "delete_rule", { id })).status, 404);
  const untag = { tag_id: String(theirTag?.id), selection: selectionOf(7) };
  assert.equal((await admin.post(`${editPath}?ids=7`, "untag", untag)).status, 400);
  assert.equal((await admin.get(edited.location ?? "")).status, 404);
  assert.equal((await admin.post(edited.location ?? "", "undo")).status, 404);
  assert.deepEqual([await stateOf(theirs), await stateOf(organization)], [before, own]);
});

test("refuses 100,000 ids, and ids that are none", async (t) => {
  const { service, organization, admin, stateOf } = await twoOrganizations(t);
  const before = await stateOf(organization);
  const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `ids=${index + 7}`).join("&");
  assertPage(await admin.get(`${editPath}?${idsOf(1_001)}`), 400, /1,000/);
  assert.equal((await admin.get(`${editPath}?${idsOf(100_000)}`)).status, 431);
  const body = `form_token=${admin.csrfToken}&action=delete&selection=${selectionOf(7)}&${idsOf(100_000)}`;
  const headers = { cookie: admin.cookie, "content-type": "application/x-www-form-urlencoded" };
  const { status } = await fetch(service.url + editPath, { method: "POST", body, headers });
  assert.ok(status >= 400 && status < 500, String(status));
  for (const none of ["7.5", "-7", "0x7", `${2 ** 53}`, "%00", "", "7,8"])
    assertPage(
      await admin.get(`${editPath}?ids=7&ids=${none}`),
      400,
      /ids: &quot;.*&quot;; use a whole number from 1 to/,
    );
  assert.deepEqual(await stateOf(organization), before);
});

test("refuses names that hide, reorder or break text, in every form that takes one", async (t) => {
  const { organization, admin, stateOf } = await twoOrganizations(t);
  const before = await stateOf(organization);
  const hostile = {
    "two lines": "a\nb",
    "4,001 characters": "x".repeat(4_001),
    "201 characters": "x".repeat(201),
    "a direction mark": "a\u202eb",
    "no visible character": "\u200b",
    // A browser sends a lone surrogate as U+FFFD.
    "a lone surrogate": "a\ud800b",
  };
  for (const [what, text] of Object.entries(hostile)) {
    for (const [path, action, fields] of [
      [`${editPath}?ids=7`, "tag", { tag: text, selection: selectionOf(7) }],
      [`${editPath}?ids=7`, "team", { team: text, selection: selectionOf(7) }],
      [tagsPath, "add_rule", { ...rule, text }],
      [tagsPath, "add_rule", { ...rule, team: text }],
      [tagsPath, "add_rule", { ...rule, team: "", tag: text }],
      ["/campaigns/7", "tags", { tag: text }],
    ] as const)
      assert.equal((await admin.post(path, action, fields)).status, 400, `${action} ${what}`);
  }
  const large = { ...rule, text: "x".repeat(65_536) };
  assert.equal((await admin.post(tagsPath, "add_rule", large)).status, 413);
  assert.deepEqual(await stateOf(organization), before);
});

test("takes the text of a rule as it is, also one that looks like a pattern or like HTML", async (t) => {
  const { world, organization, admin } = await twoOrganizations(t);
  const texts = [".*", "(a+)+$", "[a-", "\\d", "%", "_", "'; drop table rules; --", "<b>x</b>"];
  for (const [index, text] of texts.entries()) {
    const tag = await world.write(organization, (scope) =>
      addTag(scope, { name: `Tag ${index}`, color: "#112233" }),
    );
    const added = await admin.post(tagsPath, "add_rule", { ...rule, text, team: "", tag: tag.name });
    assert.equal(added.status, 303, text);
  }
  assertPage(await admin.get(tagsPath), 200, /&lt;b&gt;x&lt;\/b&gt;/);
  const long = `${"a".repeat(50_000)}!`;
  await world.save(organization, [
    campaign({ id: 100, subject: long }),
    ...texts.map((text, index) => campaign({ id: 101 + index, subject: `About ${text.toUpperCase()}` })),
  ]);
  const stored = await world.read(organization, (scope) =>
    findCampaigns(
      scope,
      [100, ...texts.keys()].map((index) => (index === 100 ? 100 : 101 + index)),
    ),
  );
  const tags = stored
    .toSorted((a, b) => a.campaign.id - b.campaign.id)
    .map((each) => each.tags.map(({ name }) => name));
  assert.deepEqual(tags, [[], ...texts.map((_, index) => [`Tag ${index}`])]);
});

test("a list whose filters are too long for its links offers no edit, which would change the usual campaigns", async (t) => {
  const { organization, world, admin } = await twoOrganizations(t);
  const [tag] = await world.read(organization, listTags);
  const offersEdit = async (query: string) => {
    const { text } = await admin.get(`/campaigns?period=all${query}`);
    assert.match(text, /name="ids" value="7"/);
    return text.includes(`formaction="${editPath}"`);
  };
  const unknown = Array.from({ length: 200 }, (_, index) => 1000 + index).join();
  assert.equal(await offersEdit(`&tag_ids=${tag?.id}`), true);
  assert.equal(await offersEdit(`&tag_ids=${tag?.id},${unknown}`), false);
});
