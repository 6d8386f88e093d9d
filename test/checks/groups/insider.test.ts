// An insider may do everything that an admin of the web application may do, and wants to know what a person did in an
// Anonymous campaign that the operator's system registered and sends events to. After each attempt the insider guesses whether
// the person opened, whether and what the person answered. No guess is right more often than for anybody of the campaign.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { dayMs } from "../../../src/campaign/calendar/durations.ts";
import { forgetRecipient } from "../../../src/counting/campaigns/forget-recipient.ts";
import type { Organization } from "../../../src/storage/organizations/organizations.ts";
import { addAttributesTo, releaseGroups } from "../../support/audience.ts";
import { tamper } from "../../support/events.ts";
import { Random } from "../../support/histories.ts";
import { isFullSize, randomCases, report } from "../../support/random-cases.ts";
import { type Sender, senderOf } from "../../support/serve-sender.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { makeWebWorld, type SignedInClient } from "../../support/web-world.ts";
import { present } from "../../support/world.ts";
import { askForRows } from "./other-interfaces.ts";

const campaigns = randomCases(4, 200);
const recipients = isFullSize ? 60 : 30;

const site = await makeWebWorld({ after });
const { world, service } = site;

interface Person {
  address: string;
  opens: boolean;
  score: number | undefined;
}

/** What the insider believes of the target; undefined if there is nothing but chance. */
interface Belief {
  opened?: boolean;
  answered?: boolean;
  score?: number;
}

interface Attack {
  random: Random;
  organization: Organization;
  admin: SignedInClient;
  /** Requests with the operator's key. */
  operator: Sender;
  /** A key that the insider made; undefined where the organization refuses persons. */
  own: Sender | undefined;
  target: Person;
  /** Numbers invented recipients and events. */
  count: number;
}

/** What the insider can read of the campaign at one time. */
interface Look {
  ratings: number;
  sum: number;
  opens: number;
  comments: string[];
}

async function look({ operator, admin }: Attack): Promise<Look> {
  const email = (await operator.record()) ?? {};
  const ratings = Number(email.enps_reactions_count ?? 0);
  const { text } = await admin.get("/comments?period=all");
  return {
    ...{ ratings, opens: Number(email.unique_opens ?? 0) },
    sum: Math.round(ratings * Number(email.enps_score_average ?? 0)),
    comments: [...text.matchAll(/Comment of score (\d+) no (\d+)/g)].map(([comment]) => comment),
  };
}

const at = (minutes: number) => new Date(present - 3_600_000 + minutes * 60_000).toISOString();

const rating = (recipient: string, id: string, score: number, minutes: number) => ({
  ...{ id, campaign_id: 1, recipient, type: "survey", survey_id: "s", kind: "enps", score },
  at: at(minutes),
});

const isRaised = (before: Look, now: Look) => now.ratings > before.ratings;

/** Adds answers until a step is full, then all but one of the next, then that of the target, which fills it if it is new. */
async function padTo(attack: Attack, by: Sender, minAnswers: number): Promise<Belief> {
  const invent = (own = `invented-${attack.count++}@example.com`) =>
    by.post([rating(own, `i-${attack.count++}`, attack.random.between(0, 10), attack.random.between(1, 50))]);
  let before = await look(attack);
  for (let tries = 0; tries < minAnswers; tries++) {
    await invent();
    const now = await look(attack);
    if (isRaised(before, now)) break;
    if (tries === minAnswers - 1) return {};
    before = now;
  }
  for (let more = 1; more < minAnswers; more++) await invent();
  before = await look(attack);
  const { status, body } = await by.post([
    rating(attack.target.address, `t-${attack.count++}`, 10, attack.random.pick([1, 55])),
  ]);
  if (status !== 200 || body.accepted !== 1) return {};
  return { answered: !isRaised(before, await look(attack)) };
}

/** Replaces the answer of the target by a late one, and compares the sums. */
async function replace(attack: Attack, by: Sender): Promise<Belief> {
  const before = await look(attack);
  const { body } = await by.post([rating(attack.target.address, `r-${attack.count++}`, 10, 58)]);
  const now = await look(attack);
  if (body.accepted !== 1 || isRaised(before, now) || now.sum === before.sum) return {};
  return { answered: true, score: 10 - (now.sum - before.sum) };
}

/** Adds opens of all kinds for the target: one that raises the number is the first. */
async function addOpens(attack: Attack, by: Sender): Promise<Belief> {
  const before = await look(attack);
  const open = (more: object) => ({
    ...{ id: `o-${attack.count++}`, campaign_id: 1, recipient: attack.target.address, type: "open" },
    ...{ at: at(5), ...more },
  });
  const { body } = await by.post([
    ...[open({ machine: true }), open({ at: at(-9) }), open({ at: at(59) })],
    open({ type: "click", url: "https://example.com/", hidden: true }),
  ]);
  if (!body.accepted) return {};
  return { opened: (await look(attack)).opens === before.opens };
}

/** A key that the insider makes or gets. @returns undefined if none is shown */
async function keyFrom({ operator }: Attack, page: Promise<{ text: string }>): Promise<Sender | undefined> {
  const [text] = /ea_test_\d+_[0-9A-Za-z]{38}/.exec((await page).text) ?? [];
  return text === undefined ? undefined : senderOf(service, { key: operator.key, ingestKey: text });
}

const settings = "/settings/integrations/analytics-api";

/** What remains by design, and the page says: who uploads the directory chooses the groups. */
const dividing = "divides the recipients";

type Tactic = (attack: Attack) => Promise<Belief>;

/** A directory with two groups that only differ by the target and the insider, who does not open. */
async function divide(
  { organization, own, target, random }: Attack,
  people: readonly Person[],
): Promise<void> {
  await addAttributesTo(world, organization, ["One", "Other"]);
  const [self, ...others] = random.shuffle(people.filter((each) => each !== target && !each.opens));
  const shared = new Set(
    [...others, ...people.filter(({ opens }) => opens)].filter((each) => each !== target),
  );
  const rows = people.map((each) => {
    const values = [target, self].map((extra) => (each === extra || shared.has(each) ? "in" : "out"));
    return [each.address, ...values].join(",");
  });
  await service.send("/ingest/v1/directory", {
    ...{ method: "PUT", key: own?.ingestKey ?? "", body: ["recipient,One,Other", ...rows].join("\n") },
    headers: { "content-type": "text/csv" },
  });
}

/** Those that need a key use the insider's own. */
const withKey =
  (work: (attack: Attack, by: Sender) => Promise<Belief>): Tactic =>
  async (attack) =>
    attack.own ? work(attack, attack.own) : {};

const tactics: Record<string, Tactic> = {
  watches: async () => ({}),
  "adds answers": withKey((attack, by) => padTo(attack, by, 5)),
  "replaces the answer": withKey(replace),
  "adds opens": withKey(addOpens),
  async "lowers the minimums"(attack) {
    const fields = { name: "Acme", time_zone: "UTC", count: "people", audit_days: "400" };
    await attack.admin.post("/settings/organization", "organization", { ...fields, min_answers: "1" });
    await attack.admin.post("/settings/audience", "min_group", { min_group: "5" });
    return attack.own
      ? { ...(await padTo(attack, attack.own, 1)), ...(await replace(attack, attack.own)) }
      : {};
  },
  async "rolls the operator's key"(attack) {
    const { text } = await attack.admin.get(settings);
    const [, id] =
      new RegExp(`${settings}/(\\d+)"[^>]*>[^<]*</a>`).exec(text.slice(text.indexOf("sender"))) ?? [];
    const rolled = await keyFrom(attack, attack.admin.post(`${settings}/${id}`, "roll", { days: "7" }));
    if (!rolled) return {};
    return { ...(await addOpens(attack, rolled)), ...(await replace(attack, rolled)) };
  },
  async "joins the senders"(attack) {
    const { own, organization } = attack;
    if (!own) return {};
    for (const senders of [undefined, [organization.id * 2], [organization.id * 2, organization.id * 2 + 2]])
      await own.put(1, { tracking_type: "Anonymous", ...(senders && { senders }) });
    return { ...(await addOpens(attack, own)), ...(await padTo(attack, own, 5)) };
  },
  async "adds a source"(attack) {
    const { admin, target } = attack;
    const { location } = await admin.post("/sources", "add", {
      provider: "brevo",
      campaign_field: "campaign_id",
    });
    const { text } = location === null ? { text: "" } : await admin.get(location);
    const [url] = /\/ingest\/v1\/webhooks\/\d+-[0-9a-f]{32}/.exec(text) ?? [];
    if (url === undefined) return {};
    const before = await look(attack);
    await service.send(url, {
      body: {
        ...{ event: "opened", email: target.address, ts_event: Math.round(present / 1000) - 60 },
        ...{ "message-id": `m-${attack.count++}`, "X-Mailin-custom": "campaign_id:1" },
      },
    });
    const now = await look(attack);
    return now.opens > before.opens ? { opened: false } : {};
  },
  async "gives the campaign names"(attack) {
    const { admin, target } = attack;
    for (const fields of [{ tracking_type: "Individual" }, { external_id: "other" }])
      await admin.post("/campaigns/1?tab=details", "correct", fields);
    return namedBelief(await admin.get("/campaigns/1/recipients"), target);
  },
  async "forgets the person"(attack) {
    const { admin, target } = attack;
    const before = await look(attack);
    const found = (await admin.post("/settings/privacy", "find", { recipient: target.address })).text;
    await admin.post("/settings/privacy", "forget", { recipient: target.address });
    return {
      ...vanished(before, await look(attack)),
      ...(/In 1 open campaign/.test(found) && { opened: true }),
    };
  },
  "lists the person with invented ones": withKey(async (attack, by) => {
    const lines = [
      "recipient",
      attack.target.address,
      ...Array.from({ length: 9 }, (_, index) => `x-${index}@example.com`),
    ];
    await service.send("/ingest/v1/campaigns/1/recipients", {
      ...{ method: "PUT", key: by.ingestKey, body: lines.join("\n") },
      headers: { "content-type": "text/csv" },
    });
    const { status, text } = await service.send("/ingest/v1/campaigns/1/messages", {
      ...{ key: by.ingestKey, body: { html: "<p>Hi</p>", recipients: [attack.target.address] } },
    });
    const [pixel] = status === 200 ? (/\/t\/o\/[\w-]+/.exec(text) ?? []) : [];
    if (pixel === undefined) return {};
    const before = await look(attack);
    await fetch(service.url + pixel);
    return { opened: (await look(attack)).opens === before.opens };
  }),
  async "closes, and publishes again"(attack) {
    const { admin } = attack;
    const before = await look(attack);
    await admin.post("/settings/tags", "add", { name: `Tag ${attack.count++}`, color: "#123456" });
    await admin.post("/campaigns/1?tab=details", "close");
    const now = await look(attack);
    if (now.ratings === before.ratings + 1) return { answered: true, score: now.sum - before.sum };
    return {};
  },
  async [dividing]({ operator }) {
    await releaseGroups(world, 8 * dayMs);
    const source = { url: service.url, key: operator.key };
    const rows = await askForRows(source, "email_groups");
    const [one, other] = ["One", "Other"].map((name) =>
      rows.find(({ attribute, value }) => attribute === name && value === "in"),
    );
    // Groups that differ by one are not both released.
    return one || other ? { opened: one?.unique_opens !== other?.unique_opens } : {};
  },
  async "takes the place of the campaign"(attack) {
    const { admin, operator, target } = attack;
    await admin.post("/campaigns/1?tab=details", "delete");
    const fields = { id: "1", subject: "Other", sent_at: "2026-06-15T11:00", recipient_count: "9" };
    await admin.post("/campaigns/register", "register", { ...fields, tracking_type: "Individual" });
    // The system of the operator goes on.
    await operator.post(eventsOf(target, "again"));
    return namedBelief(await admin.get("/campaigns/1/recipients"), target);
  },
};

/** The comment that is gone is the person's. */
function vanished(before: Look, now: Look): Belief {
  const [gone] = before.comments.filter((comment) => !now.comments.includes(comment));
  const score = /score (\d+)/.exec(gone ?? "")?.[1];
  return score === undefined ? {} : { answered: true, score: Number(score) };
}

function namedBelief({ status, text }: { status: number; text: string }, { address }: Person): Belief {
  const [, cells] = status === 200 ? (new RegExp(`${address}(.*?)</tr>`, "s").exec(text) ?? []) : [];
  return cells === undefined ? {} : { opened: /\d\d?:\d\d/.test(cells) };
}

const makePeople = (random: Random): Person[] =>
  Array.from({ length: recipients }, (_, index) => {
    const opens = random.chance(55);
    const score = opens && random.chance(60) ? random.between(0, 10) : undefined;
    return { address: `person-${index}@example.com`, opens, score };
  });

function eventsOf({ address, opens, score }: Person, prefix = "e") {
  const base = { campaign_id: 1, recipient: address, at: at(20) };
  const delivered = { ...base, id: `${prefix}-d-${address}`, type: "delivery" };
  if (!opens) return [delivered];
  const answer = rating(address, `${prefix}-s-${address}`, score ?? 0, 21);
  const comment = `Comment of score ${score} no ${address.replace(/\D/g, "")}`;
  const opened = { ...base, id: `${prefix}-o-${address}`, type: "open" };
  return [delivered, opened, ...(score === undefined ? [] : [{ ...answer, comment }])];
}

interface Guess {
  right: boolean;
  /** How often it would be right for anybody. */
  chance: number;
}

type Guesses = Record<"opened" | "answered" | "score", Guess[]>;

/** The truth and the guess about the target, when some have acted. */
function judge(
  acted: readonly Person[],
  everybody: readonly Person[],
  target: Person,
  belief: Belief,
): Guesses {
  const answering = acted.filter(({ score }) => score !== undefined);
  const share = (some: readonly unknown[], of: readonly unknown[]) => some.length / Math.max(of.length, 1);
  const yesNo = (list: readonly Person[], believed: boolean | undefined): Guess => {
    const isTrue = list.includes(target);
    const rate = share(list, everybody);
    const guess = believed ?? rate > 0.5;
    return { right: guess === isTrue, chance: guess ? rate : 1 - rate };
  };
  const openers = acted.filter(({ opens }) => opens);
  const guesses: Guesses = {
    opened: [yesNo(openers, belief.opened)],
    answered: [yesNo(answering, belief.answered)],
    score: [],
  };
  if (answering.includes(target)) {
    const score = belief.score ?? 5;
    const alike = answering.filter((each) => each.score === score);
    guesses.score.push({ right: target.score === score, chance: share(alike, answering) });
  }
  return guesses;
}

/** Runs a tactic against a campaign of its own. @param plant switches a rule off */
async function run(
  seed: number,
  tactic: Tactic,
  plant?: (attack: Attack) => Promise<void>,
): Promise<Guesses> {
  const random = new Random(seed);
  world.clock.now = present;
  const { organization, key, ingestKey } = await world.addOrganization({ name: `Acme ${seed}` });
  const operator = senderOf(service, { key, ingestKey });
  const admin = await site.signIn("admin", { organization });
  if (!plant && random.chance(40)) await admin.post("/settings/privacy", "refuse", { name: `Acme ${seed}` });
  const people = makePeople(random);
  const target = random.pick(people);
  const attack: Attack = { random, organization, admin, operator, own: undefined, target, count: 1 };
  if (random.chance(40)) await admin.post("/settings/privacy", "allow");
  const fields = { name: "Insider", scope: "ingest", lifetime: "30" };
  attack.own = await keyFrom(attack, admin.post(settings, "add", fields));
  if (tactic === tactics[dividing]) await divide(attack, people);
  const put = { tracking_type: "Anonymous", recipient_count: recipients, surveys_count: 1 };
  assert.equal((await operator.put(1, put)).status, 201);
  const order = random.shuffle([...people]);
  const acted = order.slice(0, random.between(recipients / 2, recipients));
  for (const some of [acted.slice(0, 10), acted.slice(10)])
    assert.equal((await operator.post(some.flatMap((each) => eventsOf(each)))).status, 200);
  await plant?.(attack);
  const belief = await tactic(attack);
  return judge(acted, people, target, belief);
}

const kinds = ["opened", "answered", "score"] as const;

/** By kind: guesses that are right, and how many standard deviations more that is than by chance. */
function compare(all: readonly Guesses[]) {
  return kinds.map((kind) => {
    const guesses = all.flatMap((each) => each[kind]);
    const expected = guesses.reduce((sum, { chance }) => sum + chance, 0);
    const deviation = Math.sqrt(guesses.reduce((sum, { chance }) => sum + chance * (1 - chance), 0));
    const right = guesses.filter((each) => each.right).length;
    const range = [-3, 3].map((many) => (expected + many * deviation).toFixed(1)).join(" to ");
    return { kind, of: guesses.length, right, expected, range, isAbove: right > expected + 3 * deviation };
  });
}

const describe = (results: ReturnType<typeof compare>) =>
  results
    .map(
      ({ kind, right, of, expected, range }) =>
        `${kind} ${right} of ${of} (by chance ${expected.toFixed(1)}, ${range})`,
    )
    .join("; ");

test("no admin learns what a person did in a campaign without names that others send", async () => {
  const names = Object.keys(tactics).filter((name) => isFullSize || name !== dividing);
  const byTactic = new Map<string, Guesses[]>();
  for (let seed = 1; seed <= campaigns; seed++) {
    // In full, each campaign is attacked in every way, one after the other in copies of it.
    const chosen = isFullSize ? names : names.slice((seed * 3) % names.length).slice(0, 3);
    for (const name of chosen) {
      const guesses = await run(seed * 100 + names.indexOf(name), tactics[name] as Tactic);
      byTactic.set(name, [...(byTactic.get(name) ?? []), guesses]);
    }
  }
  for (const [name, guesses] of byTactic) report(`${name}: ${describe(compare(guesses))}`);
  byTactic.delete(dividing);
  const all = [...byTactic.values()].flat();
  report(`${campaigns} campaigns, ${all.length} attacks: ${describe(compare(all))}`);
  const above = (guesses: readonly Guesses[]) => compare(guesses).filter(({ isAbove }) => isAbove);
  assert.deepEqual(above(all), []);
  if (!isFullSize) return;
  for (const [name, guesses] of byTactic) assert.deepEqual(above(guesses), [], name);
});

sqliteTest("the insider finds each planted leak", async () => {
  const joined = (attack: Attack) =>
    tamper(
      world,
      `update campaigns set senders = (select '{"' || max(sender) || '":""}' from api_keys
      where organization_id = ${attack.organization.id}) where organization_id = ${attack.organization.id}`,
    );
  const ownAnswers = ({ organization: { id } }: Attack) =>
    tamper(
      world,
      `update recipients set state = replace(state, '"by":' || (select min(sender) from api_keys
      where organization_id = ${id} and scope = 'ingest'), '"by":' || (select max(sender) from api_keys
      where organization_id = ${id})) where organization_id = ${id}`,
    );
  const minAnswers = (attack: Attack) =>
    tamper(world, `update organizations set min_answers = 1 where id = ${attack.organization.id}`);
  const planted: [
    leak: string,
    tactic: string,
    kind: (typeof kinds)[number],
    (attack: Attack) => Promise<void>,
  ][] = [
    ["anybody may send opens", "adds opens", "opened", joined],
    [
      ...(["forgetting takes the comment away", "forgets the person", "score"] as const),
      async ({ organization, target, ...attack }) => {
        attack.admin.post = async (...args) => {
          await world.database.transactionOf(organization.id, (scope) =>
            forgetRecipient(scope, organization, target.address, world.clock.now),
          );
          return attack.admin.get(args[0]);
        };
      },
    ],
    ["anybody may send answers", "adds answers", "answered", joined],
    [
      ...(["anybody replaces answers, which count at once", "replaces the answer", "score"] as const),
      async (attack) => {
        await joined(attack);
        await ownAnswers(attack);
        await minAnswers(attack);
      },
    ],
  ];
  for (const [leak, tactic, kind, plant] of isFullSize ? planted : planted.slice(0, 2)) {
    const guesses: Guesses[] = [];
    const found = () => compare(guesses).find((each) => each.kind === kind && each.isAbove && each.of > 2);
    for (let seed = 5_000; seed < 5_030 && !found(); seed++)
      guesses.push(await run(seed, tactics[tactic] as Tactic, plant));
    assert.ok(found(), `${leak}: ${JSON.stringify(compare(guesses))}`);
  }
});
