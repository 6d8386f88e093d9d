// GET /data_api/v1/emails against a simple oracle: random campaigns, time ranges, tags and pages, with changes in between.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { formatSentAt } from "../../../src/campaign/calendar/sent-at.ts";
import { removeCampaign } from "../../../src/counting/campaigns/remove-campaign.ts";
import { changeOrganization, type Organization } from "../../../src/storage/organizations.ts";
import { changeTag, deleteTag, listTags } from "../../../src/storage/tags.ts";
import { randomCases } from "../../support/random-cases.ts";
import { campaign, makeWorld, present, type Service, serve, type World } from "../../support/world.ts";

interface Known {
  id: number;
  sentAt: number;
  tags: string[];
}

interface Question {
  page: number;
  perPage: number;
  after: number | null;
  before: number | null;
  tags: string[];
}

/** The oracle, in ten lines: filter, sort, slice. */
function oracle(campaigns: Known[], { page, perPage, after, before, tags }: Question, now: number) {
  const found = campaigns
    .filter(({ sentAt }) => sentAt <= now && sentAt >= (after ?? -Infinity) && sentAt <= (before ?? Infinity))
    .filter((each) => tags.length === 0 || tags.some((tag) => each.tags.includes(tag)))
    .sort((a, b) => b.sentAt - a.sentAt || b.id - a.id);
  const size = Math.min(perPage, 100);
  const emails = found.slice((page - 1) * size, page * size);
  return {
    emails,
    meta: { page, per_page: size, total_entries: found.length, total_pages: Math.ceil(found.length / size) },
  };
}

/** Few different instants, so that many campaigns share one or are next to it. Some are in the future. */
const instant = fc
  .tuple(fc.integer({ min: -40, max: 5 }), fc.constantFrom(0, 0, 1))
  .map(([step, beside]) => present + step * 7_000 + beside);
const someTags = fc.subarray(["a", "b", "c", "d"]);
const known = fc.record({ id: fc.integer({ min: 1, max: 400 }), sentAt: instant, tags: someTags });
const question: fc.Arbitrary<Question> = fc.record({
  page: fc.integer({ min: 1, max: 8 }),
  perPage: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constantFrom(100, 101, 5000)),
  after: fc.option(instant, { freq: 2 }),
  before: fc.option(instant, { freq: 2 }),
  tags: someTags,
});
const change = fc.oneof(
  fc.record({ kind: fc.constant("save" as const), campaign: known }),
  fc.record({ kind: fc.constant("remove" as const), campaign: known }),
  fc.record({ kind: fc.constant("rename tag" as const), tag: fc.nat() }),
  fc.record({ kind: fc.constant("delete tag" as const), tag: fc.nat() }),
  fc.record({
    kind: fc.constant("time zone" as const),
    zone: fc.constantFrom("UTC", "America/St_Johns", "Asia/Kathmandu"),
  }),
  fc.record({ kind: fc.constant("clock" as const) }),
);
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

/** The expected state of an organization, next to the real one. */
class Model {
  readonly campaigns = new Map<number, Known>();
  timeZone = "UTC";
  readonly #world: World;
  readonly #organization: Organization;

  constructor(world: World, organization: Organization) {
    this.#world = world;
    this.#organization = organization;
  }

  async save(campaigns: Known[]): Promise<void> {
    for (const each of campaigns) this.campaigns.set(each.id, each);
    await this.#world.save(
      this.#organization,
      campaigns.map((each) => campaign(each)),
    );
  }

  tags() {
    return this.#world.database.snapshot((queries) => listTags(queries, this.#organization.id));
  }

  async apply(change: Change): Promise<void> {
    const { database, clock } = this.#world;
    const { id: organizationId } = this.#organization;
    const now = clock.now;
    if (change.kind === "clock") clock.now += 7_000;
    else if (change.kind === "save") await this.save([change.campaign]);
    else if (change.kind === "remove") {
      const { id } = change.campaign;
      const removed = await database.transaction((queries) =>
        removeCampaign(queries, organizationId, id, now),
      );
      assert.equal(removed, this.campaigns.delete(id));
    } else if (change.kind === "time zone") {
      this.timeZone = change.zone;
      await database.transaction((queries) =>
        changeOrganization(queries, organizationId, { timeZone: change.zone }, now),
      );
    } else {
      const tags = await this.tags();
      const tag = tags[change.tag % tags.length];
      if (!tag) return;
      const name = change.kind === "rename tag" ? `${tag.name}'` : undefined;
      if (tags.some((other) => other.name === name)) return;
      await database.transaction(async (queries) => {
        if (name === undefined) await deleteTag(queries, { organizationId, id: tag.id, now });
        else await changeTag(queries, { organizationId, id: tag.id, change: { name }, now });
      });
      const replaced = (each: string) => (each !== tag.name ? [each] : name === undefined ? [] : [name]);
      for (const each of this.campaigns.values()) each.tags = each.tags.flatMap(replaced);
    }
  }

  async check(service: Service, key: string, question: Question): Promise<void> {
    const { page, perPage, after, before, tags } = question;
    const query = new URLSearchParams({ page: String(page), per_page: String(perPage) });
    if (after !== null) query.set("sent_after", new Date(after).toISOString());
    if (before !== null) query.set("sent_before", new Date(before).toISOString());
    const ids = new Map((await this.tags()).map(({ id, name }) => [name, id]));
    // A tag that was never used or was deleted has no id; use an unknown id.
    if (tags.length > 0) query.set("tag_ids", tags.map((name) => ids.get(name) ?? 999_999).join());
    const answer = await service.emails(key, `?${query}`);
    const expected = oracle([...this.campaigns.values()], question, this.#world.clock.now);
    assert.deepEqual(answer.meta, expected.meta);
    assert.deepEqual(
      answer.emails.map((record) => [
        record.id,
        record.sent_at,
        (record.tags as { name: string }[]).map(({ name }) => name),
      ]),
      expected.emails.map((each) => [
        each.id,
        formatSentAt(each.sentAt, this.timeZone),
        each.tags.toSorted(),
      ]),
    );
  }
}

const history = fc.record({
  campaigns: fc.uniqueArray(known, { selector: ({ id }) => id, maxLength: 150 }),
  steps: fc.array(fc.record({ change, questions: fc.array(question, { minLength: 1, maxLength: 4 }) }), {
    maxLength: 8,
  }),
});

test("returns the same page as a plain filter, sort and slice of any campaigns, before and after changes (specification 1)", async (t) => {
  // All runs share one database and one server. Each run has its own organization and a foreign one.
  const world = await makeWorld(t);
  const service = await serve(t, world);
  await fc.assert(
    fc.asyncProperty(history, async ({ campaigns, steps }) => {
      world.clock.now = present;
      const { organization, key } = await world.addOrganization();
      const stranger = await world.addOrganization({ name: "Stranger" });
      await world.save(
        stranger.organization,
        campaigns.map((each) => campaign({ ...each, subject: "a stranger's" })),
      );
      const model = new Model(world, organization);
      await model.save(structuredClone(campaigns));
      for (const step of structuredClone(steps)) {
        await model.apply(step.change);
        for (const each of step.questions) await model.check(service, key, each);
      }
    }),
    { numRuns: randomCases(30) },
  );
});
