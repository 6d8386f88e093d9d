// Undoing imports in any order, among changes by people, equals a plain model: each campaign is a list of what was said of it,
// and what people have set of it.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { parseReportedCampaign } from "../../../src/campaign/reported-campaign.ts";
import { removeTag } from "../../../src/counting/campaigns/change-tag.ts";
import { correctCampaign, detailsOf } from "../../../src/counting/campaigns/correct-campaign.ts";
import { removeCampaign } from "../../../src/counting/campaigns/remove-campaign.ts";
import { finishImport, importRows } from "../../../src/counting/import/import-upload.ts";
import { deleteExpiredImport, importLifetimeMs } from "../../../src/counting/import/upload.ts";
import { findCampaignIds, findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../../src/storage/campaigns/stored-campaign.ts";
import {
  addImport,
  findImport,
  findSampleImport,
  neverExpires,
  type StoredImport,
} from "../../../src/storage/imports/imports.ts";
import { lockOrganization, type Organization } from "../../../src/storage/organizations/organizations.ts";
import { listTags } from "../../../src/storage/organizations/tags.ts";
import { rowsPerStatement } from "../../../src/storage/queries/database.ts";
import type { Queries } from "../../../src/storage/queries/queries.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { pick } from "../../support/pick.ts";
import { randomCases } from "../../support/random-cases.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { undoImport } from "../../support/undo-import.ts";
import { makeAcme, makeWorld, type World } from "../../support/world.ts";

interface Said {
  subject: string;
  opens: number;
  tags: string[];
}
/** By id. Few values, so that imports overlap and often say the same. A file may lack columns. */
type File = Partial<Record<number, Partial<Said> & { subject: string }>>;

type Step =
  | { name: "import" | "command"; file: File }
  | { name: "undo" | "expire"; which: number }
  | { name: "correct"; id: number; set: Partial<Omit<Said, "opens">> }
  | { name: "reset"; id: number }
  | { name: "delete"; id: number }
  | { name: "delete tag"; tag: string };

const ids = [1, 2];
const tagNames = ["T", "U"];
const subject = fc.constantFrom("A", "B");
const tags = fc.subarray(tagNames);
const said = fc.record(
  { subject, opens: fc.constantFrom(1, 2), tags },
  { requiredKeys: ["subject"] },
) as fc.Arbitrary<Partial<Said> & { subject: string }>;
const set = fc.record({ subject, tags }, { requiredKeys: [] }) as fc.Arbitrary<Partial<Omit<Said, "opens">>>;
const file = fc
  .subarray(ids, { minLength: 1 })
  .chain((some) => fc.tuple(...some.map(() => said)).map((all) => [some, all] as const))
  .map(([some, all]) => Object.fromEntries(some.map((id, index) => [id, all[index]])) as File);
const which = fc.nat(5);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name: fc.constant("import" as const), file }) },
  { weight: 4, arbitrary: fc.record({ name: fc.constant("undo" as const), which }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant("expire" as const), which }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant("command" as const), file }) },
  {
    weight: 3,
    arbitrary: fc.record({ name: fc.constant("correct" as const), id: fc.constantFrom(...ids), set }),
  },
  { weight: 1, arbitrary: fc.record({ name: fc.constant("reset" as const), id: fc.constantFrom(...ids) }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant("delete" as const), id: fc.constantFrom(...ids) }) },
  {
    weight: 1,
    arbitrary: fc.record({ name: fc.constant("delete tag" as const), tag: fc.constantFrom(...tagNames) }),
  },
);
const histories = fc.record({
  startsWithSample: fc.boolean(),
  steps: fc.array(step, { minLength: 6, maxLength: 16 }),
});

const [first, second, third] = [
  { subject: "A", opens: 1, tags: ["T"] },
  { subject: "B", opens: 2, tags: ["T", "U"] },
  { subject: "C", opens: 2, tags: [] },
];
const brings = (one: Said | undefined): Step => ({ name: "import", file: { 1: one } as File });
const undoes = (index: number): Step => ({ name: "undo", which: index });
/** Histories that went wrong, or that are rare. */
const examples = [
  { startsWithSample: false, steps: [brings(first), brings(second), undoes(0), undoes(0)] },
  { startsWithSample: false, steps: [brings(first), brings(first), undoes(0), undoes(0)] },
  { startsWithSample: false, steps: [brings(first), { name: "delete tag", tag: "T" }, undoes(0)] },
  { startsWithSample: true, steps: [brings(second), { name: "expire", which: 1 }, undoes(0)] },
  {
    startsWithSample: true,
    steps: [brings(second), { name: "correct", id: 1, set: first }, undoes(0), { name: "delete", id: 2 }],
  },
  {
    startsWithSample: false,
    steps: [brings(first), { name: "correct", id: 1, set: second }, brings(third), undoes(0), undoes(0)],
  },
].map((history) => [history] as [{ startsWithSample: boolean; steps: Step[] }]);

/** Who said something of a campaign: an import that can be undone, or anything else. */
type Source = number | "others";

class Model {
  /** What was said of each campaign, the newest last. A tag that was deleted is in none. */
  readonly campaigns = new Map<number, { source: Source; said: Said }[]>();
  /** What people have set: a subject, and which tags they added and removed. */
  readonly set = new Map<number, { subject?: string; tags: Map<string, "added" | "removed"> }>();
  /** Which imports that can be undone brought a tag; none for tags that came otherwise. */
  readonly tags = new Map<string, Set<number>>();
  readonly sizes = new Map<number, number>();
  sample: number | undefined;

  said(): Map<number, Said> {
    return new Map([...this.campaigns].map(([id, layers]) => [id, layers.at(-1)?.said as Said]));
  }

  shown(): Map<number, Said> {
    return new Map(
      [...this.said()].map(([id, { subject, opens, tags }]) => {
        const set = this.set.get(id);
        const has = (tag: string) => {
          const change = set?.tags.get(tag);
          return change ? change === "added" : tags.includes(tag);
        };
        return [id, { subject: set?.subject ?? subject, opens, tags: tagNames.filter(has) }];
      }),
    );
  }

  /** Whatever is not an import that can be undone replaces all that was said before. */
  say(source: Source, given: File): void {
    for (const [key, each] of Object.entries(given)) {
      const id = Number(key);
      const all = this.campaigns.get(id) ?? [];
      const { opens = 0, tags = [] } = all.at(-1)?.said ?? {};
      const said = { opens, tags, ...each } as Said;
      this.campaigns.set(id, [...(source === "others" ? [] : all), { source, said }]);
    }
    const brought = Object.keys(given).flatMap((key) => this.said().get(Number(key))?.tags ?? []);
    for (const tag of new Set(brought)) {
      const bringers = this.tags.get(tag);
      if (source === "others") this.tags.set(tag, bringers ?? new Set());
      else if (!bringers) this.tags.set(tag, new Set([source]));
      else if (bringers.size > 0) bringers.add(source);
    }
    if (source !== "others") this.sizes.set(source, Object.keys(given).length);
  }

  correct(id: number, { subject, tags }: Partial<Omit<Said, "opens">>): void {
    const [said, shown] = [this.said().get(id) as Said, this.shown().get(id) as Said];
    const set: { subject?: string; tags: Map<string, "added" | "removed"> } = this.set.get(id) ?? {
      tags: new Map(),
    };
    this.set.set(id, set);
    if (subject !== undefined && subject !== shown.subject) {
      if (subject === said.subject) delete set.subject;
      else set.subject = subject;
    }
    for (const tag of tags ?? []) if (!this.tags.has(tag)) this.tags.set(tag, new Set());
    if (tags && String(tags.toSorted()) !== String(shown.tags)) {
      for (const tag of tagNames) {
        const [is, was, isSaid] = [tags.includes(tag), shown.tags.includes(tag), said.tags.includes(tag)];
        if (is && !isSaid) set.tags.set(tag, "added");
        else if (is && set.tags.get(tag) === "removed") set.tags.delete(tag);
        else if (!is && (was || set.tags.get(tag) === "removed")) set.tags.set(tag, "removed");
      }
      if (String(tags.toSorted()) === String(said.tags.toSorted())) set.tags.clear();
    }
  }

  delete(id: number): void {
    this.campaigns.delete(id);
    this.set.delete(id);
  }

  removeTag(tag: string): void {
    this.tags.delete(tag);
    for (const { tags } of this.set.values()) tags.delete(tag);
    for (const layers of this.campaigns.values()) {
      for (const layer of layers) {
        layer.said = { ...layer.said, tags: layer.said.tags.filter((each) => each !== tag) };
      }
    }
  }

  undo(source: number) {
    const before = this.said();
    for (const [id, layers] of this.campaigns) {
      const left = layers.filter((layer) => layer.source !== source);
      if (left.length > 0) this.campaigns.set(id, left);
      else this.delete(id);
    }
    const after = this.said();
    const textOf = (one: Said | undefined) => JSON.stringify(one && sorted(one));
    const isOther = (id: number) => textOf(before.get(id)) !== textOf(after.get(id));
    const [removed, restored] = [before.size - after.size, [...after.keys()].filter(isOther).length];
    for (const [tag, bringers] of this.tags) {
      if (!bringers.delete(source) || bringers.size > 0) continue;
      const layers = [...this.campaigns.values()].flat();
      const all = [...layers.map((layer) => layer.said), ...after.values(), ...this.shown().values()];
      if (!all.some(({ tags }) => tags.includes(tag))) this.removeTag(tag);
    }
    return { removed, restored, kept: (this.sizes.get(source) ?? 0) - removed - restored };
  }

  /** What an import said is for good. */
  expire(source: number): void {
    for (const [id, layers] of this.campaigns) {
      const at = layers.findIndex((layer) => layer.source === source);
      if (at < 0) continue;
      const settled = { source: "others" as const, said: layers[at]?.said as Said };
      this.campaigns.set(id, [settled, ...layers.slice(at + 1)]);
    }
    for (const bringers of this.tags.values()) bringers.delete(source);
  }

  hasSample(): boolean {
    const tops = [...this.campaigns.values()].map((layers) => layers.at(-1)?.source);
    return this.sample !== undefined && tops.includes(this.sample);
  }
}

const sorted = ({ subject, opens, tags }: Said): Said => ({ subject, opens, tags: tags.toSorted() });

const reportedIn = (given: File) =>
  Object.entries(given).flatMap(([id, each]) => {
    const { opens, tags, subject } = each ?? {};
    const record = {
      ...{ id: Number(id), subject, sent_at: "2024-01-01" },
      ...(opens !== undefined && { unique_opens: opens }),
      ...(tags && { tags: tags.map((name) => ({ name, color: "#112233" })) }),
    };
    return parseReportedCampaign(record, "UTC").reported ?? [];
  });

/** The organization, through the functions that pages and commands call. */
class Real {
  readonly #world: World;
  readonly #organization: Organization;

  constructor(world: World, organization: Organization) {
    this.#world = world;
    this.#organization = organization;
  }

  write<Result>(work: (queries: Queries, organization: Organization) => Promise<Result>): Promise<Result> {
    return this.#world.database.transaction(async (queries) => {
      const organization = await lockOrganization(new Scope(queries, this.#organization.id));
      return work(queries, organization as Organization);
    });
  }

  /** The first row is a part of its own. */
  async import(given: File, now: number, expiresAt: number): Promise<number> {
    const rows = reportedIn(given).map((reported) => ({ where: "file", reported }));
    let imported = await this.write(async (queries, { id }) => {
      const upload = { createdAt: now, expiresAt, createdBy: "ann", fileName: "f", bytes: 0 };
      const scope = new Scope(queries, id);
      return (await findImport(scope, await addImport(scope, upload))) as StoredImport;
    });
    for (const part of [rows.slice(0, 1), rows.slice(1)]) {
      imported = await this.write((queries, organization) =>
        importRows(new Scope(queries, organization.id), organization, imported, part, now),
      );
    }
    await this.write((queries, { id }) => finishImport(new Scope(queries, id), imported, now));
    return imported.id;
  }

  correct(
    id: number,
    input: Partial<Omit<Said, "opens">>,
    { now, reset }: { now: number; reset?: "subject" | "tags" },
  ): Promise<unknown> {
    return this.write(async (queries, organization) => {
      const [stored] = await findCampaigns(new Scope(queries, organization.id), [id]);
      const details = detailsOf(stored as StoredCampaign);
      return correctCampaign(new Scope(queries, organization.id), organization, {
        ...{ id, details, input, now, reset },
        actor: "ann",
      });
    });
  }

  async state() {
    const { id } = this.#organization;
    return this.#world.database.snapshot(async (queries) => {
      const stored = await findCampaigns(
        new Scope(queries, id),
        await findCampaignIds(new Scope(queries, id)),
      );
      const shown = stored.map(({ campaign: { id: key, subject }, numbers, tags }) => {
        const { unique_opens: opens } = ("reported" in numbers && numbers.reported) || {};
        return [key, sorted({ subject, opens: opens ?? 0, tags: tags.map(({ name }) => name) })] as const;
      });
      return {
        campaigns: Object.fromEntries(shown),
        tags: (await listTags(new Scope(queries, id))).map(({ name }) => name).sort(),
        hasSample: (await findSampleImport(new Scope(queries, id))) !== undefined,
      };
    });
  }
}

test("undoing imports in any order equals a model that keeps what each said", async (t) => {
  const world = await makeWorld(t);
  const sequence = fc.asyncProperty(histories, async ({ startsWithSample, steps }) => {
    const { organization } = await world.addOrganization();
    const [model, real] = [new Model(), new Real(world, organization)];
    /** The ids of imports that can be undone, and when they expire. */
    const live = new Map<number, number>();
    let now = world.clock.now;
    const importAs = async (given: File, expiresAt: number) => {
      const id = await real.import(given, now, expiresAt);
      live.set(id, expiresAt);
      model.say(id, given);
      return id;
    };
    if (startsWithSample) {
      const one = { subject: "Sample", opens: 1, tags: ["T"] };
      model.sample = await importAs({ 1: one, 2: one }, neverExpires);
    }
    for (const each of steps) {
      now += 1_000;
      const [id] = [...live.keys()].slice("which" in each ? each.which % Math.max(1, live.size) : 0);
      if (each.name === "import") await importAs(each.file, now + importLifetimeMs);
      if (each.name === "undo" && id !== undefined) {
        const undone = await undoImport(world.database, organization.id, { id, actor: "ann", now });
        assert.deepEqual(undone, model.undo(id));
        live.delete(id);
      }
      if (each.name === "expire" && id !== undefined && live.get(id) !== neverExpires) {
        const until = (live.get(id) as number) + 1;
        while (
          await real.write((queries) => deleteExpiredImport(new Scope(queries, organization.id), until))
        );
        const expired = [...live].filter(([, expiresAt]) => expiresAt < until);
        for (const [one] of expired) {
          model.expire(one);
          live.delete(one);
        }
      }
      if (each.name === "command") {
        await world.save(organization, reportedIn(each.file));
        model.say("others", each.file);
      }
      const shown = "id" in each ? model.shown().get(each.id) : undefined;
      if (each.name === "correct" && shown) {
        await real.correct(each.id, each.set, { now });
        model.correct(each.id, each.set);
      }
      if (each.name === "reset" && shown) {
        const { subject, tags } = model.said().get(each.id) as Said;
        await real.correct(each.id, { subject }, { now, reset: "subject" });
        await real.correct(each.id, { tags }, { now, reset: "tags" });
        model.set.delete(each.id);
      }
      if (each.name === "delete" && shown) {
        await real.write((queries) => removeCampaign(new Scope(queries, organization.id), each.id, now));
        model.delete(each.id);
      }
      if (each.name === "delete tag" && model.tags.has(each.tag)) {
        await real.write(async (queries, locked) => {
          const tag = (await listTags(new Scope(queries, locked.id))).find(({ name }) => name === each.tag);
          return removeTag(new Scope(queries, locked.id), locked, tag?.id ?? 0, now);
        });
        model.removeTag(each.tag);
      }
      assert.deepEqual(await real.state(), {
        campaigns: Object.fromEntries([...model.shown()].map(([key, one]) => [key, sorted(one)])),
        tags: [...model.tags.keys()].sort(),
        hasSample: model.hasSample(),
      });
    }
  });
  await fc.assert(sequence, { numRuns: examples.length + randomCases(12, 2_000), examples });
});

sqliteTest("undoes imports of more campaigns than one statement takes", async (t) => {
  const { world, organization } = await makeAcme(t);
  const real = new Real(world, organization);
  const { now } = world.clock;
  const some = Array.from({ length: rowsPerStatement + 1 }, (_, index) => index + 1);
  const importOf = (opens: number) => {
    const each = { subject: "A", opens, tags: ["T"] };
    return real.import(Object.fromEntries(some.map((id) => [id, each])), now, now + importLifetimeMs);
  };
  const imports = [await importOf(1), await importOf(2), await importOf(3)];
  const undo = (index: number) =>
    undoImport(world.database, organization.id, { id: imports[index] as number, actor: "ann", now });
  const all = some.length;
  assert.deepEqual(await undo(0), { removed: 0, restored: 0, kept: all });
  assert.deepEqual(await undo(2), { removed: 0, restored: all, kept: 0 });
  const { campaigns } = await real.state();
  const expected = some.map(() => 2);
  assert.deepEqual(pick(Object.values(campaigns), "opens"), expected);
  assert.deepEqual(await undo(1), { removed: all, restored: 0, kept: 0 });
  assert.deepEqual(await real.state(), { campaigns: {}, tags: [], hasSample: false });
});
