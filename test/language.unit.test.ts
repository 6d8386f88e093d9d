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

/** The terms that people search for, and the file that they look for. */
const terms: [RegExp, string][] = [
  [/csrf/i, "http/web/frame/csrf.ts"],
  [/rate[- ]limit/i, "http/web/frame/attempt-limit.ts"],
  [/graceful shutdown/i, "http/server/graceful-shutdown.ts"],
  [/pagination/i, "listing/campaigns-query.ts"],
  [/idempotent/, "storage/queries/database.ts"],
  [/retry/i, "storage/postgres/retry.ts"],
  [/cache/i, "listing/index/index-cache.ts"],
  [/LRU/, "listing/reports/campaign-cache.ts"],
  [/deduplicat/i, "counting/events/deduplicate-events.ts"],
  [/hook/i, "http/server/server.ts"],
  [/permission/, "access/role.ts"],
  [/single-flight/i, "limits/single-flight.ts"],
  [/webhook/i, "counting/events/webhook-batch.ts"],
  [/invite link/i, "http/web/sign-in/choose-password.ts"],
];

test("a search in src for a standard term finds its file: by its name, its opening comment or its code", () => {
  for (const [term, file] of terms) {
    const [opening = "", ...rest] = readFileSync(join(root, "src", file), "utf8").split(/\n(?!\/\/)/);
    const code = rest.join("\n").replace(/\/\*[\s\S]*?\*\/|\/\/ .*|^import .*/gm, "");
    assert.match(`${file}\n${opening}\n${code}`, term, file);
  }
});
