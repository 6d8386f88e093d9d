// The tables of feeds: their keys, the examples of their fields, and the order of rows.

import assert from "node:assert/strict";
import test from "node:test";
import {
  compareRows,
  type FeedOrder,
  type FeedTable,
  feedTables,
} from "../../../src/campaign/feed/feed-tables.ts";
import type { RecordField } from "../../../src/campaign/record-fields.ts";

test("sorts rows by each field in its direction, null before all other values", () => {
  const rows = [
    { id: 1, at: 5 },
    { id: 2, at: null },
    { id: 3, at: -1 },
    { id: 4, at: 5 },
    { id: 5, at: null },
  ];
  const ids = (...order: FeedOrder[]) => rows.toSorted(compareRows(order)).map(({ id }) => id);
  assert.deepEqual(ids(["at", "asc"], ["id", "asc"]), [2, 5, 3, 1, 4]);
  assert.deepEqual(ids(["at", "asc"], ["id", "desc"]), [5, 2, 3, 4, 1]);
  assert.deepEqual(ids(["at", "desc"], ["id", "asc"]), [1, 4, 3, 2, 5]);
  assert.equal(compareRows([["at", "asc"]])({ at: 5 }, { at: 5 }), 0);
});

const tables: [name: string, table: FeedTable][] = Object.entries(feedTables);

test("identifies and orders the rows of a table by its fields", () => {
  for (const [name, { fields, key, order, sortedBy }] of tables) {
    for (const field of [...key, ...order.map(([each]) => each), ...sortedBy]) {
      assert.ok(Object.hasOwn(fields, field), `${name} has no ${field}`);
    }
    const ordered = order.map(([field]) => field);
    assert.ok(
      key.every((field) => ordered.includes(field)),
      name,
    );
  }
});

test("a name has one type and one unit in all tables", () => {
  const meanings = new Map<string, string>();
  for (const [table, { fields }] of tables) {
    for (const [name, { type, unit }] of Object.entries(fields)) {
      const meaning = `${type} ${unit}`;
      assert.equal(meanings.get(name) ?? meaning, meaning, `${table}.${name}`);
      meanings.set(name, meaning);
    }
  }
});

/** Whether an example is a value that the field may have. */
function isValid({ type, unit, example }: RecordField): boolean {
  if (type === "tags") return Array.isArray(example);
  if (type === "instant" || type === "date") {
    const text = new Date(String(example)).toISOString();
    return example === (type === "instant" ? text : text.slice(0, 10));
  }
  if (type === "string") return typeof example === "string";
  const max = { count: Number.POSITIVE_INFINITY, fraction: 1, percent: 100, points: 10 }[unit ?? "count"];
  return Number(example) >= 0 && Number(example) <= max && (type === "number" || Number.isInteger(example));
}

test("gives each field an example that is one of its values, and each rate one within the example of its range", () => {
  for (const [name, { fields }] of tables) {
    for (const [field, definition] of Object.entries(fields)) {
      assert.ok(isValid(definition), `${name}.${field}: ${JSON.stringify(definition.example)}`);
      const [low, high] = ["low", "high"].map(
        (end) => fields[`${field}_${end}`]?.example as number | undefined,
      );
      if (low === undefined || high === undefined) continue;
      const rate = definition.example as number;
      assert.ok(low < rate && rate < high, `${name}.${field}: ${low}, ${rate}, ${high}`);
      const titles = ["low", "high"].map((end) => fields[`${field}_${end}`]?.title);
      assert.deepEqual(titles, [`${definition.title}, low`, `${definition.title}, high`]);
    }
  }
});
