// The language of the project: words that a reader has to translate are forbidden, and the industry's terms can be found.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

const root = join(import.meta.dirname, "..");
const filesIn = (patterns: string[]) =>
  globSync(patterns, { cwd: root }).map((path) => path.replaceAll("\\", "/"));

const forbidden =
  /\b(whoever|nobody|none of|anew|in place of|by itself|stands|(?:is|are|be|was|were) told of|as far as|what is)\b/gi;

test("source, documentation and pages avoid the forbidden words", () => {
  const found: string[] = [];
  for (const path of filesIn([
    "*.md",
    "docs/**/*.md",
    "src/**/*.{ts,md}",
    "bench/**/*.ts",
    "test/checks/**/*.ts",
  ])) {
    for (const [index, line] of readFileSync(join(root, path), "utf8").split("\n").entries()) {
      for (const [word] of line.matchAll(forbidden)) found.push(`${path}:${index + 1}: ${word}`);
    }
  }
  assert.deepEqual(found, []);
});

const terms = [
  /csrf/i,
  /rate[- ]limit/i,
  /graceful shutdown/i,
  /pagination/i,
  /idempotent/,
  /retry/,
  /cache/,
  /LRU/,
  /deduplicat/i,
  /middleware|hook/,
  /permission/,
  /single-flight/i,
  /webhook/,
  /invite link/,
];

test("a search in src for a standard term finds the code", () => {
  const source = filesIn(["src/**/*.ts"])
    .map((path) => readFileSync(join(root, path), "utf8"))
    .join("\n");
  for (const term of terms) assert.match(source, term);
});
