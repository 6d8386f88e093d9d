// The table email_groups: the same rows, of released groups only, in downloads, OData and SQL views.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import fc from "fast-check";
import type { CopiedGroup } from "../../src/campaign/audience/copy-groups.ts";
import { type GroupCounts, groupCountNames } from "../../src/campaign/audience/group-counts.ts";
import { dayMs, hourMs } from "../../src/campaign/calendar/durations.ts";
import { compareRows, type FeedRow, feedTables } from "../../src/campaign/feed/feed-tables.ts";
import { changeOrganization } from "../../src/counting/campaigns/change-organization.ts";
import { fileFormatNames } from "../../src/formats/feed-files.ts";
import { replaceCopies } from "../../src/storage/audience/released-groups.ts";
import { addGroup } from "../../src/storage/audience/store-groups.ts";
import type { Organization } from "../../src/storage/organizations/organizations.ts";
import { Scope } from "../../src/storage/queries/scope.ts";
import { addAttributesTo, releaseGroups, saveList } from "../support/audience.ts";
import { downloadRows, requestDownload } from "../support/downloads.ts";
import { click, open, opens } from "../support/events.ts";
import { makeGuestRole } from "../support/guest-role.ts";
import { askOData, readRows } from "../support/odata.ts";
import { randomCases } from "../support/random-cases.ts";
import { sqliteTest } from "../support/sqlite-test.ts";
import { campaign, makeWorld, present, run, serve } from "../support/world.ts";

const world = await makeWorld({ after });
const service = await serve({ after }, world);
// Views need PostgreSQL, and no Citus.
const hasViews = process.env.TEST_DATABASE === "postgres";
const role = hasViews ? await makeGuestRole({ after }, world.databaseUrl) : undefined;

interface Acme {
  organization: Organization;
  key: string;
}

async function given(): Promise<Acme> {
  world.clock.now = present;
  const { organization, key } = await world.addOrganization();
  await change(organization, { minGroup: 5 });
  await addAttributesTo(world, organization, ["Department", "Site"]);
  const argv = ["views", "add", "--organization", `${organization.id}`, "--role", role?.name ?? ""];
  if (role) assert.equal((await run(world.databaseUrl, argv)).exitCode, 0);
  return { organization, key };
}

const change = ({ id }: Organization, some: Parameters<typeof changeOrganization>[1]) =>
  world.write({ id }, (scope) => changeOrganization(scope, some, world.clock.now));

/** The rows, which are the same in every feed. */
async function rowsOf({ organization, key }: Acme): Promise<FeedRow[]> {
  const source = { url: service.url, key };
  const rows = await readRows(source, "/email_groups");
  const found = await readRows({ ...source, headers: { prefer: "odata.maxpagesize=3" } }, "/email_groups");
  assert.deepEqual(found, rows);
  for (const format of fileFormatNames) {
    assert.deepEqual(await downloadRows("email_groups", source, format), rows, format);
  }
  if (role) assert.deepEqual(await readView(organization.id), rows);
  return rows;
}

/** The driver returns bigint as text. */
async function readView(id: number): Promise<FeedRow[]> {
  const rows = await role?.ask(`select * from analytics_${id}.email_groups`);
  const { fields, order } = feedTables.email_groups;
  const toJson = ([name, value]: [string, unknown]) => {
    const isCount = fields[name as keyof typeof fields].type === "integer" && value !== null;
    return [name, isCount ? Number(value) : value];
  };
  return (rows ?? [])
    .map((row) => Object.fromEntries(Object.entries(row).map(toJson)))
    .sort(compareRows(order));
}

const survey = (number: number, more: Record<string, unknown>) =>
  open(number, { id: `s-${number}`, type: "survey", survey_id: "s", kind: "enps", ...more });

const withoutList = {
  recipient_count: null,
  ...{ open_rate: null, open_rate_low: null, open_rate_high: null },
  ...{ click_rate: null, click_rate_low: null, click_rate_high: null },
};
const withoutClicks = { unique_clicks: 0, click_rate: 0, click_rate_low: 0 };
const withoutReads = { reads_glanced: 0, reads_skimmed: 0, reads_read: 0 };
const withoutAnswers = { enps_reactions_count: 0, enps_score_average: null, survey_reactions_count: 0 };

test("has a row for each released group of the campaigns that were sent", async () => {
  const acme = await given();
  const { organization } = acme;
  const departments = [
    { count: 10, values: { Department: "Sales" } },
    { count: 6, values: { Department: "IT" } },
    // Withheld: with the next row it is known how many there are without it.
    { count: 5, values: { Department: "HR" } },
    { count: 3, values: { Department: "Legal" } },
    { count: 8, values: {} },
  ];
  await world.register(organization, 1);
  await saveList(world, organization, 1, departments);
  await world.ingest(organization, [
    ...[open(1), open(2), open(3, { machine: true }), open(22)],
    click(11, { id: "c-11" }),
    open(4, { type: "read", seconds: 12 }),
    ...[survey(1, { score: 9 }), survey(2, { score: 8 }), survey(12, { kind: "pulse", answer: "Yes" })],
  ]);
  // Without a list, the groups are those of recipients with an event.
  await world.register(organization, 2);
  const events = [1, 2, 3, 4, 5, 6].map((number) => open(number, { id: `b-${number}`, campaign_id: 2 }));
  await world.ingest(organization, events);
  // No rows: one is not sent yet, one was imported, one stores nothing about recipients.
  await world.register(organization, 3, { sent_at: "2030-01-01T00:00:00Z" });
  await saveList(world, organization, 3, departments);
  await world.save(organization, [campaign({ id: 4 })]);
  await world.register(organization, 5, { tracking_type: "Overall" });
  assert.deepEqual(await rowsOf(acme), []);
  await releaseGroups(world);
  const row = (email_id: number, attribute: string, value: string) => ({ email_id, attribute, value });
  assert.deepEqual(await rowsOf(acme), [
    {
      ...{ ...row(1, "Department", ""), recipient_count: 8 },
      ...{ unique_opens: 0, open_rate: 0, open_rate_low: 0, open_rate_high: 0.3244 },
      ...{ ...withoutClicks, click_rate_high: 0.3244, ...withoutReads, ...withoutAnswers },
    },
    {
      ...{ ...row(1, "Department", "IT"), recipient_count: 6 },
      ...{ unique_opens: 2, open_rate: 0.3333, open_rate_low: 0.0968, open_rate_high: 0.7 },
      ...{ unique_clicks: 1, click_rate: 0.1667, click_rate_low: 0.0301, click_rate_high: 0.5635 },
      ...{ ...withoutReads, ...withoutAnswers, survey_reactions_count: 1 },
    },
    {
      ...{ ...row(1, "Department", "Sales"), recipient_count: 10 },
      ...{ unique_opens: 3, open_rate: 0.3, open_rate_low: 0.1078, open_rate_high: 0.6032 },
      ...{ ...withoutClicks, click_rate_high: 0.2775, reads_glanced: 0, reads_skimmed: 0, reads_read: 1 },
      ...{ enps_reactions_count: 2, enps_score_average: 8.5, survey_reactions_count: 0 },
    },
    {
      ...{ ...row(1, "Site", ""), recipient_count: 32 },
      ...{ unique_opens: 6, open_rate: 0.1875, open_rate_low: 0.0889, open_rate_high: 0.3531 },
      ...{ unique_clicks: 1, click_rate: 0.0313, click_rate_low: 0.0055, click_rate_high: 0.1574 },
      ...{ reads_glanced: 0, reads_skimmed: 0, reads_read: 1 },
      ...{ enps_reactions_count: 2, enps_score_average: 8.5, survey_reactions_count: 1 },
    },
    ...["Department", "Site"].map((attribute) => ({
      ...{ ...row(2, attribute, ""), unique_opens: 6, unique_clicks: 0 },
      ...{ ...withoutList, ...withoutReads, ...withoutAnswers },
    })),
  ]);
  await change(organization, { countedTraffic: "all" });
  const [, , sales] = await rowsOf(acme);
  assert.equal(sales?.unique_opens, 4);
});

sqliteTest("shows groups without names only if enough more opened, and their ratings once", async () => {
  const acme = await given();
  const { organization } = acme;
  await world.register(organization, 1, { tracking_type: "Anonymous" });
  const departments = ["Sales", "IT", "HR"].map((Department) => ({ count: 12, values: { Department } }));
  await saveList(world, organization, 1, departments);
  const sentAt = world.clock.now - hourMs;
  const later = async (days: number) => {
    await releaseGroups(world, sentAt + days * dayMs - world.clock.now);
    const rows = (await rowsOf(acme)).filter(({ attribute }) => attribute === "Department");
    return rows.map((row) => [
      ...[row.value, row.unique_opens, row.enps_reactions_count, row.enps_score_average],
    ]);
  };
  const rate = (...numbers: number[]) =>
    world.ingest(
      organization,
      numbers.map((number) => survey(number, { score: 8 })),
    );
  await rate(1, 2, 3, 4);
  assert.deepEqual(await later(1), []);
  await rate(5, 13, 14, 15, 16);
  const events = [17, 25, 26, 27, 28, 29].map((number) => open(number));
  await world.ingest(organization, events);
  assert.deepEqual(await later(3), [
    ["HR", 5, null, null],
    ["IT", 5, null, null],
    ["Sales", 5, null, null],
  ]);
  // Four more opens are not shown, but all ratings are.
  await rate(30, 31, 32, 33);
  // A changed rating is the fifth that they wait for.
  await world.ingest(organization, [survey(1, { score: 8, id: "again", at: "2026-06-15T11:45:00Z" })]);
  const rated = [
    ["HR", 5, 4, null],
    ["IT", 5, 4, null],
    ["Sales", 5, 5, 8],
  ];
  assert.deepEqual(await later(7), rated);
  await rate(6);
  assert.deepEqual(await later(8), rated);
  // The fifth opens it, but the ratings stay as they are. So does everything when the minimum is lowered.
  assert.deepEqual(await later(14), [
    ["HR", 9, 4, null],
    ["IT", 5, 4, null],
    ["Sales", 6, 5, 8],
  ]);
  await world.ingest(organization, [open(7)]);
  await change(organization, { minGroup: 5, minAnswers: 1 });
  assert.deepEqual((await later(20))[2], ["Sales", 6, 5, 8]);
  await change(organization, { minGroup: 13 });
  assert.deepEqual(await later(20), []);
});

sqliteTest("shows no group of recipients without names that a list padded with invented ones", async () => {
  const acme = await given();
  const { organization } = acme;
  await world.register(organization, 1, { tracking_type: "Anonymous", recipient_count: 40 });
  const shown = async (groups: readonly { count: number; values: Record<string, string> }[]) => {
    await saveList(world, organization, 1, groups);
    await releaseGroups(world, 7 * dayMs);
    const rows = (await rowsOf(acme)).filter(({ attribute }) => attribute !== "Site");
    return rows.map((row) => [row.value, row.recipient_count, row.unique_opens]);
  };
  const target = { count: 1, values: { Department: "Sales" } };
  const real = { count: 15, values: { Department: "IT" } };
  // The recipients 1 to 16 exist, and opened.
  await world.ingest(organization, opens(16));
  const invented = (count: number) => ({ count, values: { Department: "Sales" } });
  assert.deepEqual(await shown([target, real, invented(24)]), [], "24 invented recipients did not open");
  const events = Array.from({ length: 9 }, (_, index) => open(100 + index));
  await world.ingest(organization, events);
  assert.deepEqual(await shown([target, real, invented(24)]), [["IT", 15, 15]]);
  assert.deepEqual(await shown([target, real, invented(25)]), [], "the list is longer than the campaign");
});

test("selects groups by the campaign in OData, and by its time and tags in downloads", async () => {
  const { organization, key } = await given();
  const source = { url: service.url, key };
  for (const [id, sent_at, tags] of [
    [1, "2026-06-01T00:00:00Z", []],
    [2, "2026-06-10T00:00:00Z", ["News"]],
    [3, "2026-06-05T00:00:00Z", ["News"]],
  ] as const) {
    await world.register(organization, id, { sent_at, tags: tags.map((name) => ({ name })) });
    await saveList(world, organization, id, [{ count: 5, values: { Site: "Ulm", Department: "IT" } }]);
  }
  await releaseGroups(world);
  const idsIn = (rows: readonly FeedRow[]) => [...new Set(rows.map(({ email_id }) => email_id))];
  const filtered = async (filter: string) =>
    (await readRows(source, `/email_groups?$filter=${filter}`)).map((row) => [row.email_id, row.attribute]);
  assert.deepEqual(await filtered("email_id eq 2"), [
    [2, "Department"],
    [2, "Site"],
  ]);
  assert.deepEqual(await filtered("email_id ge 2 and attribute eq 'Site' and value eq 'Ulm'"), [
    [2, "Site"],
    [3, "Site"],
  ]);
  assert.equal((await askOData(source, "/email_groups/$count?$filter=recipient_count ge 6")).text, "0");
  assert.equal((await askOData(source, "/email_groups(1)")).status, 501);
  for (const [query, ids] of [
    ["", [1, 2, 3]],
    ["?sent_after=2026-06-05", [2, 3]],
    ["?sent_before=2026-06-05", [1, 3]],
    ["?tag_ids=0", []],
  ] as const) {
    const rows = await downloadRows("email_groups", { ...source, query }, "csv");
    assert.deepEqual(idsIn(rows), ids, query);
  }
  const refused = await requestDownload(`${service.url}/data_api/v1/email_groups.csv?page=1`, { key });
  assert.equal(refused.status, 400);
});

sqliteTest("answers 304 until groups change: by a list, an event, or the minimum of a group", async () => {
  const { organization, key } = await given();
  await world.register(organization, 1);
  const url = `${service.url}/data_api/v1/email_groups.csv`;
  let known = "";
  const read = async () => {
    const { status, headers, bytes } = await requestDownload(url, { key });
    assert.equal(status, 200);
    assert.equal(headers.get("content-disposition"), 'attachment; filename="email_groups-2026-06-15.csv"');
    assert.equal(headers.get("changes-cursor"), null);
    const etag = headers.get("etag") ?? "";
    assert.notEqual(etag, known);
    known = etag;
    const same = await requestDownload(url, { key, headers: { "if-none-match": etag } });
    assert.equal(same.status, 304);
    return Buffer.from(bytes).toString().split("\r\n").slice(1, -1);
  };
  assert.deepEqual(await read(), []);
  await saveList(world, organization, 1, [{ count: 6, values: { Site: "a, b" } }]);
  await releaseGroups(world);
  const rest = "6,0,0,0,0.3903,0,0,0,0.3903,0,0,0,0,,0";
  assert.deepEqual(await read(), [`1,Department,"",${rest}`, `1,Site,"a, b",${rest}`]);
  await world.ingest(organization, [open(1)]);
  await releaseGroups(world);
  assert.match((await read())[0] ?? "", /^1,Department,"",6,1,0.1667,/);
  await change(organization, { minGroup: 7 });
  assert.deepEqual(await read(), []);
});

/** Each recipient of a group opens, clicks and rates at most once. */
const anyCounts = fc
  .tuple(fc.nat(2_000), fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 20 }))
  .map(([others, shares]): GroupCounts => {
    const recipients = others + 1;
    const counts = groupCountNames.map((name, index) => [
      name,
      Math.round(recipients * (shares[index] ?? 0)),
    ]);
    return { ...(Object.fromEntries(counts) as unknown as GroupCounts), recipients };
  });
const anyGroups = fc.array(
  fc.record({ counts: anyCounts, isReleased: fc.boolean(), areRatingsReleased: fc.boolean() }),
  { minLength: 1, maxLength: 40 },
);
const names = ["a", "B", "ä", "\uFF21", "\u{1F600}", '"', "=1+1", "a,b", " ", "null", "\u00A0x"];

test("has the same rows in every feed, whatever the numbers and names are", async () => {
  const property = fc.asyncProperty(anyGroups, fc.constantFrom("people", "all"), async (groups, traffic) => {
    const acme = await given();
    const { organization } = acme;
    await change(organization, { countedTraffic: traffic });
    await world.register(organization, 1);
    await world.register(organization, 2);
    // Its own row counts as a list; the random groups follow below it.
    await saveList(world, organization, 2, [{ count: 1, values: {} }]);
    await world.database.transaction(async (queries) => {
      const attribute = await addGroup(new Scope(queries, organization.id), {
        attributeId: undefined,
        name: "Random",
      });
      const copies = new Map<number, CopiedGroup[]>([1, 2].map((id) => [id, []]));
      for (const [index, { counts, isReleased, areRatingsReleased }] of groups.entries()) {
        const name = (names[index % names.length] ?? "") + (index < names.length ? "" : index);
        const group =
          index === 0
            ? attribute
            : await addGroup(new Scope(queries, organization.id), { attributeId: attribute.id, name });
        const ids = { groupId: group.id, attributeId: attribute.id, countedAt: world.clock.now };
        const scores = areRatingsReleased ? counts.enpsScores : null;
        if (isReleased) copies.get(1 + (index % 2))?.push({ ...ids, ...counts, enpsScores: scores });
      }
      await replaceCopies(new Scope(queries, organization.id), copies);
    });
    const rows = await rowsOf(acme);
    assert.equal(rows.length, groups.filter(({ isReleased }) => isReleased).length);
    for (const { email_id, open_rate, open_rate_low } of rows) {
      assert.deepEqual([open_rate === null, open_rate_low === null], Array(2).fill(email_id === 1));
    }
  });
  await fc.assert(property, { numRuns: randomCases(5) });
});
