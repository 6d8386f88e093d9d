// The audience page, the groups of a campaign, reach and non-readers.

import assert from "node:assert/strict";
import test from "node:test";
import { dayMs } from "../../../../src/campaign/calendar/durations.ts";
import { addAttributesTo, putDirectory, releaseGroups, saveList } from "../../../support/audience.ts";
import { actionsOf } from "../../../support/audit.ts";
import { open } from "../../../support/events.ts";
import { rowsIn, textOf } from "../../../support/pages.ts";
import { sqliteTest } from "../../../support/sqlite-test.ts";
import { makeWebWorld, type SignedInClient, type WebWorld } from "../../../support/web-world.ts";
import { present } from "../../../support/world.ts";

/** How many recipients each department has. The last two are withheld, because each has fewer than 10. */
const departments = { Sales: 15, "R & D": 12, Legal: 6, "": 5 };

/** The department of each recipient, by the numbers of the list. */
const people = Object.entries(departments).flatMap(([department, count]) =>
  Array<string>(count).fill(department),
);

/** The numbers of the first recipients of a department. */
const firstOf = (department: string, count: number) =>
  people.flatMap((each, index) => (each === department ? [index + 1] : [])).slice(0, count);

let events = 0;
const event = (campaign_id: number, person: number, given: Record<string, unknown> = {}) =>
  open(person, { id: `e-${++events}`, campaign_id, at: "2026-06-02T09:00:00Z", ...given });

interface Options {
  hasList?: boolean;
  readers?: number;
  given?: Record<string, unknown>;
}

/** The first recipients of each department open it. */
async function send(
  { world, organization }: WebWorld,
  id: number,
  { hasList = true, readers = 6, given = {} }: Options,
): Promise<void> {
  await world.register(organization, id, {
    ...{ subject: `News ${id}`, sent_at: "2026-06-02T08:00:00Z", tracking_type: "Individual" },
    ...{ recipient_count: people.length, ...given },
  });
  const list = people.map((Department, index) => {
    return { count: 1, values: { Department, Site: index % 2 === 0 ? "Bonn" : "Graz" } };
  });
  if (hasList) await saveList(world, organization, id, list);
  const reading = Object.keys(departments).flatMap((department) => firstOf(department, readers));
  await world.ingest(
    organization,
    reading.map((person) => event(id, person)),
  );
  await releaseGroups(world);
}

async function start(t: Parameters<typeof makeWebWorld>[0]): Promise<WebWorld & { viewer: SignedInClient }> {
  const site = await makeWebWorld(t);
  await addAttributesTo(site.world, site.organization, ["Department", "Site"]);
  return { ...site, viewer: await site.signIn("viewer") };
}

/** Reads the first cells of each row of the table of groups. */
const groupsIn = (page: string, cells: number) => rowsIn(page).map((row) => row.slice(0, cells));

sqliteTest("a campaign shows its released groups with ranges, and says what it withholds", async (t) => {
  const site = await start(t);
  await send(site, 1, {});
  const text = await site.viewer.read("/campaigns/1?tab=audience");
  assert.deepEqual(groupsIn(text, 4), [
    ["R & D", "12", "6", "50.0% (25–75)"],
    ["Sales", "15", "6", "40.0% (20–64)"],
  ]);
  assert.match(textOf(text), /11 recipients are in hidden groups: fewer than 10 people/);
  const other = await site.viewer.get("/campaigns/1?tab=audience&attribute=2");
  assert.deepEqual(groupsIn(other.text, 2), [
    ["Graz", "19"],
    ["Bonn", "19"],
  ]);
});

sqliteTest("a campaign without a list shows counts, and no rates", async (t) => {
  const site = await start(t);
  await send(site, 1, { hasList: false, readers: 15 });
  const text = await site.viewer.read("/campaigns/1?tab=audience");
  assert.deepEqual(groupsIn(text, 4), [["Not known", "38", "38", "0"]]);
  assert.doesNotMatch(textOf(text), /Open rate/);
  assert.match(textOf(text), /has not sent a list of recipients/);
});

sqliteTest("sorts groups without a list by opens, which the table shows", async (t) => {
  const site = await start(t);
  const { world, organization } = site;
  const values = people.map((Department, index) => [`person-${index + 1}@example.com`, { Department }]);
  await putDirectory(world, organization, Object.fromEntries(values));
  // All of R & D opened it. In Sales more did, and two machines.
  await send(site, 1, { hasList: false, readers: 13 });
  const machines = [14, 15].map((person) => event(1, person, { user_agent: "Googlebot/2.1" }));
  await world.ingest(organization, machines);
  await releaseGroups(world, 2 * dayMs);
  const text = await site.viewer.read("/campaigns/1?tab=audience");
  assert.deepEqual(groupsIn(text, 3), [
    ["Sales", "15", "13"],
    ["R & D", "12", "12"],
  ]);
});

sqliteTest("withholds ratings of few people if recipients have no names", async (t) => {
  const site = await start(t);
  await send(site, 1, { readers: 15, given: { tracking_type: "Anonymous" } });
  const rate = (department: string, count: number) =>
    firstOf(department, count).map((person) =>
      event(1, person, { type: "survey", survey_id: "s", kind: "enps", score: 10 }),
    );
  await site.world.ingest(site.organization, [...rate("Sales", 5), ...rate("R & D", 4), ...rate("Legal", 4)]);
  await releaseGroups(site.world, 2 * dayMs);
  const text = await site.viewer.read("/campaigns/1?tab=audience");
  const enps = rowsIn(text).map((row) => [row[0], row.at(-1)]);
  assert.deepEqual(enps, [
    ["R & D", "– withheld: too few ratings"],
    ["Sales", "+100 (+28 to +100)"],
  ]);
  assert.match(textOf(text), /The eNPS of 1 group is not shown/);
});

sqliteTest("only campaigns that are counted by attributes have the tab", async (t) => {
  const site = await makeWebWorld(t);
  await site.world.register(site.organization, 1);
  const viewer = await site.signIn("viewer");
  assert.doesNotMatch(await viewer.read("/campaigns/1"), /tab=audience/);
  assert.match(await viewer.read("/campaigns/1?tab=audience"), /No groups of recipients/);
});

test("adds released groups over campaigns, and says what they cover", async (t) => {
  const site = await start(t);
  await send(site, 1, {});
  await send(site, 2, { readers: 9, given: { team: "HR" } });
  await send(site, 3, { hasList: false, readers: 15 });
  await send(site, 4, { given: { sent_at: new Date(present - 86_400_000).toISOString() } });
  const text = await site.viewer.read("/audience");
  assert.deepEqual(groupsIn(text, 4), [
    ["R & D", "2", "24", "62.5% (0–100)"],
    ["Sales", "2", "30", "50.0% (0–100)"],
  ]);
  assert.match(textOf(text), /From 2 of 3 campaigns: those with this attribute and a list of recipients\./);
  assert.match(textOf(text), /The groups have 54 of 76 recipients \(71\.1%\)/);
  assert.match(textOf(text), /Rates are without 1 campaign that is still counting/);
  const fresh = await site.viewer.read("/audience?period=7d");
  assert.match(textOf(fresh), /From 1 of 1 campaigns?.* Numbers so far: 1 campaign is still counting\./);
  assert.equal(fresh.match(/<tr class="provisional"/g)?.length, 2);
  const file = await site.viewer.get("/audience.csv?period=7d&by=period");
  assert.deepEqual([file.status, file.text.trim().split("\r\n").length], [200, 1]);
  const one = await site.viewer.get("/audience?team=HR&sort=name");
  assert.deepEqual(groupsIn(one.text, 4), [
    ["R & D", "1", "12", "75.0% (47–91)"],
    ["Sales", "1", "15", "60.0% (36–80)"],
  ]);
  const reversed = await site.viewer.get("/audience?sort=name&order=desc");
  assert.deepEqual(groupsIn(reversed.text, 1), [["Sales"], ["R & D"]]);
  assert.equal((await site.viewer.get("/audience?sort=size")).status, 400);
});

sqliteTest("the file has the rows of the page", async (t) => {
  const site = await start(t);
  await send(site, 1, {});
  const text = await site.viewer.read("/audience.csv?sort=recipients");
  assert.deepEqual(text.trim().split("\r\n"), [
    "Department,Campaigns,Emails,Open rate (%),Click rate (%),Read over 9 s (%),eNPS (−100…100),Still counting (0/1)",
    "Sales,1,15,40,0,,,0",
    "R & D,1,12,50,0,,,0",
  ]);
});

/** Sends two campaigns in each of three months to three departments of 150, of which one opens less from the second month on. */
async function sendFor3Months({ world, organization }: WebWorld): Promise<void> {
  const size = 150;
  const values = ["HR", "IT", "Sales"].map((Department) => ({ count: size, values: { Department } }));
  for (let id = 1; id <= 6; id++) {
    const month = 3 + Math.floor((id - 1) / 2);
    const sent_at = `2026-0${month}-02T08:00:00Z`;
    await world.register(organization, id, {
      sent_at,
      recipient_count: 3 * size,
      tracking_type: "Individual",
    });
    // IT is not in the last one.
    const list = values.filter((_, group) => id < 6 || group !== 1);
    await saveList(world, organization, id, list);
    const opens = list.flatMap(({ values }, group) => {
      const readers = values.Department === "Sales" && month > 3 ? 30 : 90;
      return Array.from({ length: readers }, (_, index) =>
        event(id, group * size + index + 1, { at: `2026-0${month}-02T09:00:00Z` }),
      );
    });
    await world.ingest(organization, opens);
  }
  await releaseGroups(world);
}

test("shows the open rate by month, with what stands out, and as a file", async (t) => {
  const site = await start(t);
  await sendFor3Months(site);
  const text = await site.viewer.read("/audience?sort=name&period=all");
  const table = text.slice(text.indexOf("Open rate over time"));
  const cells = rowsIn(table).map((row) => row.map((cell) => cell.replace(/ \(.*\)/, "")));
  assert.deepEqual(cells, [
    ["HR", "60.0%", "60.0% above others", "60.0% above others"],
    ["IT", "60.0%", "60.0% above others", "60.0% 1 of 2 above others"],
    ["Sales", "60.0%", "20.0% below others", "20.0% below others"],
  ]);
  assert.match(table, /Sales: 20\.0% since April, below the others beyond chance\./);
  assert.match(table, /aria-label="fell, more than chance"/);
  assert.doesNotMatch(table, /no group fell/);
  const since = await site.viewer.read("/audience?from=2026-04-01&until=2026-05-31");
  assert.match(since, /beyond chance\. Compared with the others, no group fell or rose beyond chance\./);
  const file = await site.viewer.read("/audience.csv?sort=name&by=period&period=all");
  assert.deepEqual(file.trim().split("\r\n"), [
    "Department,First month,Campaigns,All campaigns,Emails,Open rate (%),vs. others,vs. own periods before",
    "HR,2026-03,2,2,300,60,,",
    "HR,2026-04,2,2,300,60,above others,",
    "HR,2026-05,2,2,300,60,above others,",
    "IT,2026-03,2,2,300,60,,",
    "IT,2026-04,2,2,300,60,above others,",
    "IT,2026-05,1,2,150,60,above others,",
    "Sales,2026-03,2,2,300,60,,",
    'Sales,2026-04,2,2,300,20,below others,"fell, more than chance"',
    'Sales,2026-05,2,2,300,20,below others,"fell, more than chance"',
  ]);
});

test("compares groups with all recipients of the same copy, not with those who opened since", async (t) => {
  const site = await start(t);
  await sendFor3Months(site);
  const { world, organization } = site;
  const sentAt = world.clock.now;
  await world.register(organization, 7, {
    ...{ sent_at: new Date(sentAt).toISOString(), tracking_type: "Anonymous", recipient_count: 300 },
  });
  await saveList(
    world,
    organization,
    7,
    ["HR", "IT"].map((Department) => ({ count: 150, values: { Department } })),
  );
  const openAll = async (numbers: readonly number[]) => {
    const at = new Date(world.clock.now).toISOString();
    const people = numbers.flatMap((person) => [person, 150 + person]);
    await world.ingest(
      organization,
      people.map((person) => event(7, person, { at })),
    );
  };
  await openAll(Array.from({ length: 15 }, (_, index) => index + 1));
  await releaseGroups(world, 7 * dayMs);
  await openAll(Array.from({ length: 120 }, (_, index) => index + 16));
  await releaseGroups(world);
  const viewer = await site.signIn("viewer");
  const text = await viewer.read("/audience?sort=name&period=all");
  const cells = rowsIn(text.slice(text.indexOf("Open rate over time"))).map((row) => row.at(-1));
  assert.deepEqual(cells, ["10.0% (0–56)", "10.0% (0–62)", "– no value"]);
});

sqliteTest("names the groups that are hidden, and why", async (t) => {
  const site = await start(t);
  await send(site, 1, {});
  assert.match(
    textOf(await site.viewer.read("/audience")),
    /Legal is hidden: fewer than 10 people \(in campaigns without names, fewer than 10 who opened\), or they could be worked out from the others\./,
  );
});

sqliteTest("says that groups of a fresh campaign come later, not that they are small", async (t) => {
  const site = await start(t);
  await send(site, 1, { readers: 4, given: { tracking_type: "Anonymous" } });
  const text = textOf(await site.viewer.read("/audience"));
  assert.match(
    text,
    /The groups have 0 of 38 recipients \(0\.0%\)\. 38 of them are in campaigns without names whose groups come later: from a day after sending, once 10 recipients opened\./,
  );
  assert.doesNotMatch(text, /hidden: fewer/);
});

sqliteTest("shows 50 groups on a page", async (t) => {
  const site = await start(t);
  await site.world.register(site.organization, 1, { sent_at: "2026-06-02T08:00:00Z" });
  const groups = Array.from({ length: 51 }, (_, index) => ({
    count: 10,
    values: { Department: `Team ${index}` },
  }));
  await saveList(site.world, site.organization, 1, groups);
  await releaseGroups(site.world);
  const text = await site.viewer.read("/audience");
  assert.equal(rowsIn(text).length, 50);
  const next = /href="(\?[^"]*page=2)"/.exec(text)?.[1] ?? "";
  assert.equal(rowsIn(await site.viewer.read(`/audience${next.replaceAll("&amp;", "&")}`)).length, 1);
});

test("reach counts each person once, and only admins see who did not read, which is logged", async (t) => {
  const site = await start(t);
  await send(site, 1, { readers: 2 });
  await send(site, 2, { readers: 4 });
  await send(site, 3, { readers: 15, given: { tracking_type: "Anonymous" } });
  const text = await site.viewer.read("/audience");
  assert.match(
    textOf(text),
    /Reached 42\.1% 16 of 38 people opened at least one of 2 campaigns · from 2 of 3 campaigns/,
  );
  assert.match(textOf(text), /Non-readers 22 did not open any of 2 campaigns/);
  assert.doesNotMatch(text, /non-readers/);
  const admin = await site.signIn("admin");
  assert.match(await admin.read("/audience"), /href="\/audience\/non-readers"/);
  const list = await admin.get("/audience/non-readers");
  assert.equal(rowsIn(list.text).length, 22);
  assert.deepEqual(rowsIn(list.text)[0], ["person-10@example.com", "2"]);
  for (const id of [4, 5]) await send(site, id, { readers: 15, given: { tracking_type: "Anonymous" } });
  const mostlyWithout = textOf(await site.viewer.read("/audience"));
  assert.match(
    mostlyWithout,
    /Reached Unknown 16 of 38 people .* · from 2 of 5 campaigns Non-readers Unknown/,
  );
  const file = await admin.get("/audience/non-readers.csv?team=none");
  assert.equal(file.text.trim(), "Recipient,Campaigns received");
  assert.deepEqual((await actionsOf(site.world, site.organization.id)).slice(0, 2), [
    "admin-2@example.com, recipients.export, non-readers of 0 campaigns",
    "admin-2@example.com, recipients.view, non-readers of 2 campaigns",
  ]);
});

test("reach leaves out campaigns without a list, of which only those who opened are known", async (t) => {
  const site = await start(t);
  for (const id of [1, 2]) await send(site, id, { hasList: false });
  const admin = await site.signIn("admin");
  const none = textOf(await admin.read("/audience"));
  assert.match(none, /Reach needs campaigns with Individual tracking and a list of recipients/);
  for (const id of [3, 4]) await send(site, id, { readers: 4 });
  const text = textOf(await admin.read("/audience"));
  assert.match(
    text,
    /Reached 42\.1% 16 of 38 people opened at least one of 2 campaigns · from 2 of 4 campaigns/,
  );
  const list = await admin.read("/audience/non-readers");
  assert.match(textOf(list), /Recipients who did not open any of 2 campaigns/);
  assert.deepEqual(rowsIn(list)[0], ["person-10@example.com", "2"]);
});

sqliteTest("a list of many non-readers has pages", async (t) => {
  const site = await start(t);
  await site.world.register(site.organization, 1, { sent_at: "2026-06-02T08:00:00Z" });
  await saveList(site.world, site.organization, 1, [{ count: 120, values: {} }]);
  const admin = await site.signIn("admin");
  const names: (string | undefined)[] = [];
  for (let path = "/audience/non-readers"; path !== ""; ) {
    const text = await admin.read(path);
    names.push(...rowsIn(text).map(([name]) => name));
    path = /href="([^"]*after=[^"]*)" class="button second small">Next/.exec(text)?.[1] ?? "";
  }
  assert.equal(new Set(names).size, 120);
  const lines = (await admin.read("/audience/non-readers.csv")).trim().split("\r\n");
  assert.equal(lines.length, 121);
});

sqliteTest("an organization without attributes is told how to add them", async (t) => {
  const site = await makeWebWorld(t);
  await site.world.register(site.organization, 1);
  const [viewer, admin] = [await site.signIn("viewer"), await site.signIn("admin")];
  assert.match(await viewer.read("/audience"), /An admin adds attributes/);
  assert.match(await admin.read("/audience"), /href="\/settings\/audience">Add attributes/);
});
