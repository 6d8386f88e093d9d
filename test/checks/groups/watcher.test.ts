// A watcher knows the department, site and team of everybody, and reads all numbers by group after each event and each run of
// upkeep. What changes between two readings must not tell who opened an Anonymous campaign, or who gave which rating.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { dayMs, hourMs } from "../../../src/campaign/calendar/durations.ts";
import type { Organization } from "../../../src/storage/organizations/organizations.ts";
import { addAttributesTo, copyGroupsIf, putDirectory } from "../../support/audience.ts";
import { click, open, tamper } from "../../support/events.ts";
import { Random } from "../../support/histories.ts";
import { isFullSize, randomCases, report } from "../../support/random-cases.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { makeWebWorld } from "../../support/web-world.ts";
import { present } from "../../support/world.ts";
import { boundCounts, type KnownSum, narrow, type Reading } from "./narrow.ts";
import { addViews, askForRows, checkOthers, makeViewsRole, type Row } from "./other-interfaces.ts";

const organizations = randomCases(1, 20);
/** With fewer, no group has enough recipients who opened. */
const recipients = isFullSize ? 120 : 80;
const days = 22;

const site = await makeWebWorld({ after });
const { world, service } = site;
const role = await makeViewsRole({ after }, world.databaseUrl);

interface Person {
  address: string;
  values: Record<string, string>;
  opensAt: number | undefined;
  clicksAt: number | undefined;
  /** When and what the person rates. */
  rating: { at: number; score: number } | undefined;
}

const sizes = { Department: 6, Site: 5, Team: 4 };

function makePeople(random: Random, attributes: readonly string[]): Person[] {
  return Array.from({ length: recipients }, (_, index) => {
    const opensAt = random.chance(70)
      ? Math.round((random.between(1, 1_000) / 1_000) ** 3 * 20 * dayMs)
      : undefined;
    const at = (opensAt ?? 0) + random.between(1, 40) * hourMs;
    return {
      address: `person-${index}@example.com`,
      values: Object.fromEntries(
        attributes.map((name) => [name, `${name} ${random.between(1, sizes[name as keyof typeof sizes])}`]),
      ),
      opensAt,
      clicksAt:
        opensAt !== undefined && random.chance(20) ? opensAt + random.between(1, 60) * hourMs : undefined,
      rating: opensAt !== undefined && random.chance(50) ? { at, score: random.between(0, 10) } : undefined,
    };
  });
}
interface Look {
  groups: Row[];
  email: Row;
}

interface Watched {
  people: Person[];
  looks: Look[];
}

/** One Anonymous campaign, and all that is read while its events arrive. @param leak runs after each event, planted by a test */
async function watch(
  seed: number,
  attributes: readonly string[],
  leak?: (organization: Organization) => Promise<void>,
): Promise<Watched> {
  const random = new Random(seed);
  world.clock.now = present;
  const { organization, key, ingestKey } = await world.addOrganization({ name: `Acme ${seed}` });
  await addAttributesTo(world, organization, attributes);
  const people = makePeople(random, attributes);
  await putDirectory(
    world,
    organization,
    Object.fromEntries(people.map(({ address, values }) => [address, values])),
  );
  const sent_at = new Date(present).toISOString();
  await world.register(organization, 1, { sent_at, tracking_type: "Anonymous", recipient_count: recipients });
  const body = `recipient\n${people.map(({ address }) => address).join("\n")}\n`;
  const { status } = await service.send("/ingest/v1/campaigns/1/recipients", {
    ...{ method: "PUT", key: ingestKey, body, headers: { "content-type": "text/csv" } },
  });
  assert.equal(status, 200);
  if (role) await addViews(world.databaseUrl, organization, role);
  const looks: Look[] = [];
  const look = async () => {
    const source = { url: service.url, key };
    const groups = await askForRows(source, "email_groups");
    const [email] = await askForRows(source, "emails");
    const isSame = isDeepStrictEqual(groups, looks.at(-1)?.groups);
    looks.push({ groups, email: email as Row });
    if (!isSame && !leak) await checkOthers(site, organization, { source, groups, role });
  };
  for (const { at, event } of eventsOf(people)) {
    world.clock.now = present + at;
    if (event) await world.ingest(organization, [event]);
    else await world.publishDue();
    if (event) await leak?.(organization);
    await look();
  }
  return { people, looks };
}

/** Events in order of time, and a run of upkeep each day. */
function eventsOf(people: readonly Person[]) {
  const events: { at: number; event: Record<string, unknown> | undefined }[] = [];
  for (const [index, { address: recipient, opensAt, clicksAt, rating }] of people.entries()) {
    const timed = (at: number) => ({ recipient, at: new Date(present + at).toISOString() });
    if (opensAt !== undefined)
      events.push({ at: opensAt, event: open(index, { id: `o-${index}`, ...timed(opensAt) }) });
    if (clicksAt !== undefined)
      events.push({ at: clicksAt, event: click(index, { id: `c-${index}`, ...timed(clicksAt) }) });
    if (!rating) continue;
    const survey = { type: "survey", survey_id: "s", kind: "enps", score: rating.score };
    events.push({ at: rating.at, event: open(index, { id: `s-${index}`, ...survey, ...timed(rating.at) }) });
  }
  for (let day = 1; day <= days; day++) events.push({ at: day * dayMs + 1, event: undefined });
  return events.sort((a, b) => a.at - b.at);
}

/** How many people the watcher is sure of. */
interface Found {
  openers: number;
  clickers: number;
  nonReaders: number;
  respondents: number;
  scores: number;
}

function conclude({ people, looks }: Watched, attributes: readonly string[]): Found {
  const cellOf = ({ values }: Person) => attributes.map((name) => values[name]).join("\n");
  const cells = [...Map.groupBy(people, cellOf).values()];
  const indexes = (attribute: string, value: unknown) =>
    cells.flatMap(([first], index) => (first?.values[attribute] === value ? [index] : []));
  /** Of the released groups, and of the rest, which the campaign's own number tells. */
  const readingOf = ({ groups, email }: Look, name: string, weightOf?: (row: Row) => number): Reading =>
    attributes.flatMap((attribute) => {
      const own = groups.filter((row) => row.attribute === attribute && row[name] !== null);
      if (own.length === 0) return [];
      const numberIn = (row: Row) => Number(row[name]) * (weightOf?.(row) ?? 1);
      const known: KnownSum[] = own.map((row) => ({
        ...{ cells: indexes(attribute, row.value), sum: Math.round(numberIn(row)) },
      }));
      const seen = new Set(known.flatMap((each) => each.cells));
      const rest = cells.map((_, index) => index).filter((index) => !seen.has(index));
      const sum = Math.round(numberIn(email)) - known.reduce((total, each) => total + each.sum, 0);
      return rest.length > 0 ? [...known, { cells: rest, sum }] : known;
    });
  const changesOf = (name: string) =>
    looks
      .map((look) => ({ look, shown: JSON.stringify(look.groups.map((row) => row[name])) }))
      .filter(({ shown }, index, all) => shown !== all[index - 1]?.shown)
      .map(({ look }) => readingOf(look, name))
      .filter((reading) => reading.length > 0);
  const sizesOf = cells.map((members) => members.length);
  const opens = boundCounts(sizesOf, changesOf("unique_opens"));
  const ratings = boundCounts(sizesOf, changesOf("enps_reactions_count"));
  const sureOf = (bounds: typeof opens) =>
    bounds.reduce((sum, { low }, index) => sum + (low === sizesOf[index] ? low : 0), 0);
  return {
    openers: sureOf(opens),
    clickers: sureOf(boundCounts(sizesOf, changesOf("unique_clicks"))),
    nonReaders: opens.reduce((sum, { high }, index) => sum + (high === 0 ? (sizesOf[index] ?? 0) : 0), 0),
    respondents: sureOf(ratings),
    scores: countScores(looks, ratings, sizesOf, readingOf),
  };
}

/** A score is known if its respondent is, and it was added alone, or the sums of the groups leave no other. */
function countScores(
  looks: readonly Look[],
  ratings: ReturnType<typeof boundCounts>,
  sizesOf: readonly number[],
  readingOf: (look: Look, name: string, weightOf?: (row: Row) => number) => Reading,
): number {
  const alone = looks.filter((look, index) => {
    const before = looks[index - 1];
    if (!before || Number(look.email.enps_reactions_count) !== Number(before.email.enps_reactions_count) + 1)
      return false;
    const sums = new Map(
      readingOf(before, "enps_reactions_count").map((each) => [each.cells.join(" "), each.sum]),
    );
    const raised = readingOf(look, "enps_reactions_count").filter(
      (each) => each.sum === (sums.get(each.cells.join(" ")) ?? each.sum) + 1,
    );
    const fitting = sizesOf.flatMap((size, cell) =>
      raised.every((each) => each.cells.includes(cell)) ? [size] : [],
    );
    const isKnown = [look, before].every(({ email }) => email.enps_score_average !== null);
    return isKnown && raised.length > 0 && fitting.reduce((sum, size) => sum + size, 0) === 1;
  });
  const last = looks.findLast(({ groups }) => groups.some((row) => row.enps_score_average !== null));
  const bounds = ratings.map(({ low, high }) => ({ low: 0 * low, high: 10 * high }));
  const average = (row: Row) => Number(row.enps_score_average ?? 0);
  if (last) {
    const shown = { ...last, groups: last.groups.filter((row) => row.enps_score_average !== null) };
    while (narrow(bounds, readingOf(shown, "enps_reactions_count", average)));
  }
  const leftOver = bounds.filter(
    ({ low, high }, index) => low === high && ratings[index]?.low === 1 && sizesOf[index] === 1,
  );
  return Math.max(alone.length, leftOver.length);
}

const attributesOf = (seed: number) => (seed % 2 === 0 ? ["Department", "Site"] : Object.keys(sizes));

test("who reads after each event learns of no recipient what it did or answered", async () => {
  const sum: Found = { openers: 0, clickers: 0, nonReaders: 0, respondents: 0, scores: 0 };
  const people: Person[] = [];
  let shown = 0;
  for (let seed = 1; seed <= organizations; seed++) {
    const watched = await watch(seed, attributesOf(seed));
    const found = conclude(watched, attributesOf(seed));
    for (const name of Object.keys(sum) as (keyof Found)[]) sum[name] += found[name];
    people.push(...watched.people);
    const last = watched.looks.at(-1)?.groups ?? [];
    shown += last.filter((row) => row.enps_reactions_count !== null).length;
  }
  const [opened, rated] = [people.filter(({ opensAt }) => opensAt), people.filter(({ rating }) => rating)];
  report(`${opened.length} openers, ${rated.length} respondents: ${JSON.stringify(sum)} are found`);
  assert.ok(shown > organizations, "answers of some groups are released");
  assert.deepEqual(sum, { openers: 0, clickers: 0, nonReaders: 0, respondents: 0, scores: 0 });
});

sqliteTest("finds people if groups are copied after each event", async () => {
  const watched = await watch(1, attributesOf(1), async ({ id }) => {
    await tamper(world, `update organizations set min_answers = 1 where id = ${id}`);
    await tamper(world, `delete from released_groups where organization_id = ${id}`);
    await tamper(world, copyGroupsIf(`organization_id = ${id} and recipients >= 10`));
  });
  const found = conclude(watched, attributesOf(1));
  assert.ok(found.openers > 5 && found.clickers > 0 && found.respondents > 5 && found.scores > 5);
});
