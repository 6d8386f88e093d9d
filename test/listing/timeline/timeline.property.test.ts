// The timeline compared with a plain filter and sort: random selections over many chunks, and changes in between.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { Timeline } from "../../../src/listing/timeline/timeline.ts";
import { columnsOf, maxChunkSize } from "../../../src/listing/timeline/timeline-chunk.ts";
import type { IndexEntry, TaggedIndexEntry } from "../../../src/storage/campaigns/index-entries.ts";
import { randomCases } from "../../support/random-cases.ts";

/** Few instants, so that many campaigns share one, even across chunks. */
const instants = 400;
const ids = 5 * maxChunkSize;
const tagIds = [3, 7, 8, 2 ** 40];

const entry = fc.record({
  id: fc.integer({ min: 1, max: ids }),
  sentAt: fc.integer({ min: 0, max: instants }),
  tagIds: fc.subarray(tagIds),
});
/** A few anywhere, or very many close together, so that chunks split and become empty. */
const change = fc.record({
  changed: fc.uniqueArray(entry, { selector: ({ id }) => id, maxLength: 6 }),
  /** The first of many consecutive ids. */
  many: fc.option(entry, { freq: 3 }),
  deleted: fc.array(fc.integer({ min: 1, max: ids }), { maxLength: 6 }),
  manyDeletedFrom: fc.option(fc.integer({ min: 1, max: ids }), { freq: 3 }),
  deletedTags: fc.option(fc.constantFrom(...tagIds), { freq: 4 }),
});
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

const consecutive = (first: number | undefined, count: number) =>
  first === undefined ? [] : Array.from({ length: count }, (_, index) => first + index);

function expandChange({ changed, many, deleted, manyDeletedFrom, deletedTags }: Change) {
  const moved = consecutive(many?.id, maxChunkSize + 5).map((id) => ({ ...(many as TaggedIndexEntry), id }));
  return {
    changed: [...changed, ...moved.filter(({ id }) => !changed.some((each) => each.id === id))],
    deletedIds: [...deleted, ...consecutive(manyDeletedFrom ?? undefined, maxChunkSize + 100)],
    deletedTagIds: deletedTags === null ? [] : [deletedTags],
  };
}
const instant = fc.integer({ min: -1, max: instants + 1 });
const page = fc.record({
  sentFrom: fc.option(instant, { nil: undefined }),
  sentUntil: fc.option(instant, { nil: undefined }),
  tagIds: fc.option(fc.subarray([...tagIds, 999]), { nil: undefined }),
  offset: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: ids })),
  limit: fc.integer({ min: 1, max: 100 }),
});
type PageQuery = typeof page extends fc.Arbitrary<infer Value> ? Value : never;

const newestFirst = (one: IndexEntry, other: IndexEntry) => other.sentAt - one.sentAt || other.id - one.id;

function oracle(campaigns: Iterable<TaggedIndexEntry>, query: PageQuery) {
  const all = [...campaigns].sort(newestFirst);
  const found = all.filter(
    (each) =>
      each.sentAt >= (query.sentFrom ?? -Infinity) &&
      each.sentAt < (query.sentUntil ?? Infinity) &&
      (query.tagIds?.some((id) => each.tagIds.includes(id)) ?? true),
  );
  const entries = found.slice(query.offset, query.offset + query.limit);
  const first = all.indexOf(entries[0] as TaggedIndexEntry);
  const listed = entries.map(({ id, sentAt }) => ({ sentAt, id }));
  const range = {
    newest: listed[0],
    oldest: listed.at(-1),
    count: listed.length,
    isContiguous: entries.every((each, index) => all[first + index] === each),
  };
  return { entries: listed, range: listed.length > 0 ? range : undefined, total: found.length };
}

/** Each batch also has tags of other campaigns, and none in the order of its campaigns. */
async function timelineOf(campaigns: Iterable<TaggedIndexEntry>, batchSize: number): Promise<Timeline> {
  const all = [...campaigns];
  const sorted = all.toSorted(newestFirst);
  const { taggedIds, tagIds } = columnsOf(all);
  async function* batches() {
    for (let start = 0; start < sorted.length; start += batchSize)
      yield { ...columnsOf(sorted.slice(start, start + batchSize)), taggedIds, tagIds };
    yield columnsOf([]);
  }
  return Timeline.load({ revision: 1, revisionId: 1 }, batches());
}

test("selects the same campaigns as a plain filter, sort and slice, even after changes", async () => {
  const history = fc.record({
    size: fc.constantFrom(0, 1, 50, 2 * maxChunkSize, 3 * maxChunkSize + 17),
    batchSize: fc.constantFrom(1_000, 2_048, maxChunkSize),
    steps: fc.array(fc.record({ change, queries: fc.array(page, { minLength: 1, maxLength: 6 }) }), {
      maxLength: 5,
    }),
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ size, batchSize, steps }) => {
      const campaigns = new Map<number, TaggedIndexEntry>();
      for (let id = 1; id <= size; id++) {
        const tags = tagIds.filter((_, index) => (id * 7919) % (index + 2) === 0);
        campaigns.set(id, { id, sentAt: (id * 104_729) % instants, tagIds: tags });
      }
      let timeline = await timelineOf(campaigns.values(), batchSize);
      let revision = 1;
      for (const { change, queries } of steps) {
        revision += 1;
        const { changed, deletedIds, deletedTagIds } = expandChange(change);
        const before = queries.map((each) => timeline.select(each, each.offset, each.limit));
        const next = await timeline.after({
          revision,
          revisionId: revision,
          deletedIds,
          deletedTagIds,
          changed,
        });
        assert.deepEqual(
          queries.map((each) => timeline.select(each, each.offset, each.limit)),
          before,
          "the earlier timeline does not change",
        );
        for (const id of deletedIds) campaigns.delete(id);
        for (const [id, each] of campaigns) {
          campaigns.set(id, { ...each, tagIds: each.tagIds.filter((tag) => !deletedTagIds.includes(tag)) });
        }
        for (const each of changed) campaigns.set(each.id, each);
        timeline = next;
        assert.equal(timeline.revision, revision);
        assert.equal(timeline.size, campaigns.size);
        for (const each of queries) {
          const { total, entries, range } = oracle(campaigns.values(), each);
          assert.deepEqual(timeline.select(each, each.offset, each.limit), { entries, total });
          assert.deepEqual(timeline.selectRange(each, each.offset, each.limit), { range, total });
          const times = [...campaigns.values()].map(({ sentAt }) => sentAt);
          const at = each.sentFrom ?? 0;
          assert.deepEqual(timeline.around(at), {
            lastSentAt: times.filter((time) => time < at).reduce((a, b) => Math.max(a, b), 0),
            nextSentAt: times.filter((time) => time >= at).reduce((a, b) => Math.min(a, b), Infinity),
          });
        }
      }
    }),
    { numRuns: randomCases(20) },
  );
});

test("uses the new position of a campaign that moved while the timeline loads", async () => {
  const all = Array.from({ length: 3 * maxChunkSize }, (_, index) => ({
    id: index + 1,
    sentAt: index,
    tagIds: [3],
  }));
  const twice = [...all, { id: 5, sentAt: 3 * maxChunkSize + 1, tagIds: [] }];
  const timeline = await timelineOf(twice, 2_048);
  const changed = [{ id: 5, sentAt: maxChunkSize * 2, tagIds: [7] }];
  const state = { revision: 2, revisionId: 2 };
  const next = await timeline.after({ ...state, deletedIds: [], deletedTagIds: [], changed });
  assert.equal(next.size, all.length);
  assert.deepEqual(next.select({ tagIds: [7] }, 0, 10).entries, [{ sentAt: maxChunkSize * 2, id: 5 }]);
});

test("limits the cache of tags to the memory of the campaigns", async () => {
  const many = Array.from({ length: 2 * maxChunkSize }, (_, index) => ({
    id: index + 1,
    sentAt: index,
    tagIds: [1 + (index % 50), 100],
  }));
  const timeline = await timelineOf(many, 2_048);
  const empty = timeline.bytes;
  for (let one = 1; one <= 50; one++) {
    for (let other = 1; other <= 50; other++) timeline.select({ tagIds: [one, other, 100] }, 0, 10);
  }
  assert.ok(timeline.bytes > empty);
  assert.ok(timeline.bytes <= 2.1 * empty, `${timeline.bytes} of ${empty}`);
});
