// An attacker asks every interface for numbers by group, and solves the equations: who knows the groups of all recipients,
// and every released number, must not learn what a small group did, or what one of a few answered.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { dayMs } from "../../../src/campaign/calendar/durations.ts";
import { changeOrganization } from "../../../src/counting/campaigns/change-organization.ts";
import type { Organization } from "../../../src/storage/organizations/organizations.ts";
import {
  addAttributesTo,
  copyGroupsIf,
  countColumns,
  putDirectory,
  releaseGroups,
} from "../../support/audience.ts";
import { open, tamper } from "../../support/events.ts";
import { Random } from "../../support/histories.ts";
import { readRows } from "../../support/odata.ts";
import { isFullSize, randomCases, report } from "../../support/random-cases.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { makeWebWorld } from "../../support/web-world.ts";
import { present } from "../../support/world.ts";
import { type Equation, solves } from "./equations.ts";
import {
  addViews,
  askForRows,
  askUntilFree,
  checkOthers,
  makeViewsRole,
  type Row,
} from "./other-interfaces.ts";

const organizations = randomCases(2, 200);
const questionsPerState = isFullSize ? 60 : 4;
const minGroup = 5;
const minAnswers = 4;
const outcomes = [
  ...Array.from({ length: 8 }, () => ({ type: "delivery" })),
  { type: "bounce", bounce: "hard" },
  { type: "complaint" },
];
const attributes = ["Country", "Site", "Team"];

const site = await makeWebWorld({ after });
const { world, service } = site;
const role = await makeViewsRole({ after }, world.databaseUrl);

interface Person {
  address: string;
  /** By attribute. */
  values: Record<string, string>;
}

/** Sites lie within countries; teams do not care. Small sites are frequent. */
function makePeople(random: Random): Person[] {
  const sites = random.between(3, 8);
  return Array.from({ length: random.between(25, 80) }, (_, index) => {
    const site = Math.min(random.between(1, sites), random.between(1, sites));
    return {
      address: `person-${index}@example.com`,
      values: {
        Country: `Country ${Math.ceil(site / 3)}`,
        Site: `Site ${site}`,
        Team: `Team ${random.between(1, 4)}`,
      },
    };
  });
}

interface Sent {
  id: number;
  people: Person[];
  /** Who rated it. */
  raters: Set<Person>;
}

/** Anonymous campaigns to some of the people, with lists, opens and ratings. */
async function send(organization: Organization, ingestKey: string, random: Random): Promise<Sent[]> {
  const everyone = makePeople(random);
  await putDirectory(
    world,
    organization,
    Object.fromEntries(everyone.map(({ address, values }) => [address, values])),
  );
  const sent: Sent[] = [];
  for (let id = 1; id <= 3; id++) {
    const people = everyone.filter(() => random.chance(85));
    // Each in another month.
    const sent_at = new Date(present - (10 + 25 * (3 - id)) * dayMs).toISOString();
    const given = { tracking_type: "Anonymous", recipient_count: people.length, sent_at };
    await world.register(organization, id, given);
    const body = `recipient\n${people.map(({ address }) => address).join("\n")}\n`;
    const { status } = await service.send(`/ingest/v1/campaigns/${id}/recipients`, {
      ...{ method: "PUT", key: ingestKey, body, headers: { "content-type": "text/csv" } },
    });
    assert.equal(status, 200);
    const raters = new Set(people.filter(() => random.chance(random.pick([5, 30, 60]))));
    await world.ingest(organization, [
      ...people
        .filter(() => random.chance(50))
        .map(({ address: recipient }, index) =>
          open(index, { id: `o-${index}`, recipient, campaign_id: id }),
        ),
      // Those who do not open have outcomes too.
      ...people.map(({ address: recipient }, index) =>
        open(index, { id: `d-${index}`, recipient, campaign_id: id, ...random.pick(outcomes) }),
      ),
      ...[...raters].map(({ address: recipient }, index) =>
        open(index, {
          ...{ id: `s-${index}`, recipient, campaign_id: id, type: "survey", survey_id: "s" },
          ...{ kind: "enps", score: random.between(0, 10) },
        }),
      ),
    ]);
    sent.push({ id, people, raters });
  }
  return sent;
}

/** Every row that an interface returns to some random questions, and how many numbers these have. */
async function ask(key: string, random: Random): Promise<{ groups: Row[]; emails: Row[]; numbers: number }> {
  const source = { url: service.url, key };
  const groups: Row[] = [];
  const emails: Row[] = [];
  for (let question = 0; question < questionsPerState; question++) {
    const name = random.pick(attributes);
    const filters = [
      "",
      `?$filter=email_id eq ${random.between(1, 3)}`,
      `?$filter=attribute eq '${name}' and unique_opens ge ${random.between(0, 9)}`,
      `?$filter=recipient_count lt ${random.between(1, 40)}`,
      `?$top=${random.between(1, 20)}&$skip=${random.between(0, 9)}`,
    ];
    const path = `/email_groups${random.pick(filters)}`;
    groups.push(...((await askUntilFree(() => readRows(source, path))) as Row[]));
    const format = random.pick(["csv", "ndjson", "parquet"] as const);
    groups.push(...(await askForRows(source, "email_groups", format)));
    emails.push(...(await askForRows(source, "emails", format)));
  }
  const count = (rows: readonly Row[]) =>
    rows.flatMap((row) => Object.values(row)).filter((value) => typeof value === "number").length;
  return { groups, emails, numbers: count(groups) + count(emails) };
}

/** What the attacker learns of each recipient's opens and, only from averages, ratings: sums over recipients. */
function toEquations(sent: readonly Sent[], { groups, emails }: { groups: Row[]; emails: Row[] }) {
  const opens: Equation[] = [];
  const ratings: Equation[] = [];
  const campaignOf = (row: Row, name: string) => sent.find(({ id }) => id === row[name]);
  const learn = (row: Row, id: number, members: readonly Person[], raters: ReadonlySet<Person>) => {
    opens.push(members.map(({ address }) => `${id} ${address}`));
    if (row.enps_score_average === null) return;
    ratings.push(members.filter((each) => raters.has(each)).map(({ address }) => `${id} ${address}`));
  };
  for (const row of groups) {
    const campaign = campaignOf(row, "email_id");
    if (!campaign) continue;
    const { attribute, value } = row as { attribute: string; value: string };
    learn(
      row,
      campaign.id,
      campaign.people.filter(({ values }) => values[attribute] === value),
      campaign.raters,
    );
  }
  for (const row of emails) {
    const campaign = campaignOf(row, "id");
    if (campaign) learn(row, campaign.id, campaign.people, campaign.raters);
  }
  return { opens, ratings };
}

/** The secrets that the equations reveal: what small groups did, and what few or one answered. */
function findLeaks(sent: readonly Sent[], { opens, ratings }: ReturnType<typeof toEquations>): string[] {
  const leaks: string[] = [];
  for (const { id, people, raters } of sent) {
    const names = (some: readonly Person[]) => some.map(({ address }) => `${id} ${address}`);
    for (const attribute of attributes) {
      for (const [value, members] of Map.groupBy(people, ({ values }) => values[attribute] ?? "")) {
        if (members.length < minGroup && solves(opens, names(members)))
          leaks.push(`opens of ${value} in ${id}`);
        const rating = members.filter((each) => raters.has(each));
        const isFew = rating.length > 0 && rating.length < minAnswers;
        if (isFew && solves(ratings, names(rating))) leaks.push(`ratings of ${value} in ${id}`);
      }
    }
    for (const each of people) {
      if (solves(opens, names([each]))) leaks.push(`opens of one person in ${id}`);
      if (raters.has(each) && solves(ratings, names([each]))) leaks.push(`the rating of one person in ${id}`);
    }
    // The rest of a group without groups of another attribute within it.
    for (const whole of groupsOf(people)) {
      for (const attribute of attributes) {
        const parts = groupsOf(people, attribute).filter((part) =>
          part.every((each) => whole.includes(each)),
        );
        for (const rest of restsOf(whole, parts)) {
          if (rest.length < minGroup && solves(opens, names(rest))) leaks.push(`opens of a rest in ${id}`);
        }
      }
    }
  }
  return leaks;
}

const groupsOf = (people: readonly Person[], only?: string): Person[][] =>
  attributes
    .filter((attribute) => only === undefined || attribute === only)
    .flatMap((attribute) => [...Map.groupBy(people, ({ values }) => values[attribute]).values()]);

/** The rest of a group without some of its parts. */
function restsOf(whole: readonly Person[], parts: readonly Person[][]): Person[][] {
  let rests: Person[][] = [[...whole]];
  for (const part of parts)
    rests = [...rests, ...rests.map((rest) => rest.filter((each) => !part.includes(each)))];
  return rests.filter(({ length }) => length > 0);
}

async function makeState(seed: number) {
  const random = new Random(seed);
  world.clock.now = present;
  const { organization, key, ingestKey } = await world.addOrganization({ name: `Acme ${seed}` });
  await world.database.transactionOf(organization.id, (scope) =>
    changeOrganization(scope, { minGroup, minAnswers }, world.clock.now),
  );
  await addAttributesTo(world, organization, attributes);
  const sent = await send(organization, ingestKey, random);
  await releaseGroups(world, 7 * dayMs);
  return { random, organization, key, sent };
}

test("no question about groups reveals what a small group did, or what one of few answered", async () => {
  let numbers = 0;
  let compared = 0;
  let released = 0;
  for (let seed = 1; seed <= organizations; seed++) {
    const { random, organization, key, sent } = await makeState(seed);
    if (role) await addViews(world.databaseUrl, organization, role);
    const before = await ask(key, random);
    const source = { url: service.url, key };
    const groups = await askForRows(source, "email_groups");
    compared += await checkOthers(site, organization, { source, groups, role });
    assert.deepEqual(findLeaks(sent, toEquations(sent, before)), [], `seed ${seed}`);
    // One more answer, and again. Its score follows from the average of the campaign before and after. Groups keep the
    // ratings that they have, so with this score known, too, no other one must be.
    const { people, raters } = sent[0] as Sent;
    const next = people.find((each) => !raters.has(each));
    if (next) {
      const rating = { type: "survey", survey_id: "s", kind: "enps", score: 3, recipient: next.address };
      await world.ingest(organization, [open(1, { id: "one more", ...rating })]);
      await releaseGroups(world, 7 * dayMs);
    }
    const later = await ask(key, random);
    assert.deepEqual(findLeaks(sent, toEquations(sent, later)), [], `seed ${seed}, after one more answer`);
    numbers += before.numbers + later.numbers;
    released += before.groups.length;
  }
  assert.ok(released > organizations, "some groups are released");
  report(
    `${organizations} organizations, ${numbers} numbers asked: nothing below the minimums is determined; ${compared} rows of other interfaces are the same`,
  );
});

sqliteTest("the attacker finds each planted leak", async () => {
  /** Copies all groups that meet a condition, with their averages. */
  const copyIf = (condition: string) => [
    "delete from released_groups where organization_id = $id",
    copyGroupsIf(`organization_id = $id and ${condition}`),
  ];
  const withAverages = (condition: string) => [
    `update released_groups set groups = (
       select json_group_array(json(case when group_id is not null and ${condition}
         then json_replace(value, '$[${1 + countColumns.indexOf("enps_scores")}]', enps_scores) else value end))
       from json_each(released_groups.groups) left join campaign_groups
         on campaign_groups.organization_id = $id and campaign_groups.campaign_id = released_groups.campaign_id
         and group_id = json_extract(value, '$[0]'))
     where organization_id = $id`,
  ];
  const planted = {
    "every group is released": copyIf("1 = 1"),
    "the rest of the withheld groups is not looked at": copyIf(`recipients >= ${minGroup}`),
    "averages have no minimum": withAverages("1 = 1"),
    "averages of the rest are not looked at": withAverages(`enps_reactions >= ${minAnswers}`),
  };
  for (const [leak, change] of Object.entries(planted)) {
    const found: string[] = [];
    for (let seed = 1_000; found.length === 0 && seed < 1_030; seed++) {
      const { random, organization, key, sent } = await makeState(seed);
      for (const statement of change) await tamper(world, statement.replaceAll("$id", `${organization.id}`));
      found.push(...findLeaks(sent, toEquations(sent, await ask(key, random))));
    }
    assert.notDeepEqual(found, [], leak);
  }
});
