// What each recipient of a campaign did: filters, pages, the start of a name, and recipients without a name.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { forgetRecipient } from "../../../src/counting/campaigns/forget-recipient.ts";
import {
  findRecipientActivity,
  type RecipientQuery,
} from "../../../src/listing/reports/recipient-activity.ts";
import { findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import { countRecipients, readRecipients } from "../../../src/storage/ledgers/recipients.ts";
import { click, open, opens } from "../../support/events.ts";
import { pick } from "../../support/pick.ts";
import { makeAcme, present } from "../../support/world.ts";

const at = Date.UTC(2026, 5, 15, 11, 30);
const prefetch = { user_agent: "Mozilla/5.0" };
const survey = { type: "survey", kind: "enps", survey_id: "s 1", score: 9 };

/** Campaign 1 with these events, and a function that returns a page of its recipients. */
async function given(t: TestContext, events: Record<string, unknown>[]) {
  const { world, organization } = await makeAcme(t, { register: {} });
  await world.ingest(organization, events);
  const [stored] = await world.read(organization, (scope) => findCampaigns(scope, [1]));
  const ledgerId = Number(stored?.counting?.ledgerId);
  const find = (query: Partial<RecipientQuery> = {}, limit = 50) => {
    const all = { ledgerId, traffic: "people", filter: "all", prefix: "", after: "", ...query } as const;
    return findRecipientActivity(world.database, organization.id, all, { limit });
  };
  const namesOf = async (query: Partial<RecipientQuery>, limit?: number) =>
    (await find(query, limit)).recipients.map(({ name }) => name.replace("@example.com", ""));
  return { world, organization, ledgerId, find, namesOf };
}

test("lists what each recipient did, by name, with the traffic that is counted", async (t) => {
  const { find } = await given(t, [
    open(1, { device: "mobile" }),
    open(1, { id: "again", device: "desktop" }),
    open(1, { id: "read", type: "read", seconds: 5 }),
    open(1, { id: "long", type: "read", seconds: 20 }),
    click(2, { id: "first", at: "2026-06-15T11:40:00Z" }),
    click(2, { id: "last", url: "https://example.com/b", at: "2026-06-15T11:50:00Z" }),
    click(2, { id: "scan", machine: true, at: "2026-06-15T11:20:00Z" }),
    open(3, survey),
    open(4, prefetch),
  ]);
  const nothing = {
    devices: [],
    clicks: 0,
    firstClickAt: null,
    lastClickAt: null,
    readTime: null,
    answers: [],
  };
  const minuteMs = 60_000;
  const expected = [
    { ...nothing, name: "person-1@example.com", opens: 2, devices: ["desktop", "mobile"], readTime: "read" },
    {
      ...nothing,
      name: "person-2@example.com",
      opens: 1,
      clicks: 2,
      firstClickAt: at + 10 * minuteMs,
      lastClickAt: at + 20 * minuteMs,
    },
    {
      ...nothing,
      name: "person-3@example.com",
      opens: 1,
      answers: [{ kind: "enps", surveyId: "s 1", reaction: 9, at }],
    },
    { ...nothing, name: "person-4@example.com", opens: null },
  ];
  assert.deepEqual(await find(), { recipients: expected, next: undefined });
  const all = await find({ traffic: "all" });
  assert.deepEqual(pick(all.recipients, "opens", "clicks", "firstClickAt"), [
    [2, 0, null],
    [1, 3, at - 10 * minuteMs],
    [1, 0, null],
    [1, 0, null],
  ]);
});

test("filters recipients, and finds them by the start of their name", async (t) => {
  const { namesOf } = await given(t, [
    open(1, { device: "mobile" }),
    click(2),
    open(3, prefetch),
    open(11, { device: "desktop" }),
    open(11, { id: "again", device: "mobile" }),
    open(4, { recipient: "PERSON-1B@example.com" }),
    open(5, { recipient: "person-1\u{1f600}@example.com", ...prefetch }),
  ]);
  const smiling = "person-1\u{1f600}";
  assert.deepEqual(await namesOf({ filter: "opened" }), ["person-11", "person-1", "person-1b", "person-2"]);
  assert.deepEqual(await namesOf({ filter: "clicked" }), ["person-2"]);
  assert.deepEqual(await namesOf({ filter: "unknown" }), [smiling, "person-3"]);
  assert.deepEqual(await namesOf({ filter: "not_opened" }), []);
  assert.deepEqual(await namesOf({ prefix: "person-1" }), ["person-11", "person-1", "person-1b", smiling]);
  assert.deepEqual(await namesOf({ prefix: "person-1", filter: "unknown" }), [smiling]);
  assert.deepEqual(await namesOf({ prefix: "%" }), []);
});

test("pages through the recipients without losing or repeating one", async (t) => {
  const { find, namesOf, world, organization, ledgerId } = await given(t, [
    ...opens(450),
    ...opens(30).map((each) => ({
      ...each,
      id: `click ${each.recipient}`,
      type: "click",
      url: "https://a.example",
    })),
  ]);
  const everyone = await namesOf({}, 1_000);
  assert.equal(everyone.length, 450);
  for (const [filter, limit, count] of [
    ["all", 70, 450],
    ["opened", 200, 450],
    ["clicked", 7, 30],
    ["not_opened", 10, 0],
  ] as const) {
    const names: string[] = [];
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page: Awaited<ReturnType<typeof find>> = await find({ filter, after }, limit);
      assert.ok(page.recipients.length <= limit);
      names.push(...page.recipients.map(({ name }) => name));
      after = page.next;
    }
    assert.equal(new Set(names).size, count);
    assert.deepEqual(names, names.toSorted());
  }
  const count = (limit: number) =>
    world.read(organization, (scope) => countRecipients(scope, { ledgerId, limit }));
  assert.deepEqual([await count(1_000), await count(100)], [450, 100]);
});

test("does not list a forgotten recipient", async (t) => {
  const { world, organization, namesOf } = await given(t, opens(3));
  await world.write(organization, (scope) =>
    forgetRecipient(scope, organization, "person-2@example.com", present),
  );
  assert.deepEqual(await namesOf({}), ["person-1", "person-3"]);
});

test("keeps the outcomes of a forgotten recipient without a name, and ignores later ones", async (t) => {
  const { world, organization } = await makeAcme(t);
  for (const [index, tracking_type] of ["Individual", "Anonymous", "Overall"].entries()) {
    const id = index + 1;
    await world.register(organization, id, { tracking_type, recipient_count: 2 });
    const event = { campaign_id: id, recipient: "Ann@example.com", at: new Date(at).toISOString() };
    const outcomes = [
      { ...event, id: "d", type: "delivery" },
      { ...event, id: "c", type: "complaint" },
      { ...event, id: "b", type: "bounce", bounce: "hard", recipient: "bob@example.com" },
    ];
    await world.ingest(organization, outcomes);
    const countsAndNames = () =>
      world.read(organization, async (scope) => {
        const [stored] = await findCampaigns(scope, [id]);
        assert.ok(stored && "tallies" in stored.numbers);
        const page = { ledgerId: Number(stored.counting?.ledgerId), after: "", limit: 10 };
        const names = (await readRecipients(scope, page)).map(({ name }) => name);
        return { outcomes: stored.numbers.tallies.people.outcomes, names };
      });
    const before = await countsAndNames();
    const forget = () =>
      world.write(organization, (scope) => forgetRecipient(scope, organization, "ann@example.com", present));
    assert.deepEqual((await forget()).campaigns, [id], tracking_type);
    assert.deepEqual((await forget()).campaigns, [], "is forgotten already");
    await world.ingest(organization, [
      { ...event, id: "later", type: "bounce", bounce: "hard", at: new Date(at + 1).toISOString() },
    ]);
    const after = await countsAndNames();
    assert.deepEqual(after.outcomes, before.outcomes, tracking_type);
    assert.equal(after.names.filter((name) => before.names.includes(name)).length, 1, tracking_type);
    assert.equal(
      after.names.some((name) => name.includes("ann")),
      false,
    );
  }
});

test("lists a recipient whose id looks like the name of a forgotten one", async (t) => {
  const { namesOf } = await given(t, [open(1, { recipient: " forgotten:1" }), open(2)]);
  assert.deepEqual(await namesOf({}), ["forgotten:1", "person-2"]);
});
