// A released migration never changes: databases of users have run it, and each version compares its hash with theirs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { hashOf, type Migrations, migrations } from "../../../src/storage/migrations/migrations.ts";

/**
 * The hash of each released migration, added by the commit of its release; see "Migrations" in CONTRIBUTING.md. A line is
 * never changed or removed.
 */
const released: Record<string, string> = {};

const changelog = readFileSync(join(import.meta.dirname, "../../../CHANGELOG.md"), "utf8");
const isRelease = !/^## \S+ \(unreleased\)$/m.test(changelog);

test("released migrations come first, in their order, and have the statements with which they were released", () => {
  const names = Object.keys(migrations);
  const firstNames = isRelease ? names : names.slice(0, Object.keys(released).length);
  const hashes = firstNames.map((name) => [name, hashOf(migrations[name] as Migrations[string])]);
  assert.deepEqual(Object.fromEntries(hashes), released);
  assert.deepEqual(firstNames, Object.keys(released));
});
