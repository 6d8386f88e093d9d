// The pages of tags: permissions, changes, and what the API returns afterwards.

import assert from "node:assert/strict";
import test from "node:test";
import { quoteName } from "../../../../../src/campaign/fields/names.ts";
import { countCampaignsOfTags } from "../../../../../src/storage/campaigns/campaign-tags.ts";
import { listRules } from "../../../../../src/storage/organizations/rules.ts";
import { addTag, listTags } from "../../../../../src/storage/organizations/tags.ts";
import { actionsOf } from "../../../../support/audit.ts";
import { assertMatches, assertPage, textOf } from "../../../../support/pages.ts";
import { makeWebWorld, makeWebWorldOf, type WebWorld } from "../../../../support/web-world.ts";
import { campaign } from "../../../../support/world.ts";

const path = "/settings/tags";

const tagsOf = ({ world, organization }: WebWorld) => world.database.snapshotOf(organization.id, listTags);

const tagsInApi = async ({ service, key }: WebWorld) =>
  (await service.emails(key)).emails.map(({ tags }) => tags);

test("shows a tag that an admin adds, renames, recolors or deletes in the next API response", async (t) => {
  const given = await makeWebWorldOf("admin", t);
  const { world, organization, service, key, admin } = given;
  const added = await admin.post(path, "add", { name: " News ", color: "#4e79a7" });
  const notice = `Added the tag ${quoteName("News")}.`;
  assert.deepEqual([added.status, added.location, added.notice], [303, path, notice]);
  const [tag] = await tagsOf(given);
  assert.ok(tag);
  assert.deepEqual([tag.name, tag.color], ["News", "#4E79A7"]);
  const page = `${path}/${tag.id}`;
  // The page counts what feeds have, so not the campaign that is scheduled.
  await world.save(
    organization,
    [1, 2, 3].map((id) => campaign({ id, tags: ["News"], ...(id === 3 && { sentAt: world.clock.now + 1 }) })),
  );
  assert.deepEqual((await tagsInApi(given))[0], [{ name: "News", color: "#4E79A7" }]);
  const list = await admin.read(path);
  assertMatches(list, [
    new RegExp(`<code>${tag.id}</code>`),
    /fill="#4E79A7"/,
    /<td class="number"[^>]*>2<\/td>/,
    new RegExp(`href="${page}"`),
  ]);

  const shown = (shown_name: string, shown_color: string) => ({ shown_name, shown_color });
  for (const [name, color, inApi, before] of [
    ["Latest", "#4e79a7", { name: "Latest", color: "#4E79A7" }],
    ["Latest", "#112233", { name: "Latest", color: "#112233" }],
    // A page that was loaded before the color changed, on which only the name is edited.
    ["Newest", "#4e79a7", { name: "Newest", color: "#112233" }, shown("Latest", "#4e79a7")],
    ["NEWEST", "#112233", { name: "NEWEST", color: "#112233" }, shown("Newest", "#112233")],
    ["Newest", "#112233", { name: "Newest", color: "#112233" }, shown("NEWEST", "#112233")],
  ] as const) {
    const changed = await admin.post(page, "change", { name, color, ...before });
    assert.deepEqual([changed.status, changed.location], [303, path]);
    assert.deepEqual((await tagsInApi(given))[0], [inApi]);
  }
  assert.match(await admin.read(page), /name="shown_name" value="Newest"/);
  const other = { name: "Other", color: "#ffffff", ...shown("Latest", "#4e79a7") };
  const lost = await admin.post(page, "change", other);
  assertPage(lost, 409, /&quot;Newest&quot; meanwhile.*by &quot;Other&quot;/);
  assert.equal((await service.emails(key, `?tag_ids=${tag.id}`)).emails.length, 2);

  assert.match(await admin.read(page), /3 campaigns lose this tag/);
  const deleted = await admin.post(page, "delete");
  assert.deepEqual([deleted.status, deleted.notice], [303, `Deleted the tag ${quoteName("Newest")}.`]);
  assert.deepEqual(await tagsInApi(given), [[], []]);
  assert.equal((await service.emails(key, `?tag_ids=${tag.id}`)).emails.length, 0);
  assert.deepEqual(await tagsOf(given), []);
  assert.equal((await admin.get(page)).status, 404);
  assert.equal((await admin.post(page, "delete")).status, 404);
});

test("says how many rules are deleted with a tag, and logs each", async (t) => {
  const { world, organization, admin } = await makeWebWorldOf("admin", t);
  const [tag, other] = await world.database.transactionOf(organization.id, async (scope) => [
    await addTag(scope, { name: "News", color: "#4E79A7" }),
    await addTag(scope, { name: "Other", color: "#4E79A7" }),
  ]);
  const page = `${path}/${tag?.id}`;
  assert.doesNotMatch(await admin.read(page), /rules? that give/);
  for (const [text, name] of [
    ["news", "News"],
    ["digest", "News"],
    ["memo", "Other"],
  ] as const)
    await admin.post(path, "add_rule", { field: "subject", text, tag: name });
  assert.match(await admin.read(page), /No campaign has this tag\. 2 rules that give it are deleted, too\./);
  const before = await actionsOf(world, organization.id);
  await admin.post(page, "delete");
  const [deletion, ...deleted] = (await actionsOf(world, organization.id)).slice(0, -before.length);
  assert.equal(deletion, `${admin.user.email}, tag.delete, News`);
  assert.deepEqual(
    deleted.sort(),
    ["digest", "news"].map((text) => `${admin.user.email}, rule.delete, subject: ${quoteName(text)}`),
  );
  const rules = await world.database.snapshotOf(organization.id, (scope) => listRules(scope));
  assert.deepEqual(
    rules.map(({ tagId }) => tagId),
    [other?.id],
  );
});

test("shows viewers the tags with their ids, and no form", async (t) => {
  const { world, organization, viewer } = await makeWebWorldOf("viewer", t);
  await world.database.transactionOf(organization.id, (scope) =>
    addTag(scope, { name: "News", color: "#4E79A7" }),
  );
  const text = await viewer.read(path);
  assert.match(text, /News/);
  assert.doesNotMatch(text, /Add a tag|>Edit</);
});

test("rejects an invalid color and an invalid or taken name of a tag, and keeps the input", async (t) => {
  const given = await makeWebWorld(t);
  const admin = await given.signIn("admin");
  await admin.post(path, "add", { name: "News", color: "#4e79a7" });
  await admin.post(path, "add", { name: "Café", color: "#4e79a7" });
  const [cafe, news] = await tagsOf(given);
  const black = "#000000";
  for (const [name, color, status, problem] of [
    [" ", black, 400, 'Name: "" is not accepted: a name has 1 to 200 characters'],
    ["x".repeat(201), black, 400, "Name: "],
    ["over \u202egnp", black, 400, "marks that change the text direction"],
    ["two\nlines", black, 400, 'Name: "two\\nlines"'],
    ["Sale <b>", "red", 400, 'Color: "red" is not a color of the form #RRGGBB'],
    ["News", black, 409, `Name: the tag with the ID ${news?.id} already has the name \u2068"News"\u2069`],
    ["nEWS", black, 409, 'already has the name \u2068"News"\u2069'],
    // The same name in decomposed form.
    ["Cafe\u0301", black, 409, "already has the name"],
  ] as const) {
    const seen = await admin.post(path, "add", { name, color });
    assert.equal(seen.status, status, name);
    assert.ok(textOf(seen.text).includes(problem), `${name}: ${seen.text}`);
    assert.match(seen.text, /role="alert"/);
    const field = color === "red" ? "color" : "name";
    const marked = /<input id="(\w+)" name="\w+" aria-describedby="(\w+)" aria-invalid="true" autofocus/;
    assert.deepEqual(marked.exec(seen.text)?.slice(1), [field, `${field}_problem`]);
    assert.equal(seen.text.split('aria-invalid="true"').length, 2, "no other field");
  }
  const again = await admin.post(path, "add", { name: 'Sale <b> "x"', color: "red" });
  assert.match(again.text, /value="Sale &lt;b&gt; &quot;x&quot;"/);
  const taken = await admin.post(`${path}/${cafe?.id}`, "change", { name: "News", color: "#4e79a7" });
  assertPage(taken, 409, /value="News"/);
  assert.equal((await tagsOf(given)).length, 2);
});

test("keeps the spelling of an unchanged tag, and raises no revision when nothing changes", async (t) => {
  const given = await makeWebWorldOf("admin", t);
  const { world, organization, service, key, admin } = given;
  const name = "Cafe\u0301 👩🏽‍💻 ‮x";
  const tag = await world.database.transactionOf(organization.id, (scope) =>
    addTag(scope, { name, color: "#4E79A7" }),
  );
  const etag = async () => (await service.get("/data_api/v1/emails", { key })).headers.get("etag");
  const before = await etag();
  // Browsers send a color in lower case.
  assert.equal((await admin.post(`${path}/${tag.id}`, "change", { name, color: "#4e79a7" })).status, 303);
  assert.deepEqual(await tagsOf(given), [tag]);
  assert.equal(await etag(), before);
  await admin.post(`${path}/${tag.id}`, "change", { name, color: "#000000" });
  assert.deepEqual(await tagsOf(given), [{ ...tag, color: "#000000" }]);
});

test("offers each color of the palette before one a second time", async (t) => {
  const { admin } = await makeWebWorldOf("admin", t);
  const offered = async () =>
    /<input id="color"[^>]* value="([^"]*)"/.exec(await admin.read(path))?.[1] ?? "";
  const colors: string[] = [];
  for (let number = 0; number < 11; number++) {
    const color = await offered();
    colors.push(color);
    await admin.post(path, "add", { name: `Tag ${number}`, color: color.toLowerCase() });
  }
  assert.deepEqual([new Set(colors).size, colors[10]], [10, colors[0]]);
});

test("paginates tags by name and shows their total", async (t) => {
  const { world, organization, viewer } = await makeWebWorldOf("viewer", t);
  await world.database.transactionOf(organization.id, async (scope) => {
    for (let each = 0; each < 450; each++) {
      const name = `t${String(each).padStart(3, "0")}`;
      await addTag(scope, { name, color: "#000000" });
    }
  });
  const first = await viewer.read(path);
  assertMatches(first, [
    /<caption>450 tags<\/caption>/,
    /1–200 of 450/,
    />t199</,
    /<a href="\?page=2"[^>]*>Next page<\/a>/,
  ]);
  assert.doesNotMatch(first, />t200<|Previous page/);
  const last = await viewer.read(`${path}?page=3`);
  assertMatches(last, [/401–450 of 450/, />t449</]);
  assert.doesNotMatch(last, /Next page/);
});

test("answers 404 for tags of another organization and for invalid ids", async (t) => {
  const { world, admin } = await makeWebWorldOf("admin", t);
  const { organization: other } = await world.addOrganization({ name: "Other" });
  const tag = await world.database.transactionOf(other.id, (scope) =>
    addTag(scope, { name: "Theirs", color: "#000000" }),
  );
  assert.doesNotMatch(await admin.read(path), /Theirs/);
  for (const id of [tag.id, 0, "x", "1e3", "9".repeat(30), "%00"]) {
    assert.equal((await admin.get(`${path}/${id}`)).status, 404, String(id));
    assert.equal((await admin.post(`${path}/${id}`, "delete")).status, 404, String(id));
    const change = { name: "Mine", color: "#111111" };
    assert.equal((await admin.post(`${path}/${id}`, "change", change)).status, 404, String(id));
  }
  const kept = await world.database.snapshotOf(other.id, listTags);
  assert.deepEqual(kept, [tag]);
  // A name that another organization uses is free here.
  assert.equal((await admin.post(path, "add", { name: "Theirs", color: "#000000" })).status, 303);
});

test("counts the campaigns of a tag within the organization", async (t) => {
  const { world, organization } = await makeWebWorld(t);
  const { organization: other } = await world.addOrganization({ name: "Other" });
  await world.save(other, [campaign({ id: 1, tags: ["A"] })]);
  await world.save(organization, [
    campaign({ id: 1, tags: ["A", "B"] }),
    campaign({ id: 2, tags: ["A"] }),
    campaign({ id: 3 }),
  ]);
  const counts = await world.database.snapshotOf(organization.id, async (scope) => {
    const [a, b] = await listTags(scope);
    const all = await countCampaignsOfTags(scope);
    const one = await countCampaignsOfTags(scope, { tagId: b?.id as number });
    return [all.get(a?.id ?? 0), all.get(b?.id ?? 0), all.size, one.get(b?.id ?? 0), one.size];
  });
  assert.deepEqual(counts, [2, 1, 2, 1, 1]);
});
