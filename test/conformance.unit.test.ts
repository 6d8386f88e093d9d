// docs/conformance.md names a test for everything that is promised: each of them has to exist.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

const page = readFileSync(join(import.meta.dirname, "..", "docs", "conformance.md"), "utf8");

/** The names of all tests; a name that is put together from parts becomes a pattern. */
const names = globSync("**/*.test.ts", { cwd: import.meta.dirname }).flatMap((file) => {
  const text = readFileSync(join(import.meta.dirname, file), "utf8");
  return [...text.matchAll(/^ *test\(\s*(["`])((?:\\.|(?!\1).)+)\1/gm)].map(([, , name = ""]) => name);
});
const patterns = names.map((name) => {
  const literal = name.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literal.join(".+")}$`);
});

/** Section or decision, what is promised, and the test that keeps it. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (section|decision) \|/.test(line))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

test("every promise names a test that exists", () => {
  assert.ok(rows.length > 60, `${rows.length} rows`);
  for (const [, promise = "", name = ""] of rows) {
    assert.ok(promise.length > 10, `${promise} | ${name}`);
    assert.ok(
      patterns.some((pattern) => pattern.test(name)),
      `no test is named: ${name}`,
    );
  }
});

test("no two tests have the same name, so that a name means one test", () => {
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});
