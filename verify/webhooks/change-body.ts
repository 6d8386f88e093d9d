// Random changes of webhook requests.

import type { Random } from "../../test/support/histories.ts";
import type { Sent } from "./provider-bodies.ts";

/** Unexpected values. */
const oddities: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  2 ** 60,
  0.1,
  "",
  " ",
  "\0",
  "\ud800",
  "ﷺ".repeat(300),
  "x".repeat(20_000),
  "2026-02-30T25:61:61Z",
  "1".repeat(400),
  "__proto__",
  [],
  {},
  [[]],
  [null, 1, "a", {}],
  { constructor: 1, toString: "x" },
];

/** Replaces, removes, nests or duplicates a random value of a document. */
export function changeValue(random: Random, document: unknown): unknown {
  const copy = { root: structuredClone(document) };
  let parent: Record<string, unknown> | unknown[] = copy;
  let name: string | number = "root";
  for (;;) {
    const value: unknown = (parent as Record<string, unknown>)[name];
    if (typeof value !== "object" || value === null || random.chance(10)) break;
    const names: string[] = Object.keys(value);
    if (names.length === 0) break;
    parent = value as Record<string, unknown>;
    name = random.pick(names);
  }
  const fields = parent as Record<string, unknown>;
  const what = random.between(1, 5);
  if (what === 1 && Array.isArray(parent)) parent.splice(Number(name), 1);
  else if (what === 1) delete fields[name];
  else if (what === 2 && Array.isArray(parent)) parent.push(structuredClone(parent[Number(name)]));
  else if (what === 3) fields[name] = nest(random.between(1, 3_000), fields[name]);
  else fields[name] = random.pick(oddities);
  return copy.root;
}

function nest(depth: number, value: unknown): unknown {
  let nested = value;
  for (let level = 0; level < depth; level++) nested = [nested];
  return nested;
}

/** Replaces, removes or duplicates random characters of a text. */
export function changeText(random: Random, text: string): string {
  let changed = text;
  for (let times = random.between(1, 4); times > 0; times--) {
    const at = random.between(0, Math.max(0, changed.length - 1));
    const some = changed.slice(at, at + random.between(1, 30));
    const other = random.pick([
      "",
      some + some,
      '"',
      "}",
      "[",
      "\\",
      "\u0000",
      "e9",
      "é",
      ",",
      some.toUpperCase(),
    ]);
    changed = changed.slice(0, at) + other + changed.slice(at + some.length);
  }
  return changed;
}

/** Truncates a request at a random length. */
export function truncate(random: Random, { body, headers }: Sent): Sent {
  return { body: body.subarray(0, random.between(0, body.length)), headers };
}
