// The structure of the project: imports go down only, there are no circles, and file names mean something.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import test from "node:test";

const source = join(import.meta.dirname, "..", "src");
const files = globSync("**/*.ts", { cwd: source });

/** What each folder may import, besides itself and errors.ts. Only `campaign` does without errors.ts. */
const mayImport: Record<string, readonly string[]> = {
  cli: [
    ...["config.ts", "paths.ts", "http", "letters", "counting", "listing", "storage", "locale"],
    ...["providers", "formats", "access", "limits", "campaign"],
  ],
  http: [
    ...["config.ts", "paths.ts", "letters", "counting", "listing", "storage", "locale"],
    ...["providers", "formats", "access", "limits", "campaign"],
  ],
  letters: [
    ...["paths.ts", "counting", "listing", "storage", "locale"],
    ...["providers", "access", "limits", "campaign"],
  ],
  counting: ["storage", "providers", "access", "limits", "campaign"],
  listing: ["storage", "formats", "access", "limits", "campaign"],
  storage: ["access", "limits", "campaign"],
  locale: ["campaign"],
  providers: ["access", "limits", "campaign"],
  formats: ["campaign"],
  access: ["limits", "campaign"],
  limits: ["campaign"],
  campaign: [],
};

/** The only folder that may import each of these packages. */
const homes: readonly [packages: RegExp, folder: string][] = [
  [/^(fastify$|@fastify\/)/, "http"],
  [/^(kysely|better-sqlite3|pg)(\/|$)/, "storage"],
  [/^commander$/, "cli"],
  [/^hyparquet-writer$/, "formats"],
  [/^nodemailer$/, "letters"],
];

const textOf = (file: string) => readFileSync(join(source, file), "utf8");
const folderOf = (file: string) => file.split("/")[0] ?? "";

function importsOf(file: string): string[] {
  const imports = /^(?:import|export)\b[^;]*?from "([^"]+)";|\bimport\("([^"]+)"\)/gms;
  return [...textOf(file).matchAll(imports)].map(([, name, onDemand = ""]) => name ?? onDemand);
}

function localImportsOf(file: string): string[] {
  return importsOf(file)
    .filter((name) => name.startsWith("."))
    .map((name) => relative(source, join(source, dirname(file), name)));
}

const inFolders = files.filter((file) => file.includes("/"));

test("every folder imports only folders below it", () => {
  assert.deepEqual(new Set(inFolders.map(folderOf)), new Set(Object.keys(mayImport)));
  for (const file of inFolders) {
    const folder = folderOf(file);
    const allowed = [folder, ...(mayImport[folder] ?? []), ...(folder === "campaign" ? [] : ["errors.ts"])];
    for (const target of localImportsOf(file)) {
      assert.ok(allowed.includes(folderOf(target)), `src/${file} must not import src/${target}`);
    }
  }
});

test("has no circular imports", () => {
  const done = new Set<string>();
  const visit = (file: string, path: string[]) => {
    assert.ok(!path.includes(file), [...path, file].join(" -> "));
    if (done.has(file)) return;
    for (const next of localImportsOf(file)) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
});

test("no two folders import each other, except by routes.ts", () => {
  const imported = new Map<string, string>();
  for (const file of files.filter((each) => each.includes("/") && !each.endsWith("/routes.ts"))) {
    for (const target of localImportsOf(file)) {
      const [from, to] = [dirname(file), dirname(target)];
      if (from !== to && !target.endsWith("/routes.ts"))
        imported.set(`${from} ${to}`, `${file} -> ${target}`);
    }
  }
  for (const [pair, example] of imported) {
    const back = imported.get(pair.split(" ").toReversed().join(" "));
    assert.equal(back, undefined, `${example}, and back`);
  }
});

test("no folder has more than 20 files", () => {
  const folders = Map.groupBy(files, (file) => dirname(file));
  for (const [folder, inside] of folders) assert.ok(inside.length <= 20, `${folder} has ${inside.length}`);
});

test("every export has an importer", () => {
  const root = join(source, "..");
  const imported = new Set<string>();
  for (const file of globSync("{src,test,bench,docs,scripts}/**/*.ts", { cwd: root })) {
    const text = readFileSync(join(root, file), "utf8");
    const add = (from: string, name: string) => {
      imported.add(`${relative(root, join(root, dirname(file), from))} ${name}`);
    };
    const named = /^(?:import|export) (?:type )?\{([^}]*)\} from "(\.[^"]+)"/gm;
    for (const [, names = "", from = ""] of text.matchAll(named)) {
      for (const [, name = ""] of names.matchAll(/(?:^|,)\s*(?:type )?(\w+)/g)) add(from, name);
    }
    // Of a module that is imported as a whole, or when it is needed, any export may be used.
    for (const [, from = ""] of text.matchAll(/(?:\* as \w+ from |import\()"(\.[^"]+)"/g)) add(from, "*");
  }
  for (const file of files) {
    const exported = /^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm;
    for (const [, name = ""] of textOf(file).matchAll(exported)) {
      const isImported = imported.has(`src/${file} ${name}`) || imported.has(`src/${file} *`);
      assert.ok(isImported, `src/${file} exports ${name}, which no other file imports`);
    }
  }
});

test("only http imports Fastify, only storage imports Kysely and drivers, and other packages have one home too", () => {
  for (const file of inFolders) {
    for (const name of importsOf(file)) {
      const home = homes.find(([packages]) => packages.test(name))?.[1];
      assert.ok(home === undefined || home === folderOf(file), `src/${file} must not import ${name}`);
    }
    if (folderOf(file) === "storage") continue;
    assert.doesNotMatch(textOf(file), /selectFrom|insertInto|updateTable|deleteFrom/, `src/${file} has SQL`);
  }
});

/** Builders of statements that do not come from a `Scope`, by file. Raw SQL is checked on PostgreSQL (one-organization.ts). */
const unscoped: Record<string, { starts: number; why: string }> = {
  "audience/directory.ts": { starts: 1, why: "a subquery under another name" },
  "audience/recipient-lists.ts": { starts: 1, why: "finds organizations" },
  "audience/store-groups.ts": { starts: 1, why: "a subquery" },
  "campaigns/campaigns-to-close.ts": { starts: 1, why: "finds organizations too" },
  "campaigns/campaigns.ts": { starts: 1, why: "finds organizations" },
  "campaigns/named-campaigns.ts": { starts: 1, why: "finds organizations too" },
  "imports/imports.ts": { starts: 2, why: "finds organizations" },
  "keys/api-keys.ts": { starts: 1, why: "before it, no organization is known; prepared" },
  "ledgers/recipients.ts": { starts: 1, why: "counts the rows of a statement" },
  "ledgers/retired-ledgers.ts": { starts: 1, why: "finds organizations" },
  "organizations/organizations.ts": { starts: 6, why: "the table of organizations" },
  "organizations/outbox.ts": { starts: 2, why: "finds organizations; a metric" },
  "organizations/revisions.ts": { starts: 1, why: "the table of organizations" },
  "organizations/user-emails.ts": { starts: 1, why: "finds an organization" },
  "quarantine/delete-quarantined.ts": { starts: 1, why: "finds organizations" },
  "quarantine/quarantine.ts": { starts: 1, why: "a metric" },
};

test("statements of one organization come from its Scope", () => {
  const ofAll = /^storage\/(copy|migrations|postgres|queries|sqlite)\//;
  const found: Record<string, number> = {};
  for (const file of inFolders.filter((each) => folderOf(each) === "storage" && !ofAll.test(each))) {
    const starts = textOf(file).match(/\b(selectFrom|insertInto|updateTable|deleteFrom)\(/g)?.length ?? 0;
    if (starts > 0) found[relative("storage", file)] = starts;
  }
  const expected = Object.entries(unscoped).map(([file, { starts }]) => [file, starts]);
  assert.deepEqual(found, Object.fromEntries(expected));
});

test("campaign is pure: it reads no clock, no environment and no random number", () => {
  for (const file of inFolders.filter((each) => folderOf(each) === "campaign")) {
    assert.doesNotMatch(
      textOf(file),
      /Date\.now|new Date\(\)|process\.|Math\.random|from "node:/,
      `src/${file}`,
    );
  }
});

test("only config.ts reads the environment", () => {
  for (const file of files.filter((each) => each !== "config.ts")) {
    assert.doesNotMatch(textOf(file), /process\.env/, `src/${file}`);
  }
});

test("pages, letters and assistants read campaigns only without the survey results that are withheld", () => {
  const readers = files.filter((file) =>
    /import[^;]*\b(findCampaigns|readAllCampaigns)\b[^;]*storage/.test(textOf(file)),
  );
  const found = readers.filter((file) => /^(http\/(web|mcp)|letters)\//.test(file));
  assert.deepEqual(found, [], "use findReleased");
});

test("the architecture names every folder and its folders", () => {
  const architecture = readFileSync(join(source, "..", "docs", "architecture.md"), "utf8");
  const [, tree = ""] = /\nsrc\/\n([\s\S]*?)\ntest\//.exec(architecture) ?? [];
  const named = tree.split(/\n {2}(?=\S)/).flatMap((entry) => {
    const [folder = "", ...inner] = entry.match(/\w+\/(?=\s|,|$)/g) ?? [];
    return inner.map((name) => folder + name.slice(0, -1));
  });
  const folders = new Set(files.map(dirname).filter((folder) => /^\w+\/\w+$/.test(folder)));
  assert.deepEqual(named.toSorted(), [...folders].toSorted());
});

test("every file opens with a line about its purpose, and no name is a catch-all", () => {
  for (const file of files) {
    assert.match(textOf(file), /^\/\/ [A-Z`]/, `src/${file}`);
    assert.doesNotMatch(file, /(^|\/)(utils?|helpers?|common|misc|service|manager|wrapper|processor)s?\.ts$/);
  }
});

test("bench imports only the support of tests, and loads no test runner, whose summary would follow their results", () => {
  const root = join(import.meta.dirname, "..");
  const reached = new Set<string>();
  const reach = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, name = ""] of text.matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)";/gms)) {
      assert.notEqual(name, "node:test", file);
      if (!name.startsWith(".")) continue;
      const target = join(dirname(file), name);
      assert.doesNotMatch(relative(root, target), /^test\/(?!support\/)/, file);
      reach(target);
    }
  };
  reach(join(root, "bench", "run.ts"));
});

test("no type name is declared in two files", () => {
  const declaredIn = new Map<string, string>();
  for (const file of files) {
    for (const [, name = ""] of textOf(file).matchAll(/^(?:export )?(?:interface|type|class) (\w+)/gm)) {
      assert.ok(
        !declaredIn.has(name),
        `${name} is declared in src/${declaredIn.get(name)} and in src/${file}`,
      );
      declaredIn.set(name, file);
    }
  }
});
