// The pages of tags: permissions, changes, and what the API returns afterwards.

import assert from "node:assert/strict";
import test from "node:test";
import { quoteName } from "../../../../../src/campaign/fields/names.ts";
import { countCampaignsOfTags } from "../../../../../src/storage/campaigns/campaign-tags.ts";
import { addTag, listTags } from "../../../../../src/storage/organizations/tags.ts";
import { makeWebWorld, type WebWorld } from "../../../../support/web-world.ts";
import { campaign } from "../../../../support/world.ts";

const path = "/settings/tags";

const tagsOf = ({ world, organization }: WebWorld) => world.database.snapshotOf(organization.id, listTags);

const tagsInApi = async ({ service, key }: WebWorld) =>
  (await service.emails(key)).emails.map(({ tags }) => tags);

test("shows a tag that an admin adds, renames, recolors or deletes in the next API response", async (t) => {
  const given = await makeWebWorld(t);
  const { world, organization, service, key } = given;
  const admin = await given.signIn("admin");
  const added = await admin.post(path, "add", { name: " News ", color: "#4e79a7" });
  assert.deepEqual(
    [added.status, added.location, added.notice],
    [303, path, `Added the tag ${quoteName("News")}.`],
  );
  const [tag] = await tagsOf(given);
  assert.ok(tag);
  assert.deepEqual([tag.name, tag.color], ["News", "#4E79A7"]);
  // The page counts what feeds have, so not the campaign that is scheduled.
  await world.save(
    organization,
    [1, 2, 3].map((id) => campaign({ id, tags: ["News"], ...(id === 3 && { sentAt: world.clock.now + 1 }) })),
  );
  assert.deepEqual((await tagsInApi(given))[0], [{ name: "News", color: "#4E79A7" }]);

  const list = await admin.get(path);
  assert.equal(list.status, 200);
  assert.match(list.text, new RegExp(`<code>${tag.id}</code>`));
  assert.match(list.text, /fill="#4E79A7"/);
  assert.match(list.text, /<td class="number"[^>]*>2<\/td>/);
  assert.match(list.text, new RegExp(`href="${path}/${tag.id}"`));

  const renamed = await admin.post(`${path}/${tag.id}`, "change", { name: "Latest", color: "#4e79a7" });
  assert.deepEqual([renamed.status, renamed.location], [303, path]);
  assert.deepEqual((await tagsInApi(given))[0], [{ name: "Latest", color: "#4E79A7" }]);
  await admin.post(`${path}/${tag.id}`, "change", { name: "Latest", color: "#112233" });
  assert.deepEqual((await tagsInApi(given))[0], [{ name: "Latest", color: "#112233" }]);
  // A page that was loaded before the color changed, on which only the name is edited.
  const shown = { shown_name: "Latest", shown_color: "#4e79a7" };
  await admin.post(`${path}/${tag.id}`, "change", { name: "Newest", color: "#4e79a7", ...shown });
  assert.deepEqual((await tagsInApi(given))[0], [{ name: "Newest", color: "#112233" }]);
  const lost = await admin.post(`${path}/${tag.id}`, "change", { name: "Other", color: "#ffffff", ...shown });
  assert.equal(lost.status, 409);
  assert.match(lost.text, /&quot;Newest&quot; meanwhile.*by &quot;Other&quot;/);
  const page = await admin.read(`${path}/${tag.id}`);
  assert.match(page, /name="shown_name" value="Newest"/);
  const inCapitals = { name: "NEWEST", color: "#112233", shown_name: "Newest", shown_color: "#112233" };
  await admin.post(`${path}/${tag.id}`, "change", inCapitals);
  assert.deepEqual((await tagsInApi(given))[0], [{ name: "NEWEST", color: "#112233" }]);
  await admin.post(`${path}/${tag.id}`, "change", { ...inCapitals, name: "Newest", shown_name: "NEWEST" });
  assert.equal((await service.emails(key, `?tag_ids=${tag.id}`)).emails.length, 2);

  assert.match(await admin.read(`${path}/${tag.id}`), /3 campaigns lose this tag/);
  const deleted = await admin.post(`${path}/${tag.id}`, "delete");
  assert.deepEqual([deleted.status, deleted.notice], [303, `Deleted the tag ${quoteName("Newest")}.`]);
  assert.deepEqual(await tagsInApi(given), [[], []]);
  assert.equal((await service.emails(key, `?tag_ids=${tag.id}`)).emails.length, 0);
  assert.deepEqual(await tagsOf(given), []);
  assert.equal((await admin.get(`${path}/${tag.id}`)).status, 404);
  assert.equal((await admin.post(`${path}/${tag.id}`, "delete")).status, 404);
});

test("shows viewers the tags with their ids, and no form", async (t) => {
  const given = await makeWebWorld(t);
  const { world, organization } = given;
  await world.database.transactionOf(organization.id, (scope) =>
    addTag(scope, { name: "News", color: "#4E79A7" }),
  );
  const viewer = await given.signIn("viewer");
  const { status, text } = await viewer.get(path);
  assert.equal(status, 200);
  assert.match(text, /News/);
  assert.doesNotMatch(text, /Add a tag|>Edit</);
});

test("rejects an invalid color and an invalid or taken name of a tag, and keeps the input", async (t) => {
  const given = await makeWebWorld(t);
  const admin = await given.signIn("admin");
  await admin.post(path, "add", { name: "News", color: "#4e79a7" });
  await admin.post(path, "add", { name: "Café", color: "#4e79a7" });
  const [cafe] = await tagsOf(given);
  const cases: [{ name: string; color: string }, number, RegExp][] = [
    [
      { name: " ", color: "#000000" },
      400,
      /Name: &quot;&quot; is not accepted: a name has 1 to 200 characters/,
    ],
    [{ name: "x".repeat(201), color: "#000000" }, 400, /Name: /],
    [
      { name: "over \u202egnp", color: "#000000" },
      400,
      /over \\u202egnp.*marks that change the text direction/,
    ],
    [{ name: "two\nlines", color: "#000000" }, 400, /Name: &quot;two\\nlines&quot;/],
    [{ name: "Sale <b>", color: "red" }, 400, /Color: &quot;red&quot; is not a color of the form #RRGGBB/],
    [
      { name: "News", color: "#000000" },
      409,
      /Name: the tag with the ID \d+ already has the name \u2068&quot;News&quot;\u2069/,
    ],
    [{ name: "nEWS", color: "#000000" }, 409, /already has the name \u2068&quot;News&quot;\u2069/],
    // The same name in decomposed form.
    [{ name: "Cafe\u0301", color: "#000000" }, 409, /already has the name/],
  ];
  for (const [fields, status, problem] of cases) {
    const seen = await admin.post(path, "add", fields);
    assert.equal(seen.status, status, fields.name);
    assert.match(seen.text, problem);
    assert.match(seen.text, /role="alert"/);
    const isColorInvalid = fields.color === "red";
    const marked = /<input id="(\w+)" name="\w+" aria-describedby="(\w+)" aria-invalid="true" autofocus/;
    const [, id, describedBy] = marked.exec(seen.text) ?? [];
    assert.deepEqual(
      [id, describedBy],
      isColorInvalid ? ["color", "color_problem"] : ["name", "name_problem"],
    );
    assert.equal(seen.text.split('aria-invalid="true"').length, 2, "no other field");
  }
  const again = await admin.post(path, "add", { name: 'Sale <b> "x"', color: "red" });
  assert.match(again.text, /value="Sale &lt;b&gt; &quot;x&quot;"/);
  const taken = await admin.post(`${path}/${cafe?.id}`, "change", { name: "News", color: "#4e79a7" });
  assert.equal(taken.status, 409);
  assert.match(taken.text, /value="News"/);
  assert.equal((await tagsOf(given)).length, 2);
});

test("keeps the spelling of an unchanged tag, and raises no revision when nothing changes", async (t) => {
  const given = await makeWebWorld(t);
  const { world, organization, service, key } = given;
  const name = "Cafe\u0301 👩🏽‍💻 ‮x";
  const tag = await world.database.transactionOf(organization.id, (scope) =>
    addTag(scope, { name, color: "#4E79A7" }),
  );
  const admin = await given.signIn("admin");
  const etag = async () => (await service.get("/data_api/v1/emails", { key })).headers.get("etag");
  const before = await etag();
  // Browsers send a color in lower case.
  const same = await admin.post(`${path}/${tag.id}`, "change", { name, color: "#4e79a7" });
  assert.equal(same.status, 303);
  assert.deepEqual(await tagsOf(given), [tag]);
  assert.equal(await etag(), before);
  await admin.post(`${path}/${tag.id}`, "change", { name, color: "#000000" });
  assert.deepEqual(await tagsOf(given), [{ ...tag, color: "#000000" }]);
});

test("offers each color of the palette before one a second time", async (t) => {
  const given = await makeWebWorld(t);
  const admin = await given.signIn("admin");
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
  const given = await makeWebWorld(t);
  const { world, organization } = given;
  await world.database.transactionOf(organization.id, async (scope) => {
    for (let each = 0; each < 450; each++) {
      const name = `t${String(each).padStart(3, "0")}`;
      await addTag(scope, { name, color: "#000000" });
    }
  });
  const viewer = await given.signIn("viewer");
  const first = await viewer.get(path);
  assert.match(first.text, /<caption>450 tags<\/caption>/);
  assert.match(first.text, /1–200 of 450/);
  assert.match(first.text, />t199</);
  assert.doesNotMatch(first.text, />t200<|Previous page/);
  assert.match(first.text, /<a href="\?page=2"[^>]*>Next page<\/a>/);
  const last = await viewer.get(`${path}?page=3`);
  assert.match(last.text, /401–450 of 450/);
  assert.match(last.text, />t449</);
  assert.doesNotMatch(last.text, /Next page/);
});

test("escapes tag names everywhere", async (t) => {
  const given = await makeWebWorld(t);
  const admin = await given.signIn("admin");
  const name = `"><script>alert(1)</script>'`;
  const added = await admin.post(path, "add", { name, color: "#000000" });
  assert.equal(added.status, 303);
  const [tag] = await tagsOf(given);
  assert.equal(tag?.name, name);
  for (const url of [path, `${path}/${tag?.id}`]) {
    const { status, text } = await admin.get(url);
    assert.equal(status, 200);
    assert.doesNotMatch(text, /<script>alert/);
    assert.match(text, /&quot;&gt;&lt;script&gt;alert\(1\)/);
  }
});

test("answers 404 for tags of another organization and for invalid ids", async (t) => {
  const given = await makeWebWorld(t);
  const { world } = given;
  const { organization: other } = await world.addOrganization({ name: "Other" });
  const tag = await world.database.transactionOf(other.id, (scope) =>
    addTag(scope, { name: "Theirs", color: "#000000" }),
  );
  const admin = await given.signIn("admin");
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
