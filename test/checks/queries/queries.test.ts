// Sends random queries to the emails endpoint and compares every response with a plain function over the campaigns that
// were imported. The data changes in between.

import assert from "node:assert/strict";
import test from "node:test";
import { pino } from "pino";
import { Random } from "../../support/histories.ts";
import { isFullSize, randomCases, report } from "../../support/random-cases.ts";
import { makeDatabase, makeWorldOn, run, type Service, serve, type World } from "../../support/world.ts";
import { checkDownload } from "./check-download.ts";
import { checkInvalid, checkValid, linksOf, type Seen } from "./check-response.ts";
import { findMatches } from "./expected-page.ts";
import { addTag, type Changes, type ChangingOrganization, change, importSome } from "./random-change.ts";
import { makeQuery, type RandomQuery, unknownParameters } from "./random-query.ts";

const queries = randomCases(120, 45_000);
const organizationCount = isFullSize ? 4 : 2;
/** The largest id of an imported campaign. */
const campaigns = isFullSize ? 400 : 40;
const path = "/data_api/v1/emails";
const queriesPerBatch = 30;
/** SQLite reads so many pages at once. On a busy computer, another one might wait for too long and get 503. */
const concurrentQueries = 2;
/** Queries whose last response is kept, to send them again. */
const maxSeen = 200;

type Counts = Record<"changes" | "valid" | "invalid" | "notModified" | "traversals" | "refusedKeys", number>;

interface Check {
  world: World;
  service: Service;
  organization: ChangingOrganization;
  random: Random;
  counts: Counts;
  /** By organization, oldest first. */
  seen: Map<number, Seen[]>;
}

test("every response equals that of a plain filter, sort and slice, before and after changes (specification 1)", async (t) => {
  const world = await makeWorldOn(t, await makeDatabase(t));
  const service = await serve(t, world, { log: pino({ level: "silent" }) });
  const random = new Random(queries);
  const changes: Changes = { world, service, random, campaigns };
  const organizations: ChangingOrganization[] = [];
  while (organizations.length < organizationCount) organizations.push(await addOrganization(changes));
  const counts: Counts = { changes: 0, valid: 0, invalid: 0, notModified: 0, traversals: 0, refusedKeys: 0 };
  const seen = new Map(organizations.map(({ id }) => [id, []]));
  for (let left = queries; left > 0; left -= queriesPerBatch) {
    for (let more = random.between(1, 4); more > 0; more--) {
      await change(changes, random.pick(organizations));
      counts.changes += 1;
    }
    // Not always the changed one: a change must not affect the others.
    const organization = random.pick(organizations);
    await checkBatch({ world, service, organization, random, counts, seen }, Math.min(left, queriesPerBatch));
  }
  const sizes = organizations.map((each) => each.campaigns.size).join(", ");
  report(
    `organizations with ${sizes} campaigns: ${JSON.stringify(counts)}; every response equals the oracle's`,
  );
});

async function addOrganization(changes: Changes): Promise<ChangingOrganization> {
  const { world, campaigns } = changes;
  const { organization, key, ingestKey } = await world.addOrganization();
  const { id } = organization;
  const { rows } = await run(world.databaseUrl, ["key", "list", "--organization", String(id), "--json"]);
  const added: ChangingOrganization = {
    id,
    timeZone: "UTC",
    tags: new Map(),
    campaigns: new Map(),
    readKey: key,
    readKeyId: Number(rows.find(({ scope }) => scope === "read")?.id),
    ingestKey,
    deletedKeys: [],
  };
  for (let number = 0; number < 5; number++) await addTag(changes, added);
  await importSome(changes, added, campaigns);
  return added;
}

async function checkBatch(check: Check, count: number): Promise<void> {
  const { random, organization, seen } = check;
  const earlier = seen.get(organization.id) ?? [];
  const queries = Array.from({ length: count }, () =>
    earlier.length > 0 && random.chance(15) ? random.pick(earlier).query : makeQuery(random, organization),
  );
  for (let start = 0; start < count; start += concurrentQueries) {
    const some = queries.slice(start, start + concurrentQueries);
    await Promise.all(some.map((query) => checkQuery(check, query)));
  }
  await checkTraversal(check);
  await checkKeys(check);
}

async function checkQuery(check: Check, query: RandomQuery): Promise<void> {
  const { world, service, organization, counts } = check;
  const seen = check.seen.get(organization.id) ?? [];
  const earlier = seen.find((each) => each.query.text === query.text);
  const response = await service.get(`${path}?${query.text}`, {
    key: organization.readKey,
    ...(earlier && { headers: { "if-none-match": earlier.etag } }),
  });
  if (query.invalid.length > 0) {
    counts.invalid += 1;
    checkInvalid(query, response);
    return;
  }
  counts.valid += 1;
  if (response.status === 304) counts.notModified += 1;
  const now = checkValid(organization, query, world.clock.now, response, earlier);
  if (earlier) seen.splice(seen.indexOf(earlier), 1);
  else if (seen.length === maxSeen) seen.shift();
  seen.push(now);
}

/** Follows the links from the first page of a query: every record comes once, in order. A download has the same. */
async function checkTraversal(check: Check): Promise<void> {
  const { world, service, organization, random, counts } = check;
  const query = makeQuery(random, organization);
  if (query.invalid.length > 0 || query.perPage < 5) return;
  const withoutPage = query.text.split("&").filter((parameter) => !parameter.startsWith("page="));
  const emails: Record<string, unknown>[] = [];
  for (let next: string | undefined = `${path}?${withoutPage.join("&")}`; next !== undefined; ) {
    const { status, headers, body, text } = await service.get(next, { key: organization.readKey });
    assert.equal(status, 200, text);
    emails.push(...body.emails);
    const link = linksOf(headers).get("next");
    next = link && link.pathname + link.search;
  }
  const matches = findMatches(organization, query.filters, world.clock.now);
  const [shown, expected] = [emails, matches].map((all) => all.map(({ id }) => id));
  assert.deepEqual(shown, expected, `pages of ?${query.text}`);
  const filters = withoutPage.filter(
    (parameter) => !parameter.startsWith("per_page=") && !unknownParameters.includes(parameter),
  );
  await checkDownload(check, filters.join("&"), emails);
  counts.traversals += 1;
}

/** Keys that are missing, deleted, mistyped or of the wrong scope. */
async function checkKeys({ service, organization, counts }: Check): Promise<void> {
  const { readKey, ingestKey, deletedKeys } = organization;
  const mistyped = readKey.slice(0, -1) + (readKey.endsWith("0") ? "1" : "0");
  for (const key of [undefined, mistyped, ...deletedKeys.slice(-1), ingestKey]) {
    const { status, body } = await service.get(path, key === undefined ? {} : { key });
    assert.equal(status, key === ingestKey ? 403 : 401);
    assert.equal(body.error, key === ingestKey ? "forbidden" : "unauthorized");
    counts.refusedKeys += 1;
  }
}
