// The plan of the house: arrows between folders go down only, there are no circles, and names say something.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import test from "node:test";

const source = join(import.meta.dirname, "..", "src");
const files = globSync("**/*.ts", { cwd: source });

/** What each folder may import, apart from itself. The ground (errors, API keys) is open to all but the field. */
const ground = [
  "errors.ts",
  "api-key.ts",
  "secret.ts",
  "share-calls.ts",
  "html.ts",
  "role.ts",
  "password.ts",
  "take-turns.ts",
];
const allowed: Record<string, string[]> = {
  campaign: [],
  storage: ["campaign", ...ground],
  counting: ["storage", "campaign", ...ground],
  listing: ["storage", "campaign", ...ground],
  monitoring: ["counting"],
  api: ["listing", "storage", "campaign", "authenticate.ts", "key-usage.ts", "request-log.ts", ...ground],
  ingest: [
    "counting",
    "storage",
    "campaign",
    "authenticate.ts",
    "incoming.ts",
    "key-usage.ts",
    "request-log.ts",
    ...ground,
  ],
  tracking: [
    "counting",
    "storage",
    "campaign",
    "authenticate.ts",
    "incoming.ts",
    "key-usage.ts",
    "request-log.ts",
    ...ground,
  ],
  console: ["counting", "listing", "storage", "campaign", "incoming.ts", "request-log.ts", ...ground],
  cli: [
    "console",
    "counting",
    "listing",
    "storage",
    "campaign",
    "ingest",
    "monitoring",
    "doors.ts",
    "server.ts",
    "writer-main.ts",
    "config.ts",
    ...ground,
  ],
};

function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), "utf8");
  return [...text.matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)";/gms)].map(([, name = ""]) => name);
}

function localImportsOf(file: string): string[] {
  return importsOf(file)
    .filter((name) => name.startsWith("."))
    .map((name) => relative(source, join(source, dirname(file), name)));
}

const folderOf = (file: string) => file.split("/")[0] ?? "";

test("no folder imports what stands above or beside it", () => {
  for (const file of files.filter((each) => each.includes("/"))) {
    const folder = folderOf(file);
    for (const target of localImportsOf(file)) {
      const may = folderOf(target) === folder || allowed[folder]?.includes(folderOf(target));
      assert.ok(may, `src/${file} must not import src/${target}`);
    }
  }
});

test("every folder has its place in the plan", () => {
  assert.deepEqual(
    new Set(files.filter((file) => file.includes("/")).map(folderOf)),
    new Set(Object.keys(allowed)),
  );
});

/** Functions of a text, without state: they know the user agents of the world. */
const mayAsWell: Record<string, string[]> = { "campaign/traffic.ts": ["bowser", "isbot"] };

test("the field imports nothing but its schema library, and no clock", () => {
  for (const file of files.filter((each) => folderOf(each) === "campaign")) {
    const packages = importsOf(file).filter((name) => !name.startsWith("."));
    assert.deepEqual(
      packages.filter((name) => !/^typebox(\/|$)/.test(name) && !mayAsWell[file]?.includes(name)),
      [],
      file,
    );
    const text = readFileSync(join(source, file), "utf8");
    assert.doesNotMatch(text, /Date\.now|new Date\(\)|process\.|Math\.random/, file);
  }
});

test("no import leads back to where it came from", () => {
  const graph = new Map(files.map((file) => [file, localImportsOf(file)]));
  const done = new Set<string>();
  const visit = (file: string, way: string[]) => {
    assert.ok(!way.includes(file), [...way, file].join(" -> "));
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
});

test("only the storage folder knows SQL and what speaks it", () => {
  for (const file of files.filter((each) => folderOf(each) !== "storage")) {
    assert.ok(
      !importsOf(file).some(
        (name) => name.startsWith("kysely") || name === "better-sqlite3" || name === "pg",
      ),
      file,
    );
    assert.doesNotMatch(
      readFileSync(join(source, file), "utf8"),
      /selectFrom|insertInto|updateTable|deleteFrom/,
      file,
    );
  }
});

test("only config.ts reads the environment", () => {
  for (const file of files.filter((each) => each !== "config.ts")) {
    assert.doesNotMatch(readFileSync(join(source, file), "utf8"), /process\.env/, file);
  }
});

test("every file opens with a line that says its purpose, and no name is a catch-all", () => {
  for (const file of files) {
    assert.match(readFileSync(join(source, file), "utf8"), /^\/\/ [A-Z`]/, file);
    assert.doesNotMatch(file, /(^|\/)(utils?|helpers?|common|misc|service|manager|wrapper|processor)s?\.ts$/);
  }
});

test("every file is a test or has one beside it that imports it, directly or not", () => {
  const tests = globSync("**/*.ts", { cwd: import.meta.dirname });
  const reached = new Set<string>();
  const reach = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const next of localImportsOf(file)) reach(next);
  };
  for (const file of tests) {
    const text = readFileSync(join(import.meta.dirname, file), "utf8");
    for (const [, name = ""] of text.matchAll(/from "([^"]*\/src\/[^"]+)"/g)) {
      reach(relative(source, join(import.meta.dirname, dirname(file), name)));
    }
  }
  assert.deepEqual(
    files.filter((file) => !reached.has(file)),
    [],
  );
});
