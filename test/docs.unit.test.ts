// Checks the documentation: generated parts are up to date, everything is documented, and all links resolve.

import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { leafCommands } from "../docs/generate/command-blocks.ts";
import { generatedFiles } from "../docs/generate.ts";
import { parseApiKey } from "../src/access/api-key.ts";
import { emailRecordFieldNames } from "../src/campaign/email-record-schema.ts";
import { connectionsOf, readSettings, settings } from "../src/config.ts";
import { errors } from "../src/errors.ts";
import { tools } from "../src/http/connect/tools.ts";
import { untrackedReasons } from "../src/http/tracking/html/untracked-links.ts";
import { locales } from "../src/locale/locale.ts";
import { providers } from "../src/providers/providers.ts";
import { makeWorld, run } from "./support/world.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const pages = globSync(["*.md", "{docs,deploy,src}/**/*.md"], { cwd: root });

test("the generated parts of the documentation are up to date", () => {
  const files = generatedFiles();
  const paths = [...files.keys()].filter((path) => !path.startsWith("deploy/"));
  assert.deepEqual(paths.sort(), [
    "connectors/airbyte/manifest.yaml",
    "connectors/power-bi/csv-types.pq",
    "connectors/power-bi/measures.dax",
    "connectors/tableau/calculations.txt",
    "connectors/warehouse/snowflake.sql",
    "connectors/warehouse/sources.yml",
    "connectors/warehouse/spark.sql",
    "docs/api.md",
    "docs/commands.md",
    "docs/configuration.md",
    "docs/conformance.md",
    ...["README", ...tools.map(({ id }) => id)].sort().map((page) => `docs/connect/${page}.md`),
    "docs/ingest.md",
    "docs/mcp.md",
    "docs/numbers.md",
    "docs/openapi.json",
    "docs/providers.md",
    "docs/tracking.md",
    "docs/web-application.md",
  ]);
  for (const [path, content] of files) {
    assert.ok(read(path) === content, `${path} is out of date; run "npm run docs"`);
  }
});

test("every setting is documented", () => {
  const page = read("docs/configuration.md");
  for (const name of Object.keys(settings)) assert.ok(page.includes(`| \`${name}\` |`), name);
});

test("the documented numbers of database connections are those of the default settings", () => {
  const { reads, writes, upkeep, downloads } = connectionsOf(readSettings({}, {}));
  const [ingest, api] = [reads + writes + upkeep, reads + downloads];
  const rows = [...read("docs/postgresql.md").matchAll(/^\| `serve.*: (\d+) \|$/gm)];
  const found = rows.map(([, number]) => Number(number));
  assert.deepEqual(found, [ingest + downloads, ingest, api]);
  const sum = `6 × ${ingest} + 2 × ${api} = ${6 * ingest + 2 * api} at most`;
  assert.ok(read("docs/scale.md").includes(sum), sum);
});

test("every record field, parameter and error code is documented", () => {
  const page = read("docs/api.md");
  for (const name of emailRecordFieldNames) assert.ok(page.includes(`| \`${name}\` |`), name);
  for (const name of ["page", "per_page", "sent_after", "sent_before", "tag_ids"]) {
    assert.ok(page.includes(`| \`${name}\` |`), name);
  }
  for (const [code, { status }] of Object.entries(errors)) {
    assert.ok(page.includes(`| ${status} | \`${code}\` |`), code);
  }
});

test("the choices of which activity counts have the names that the page shows", () => {
  const text = read("docs/web-application.md");
  for (const name of Object.values(locales.en.texts("filters.traffic"))) {
    assert.ok(text.includes(`**${name}**`), name);
  }
});

test("every provider has a section with an example that names a campaign and with its evidence", () => {
  const page = read("docs/providers.md");
  for (const [name, { title }] of Object.entries(providers)) {
    assert.ok(page.includes(`| \`${name}\` |`), name);
    const [, section = ""] = page.split(`\n### ${title}\n`);
    const [own = ""] = section.split(/\n##+ /);
    assert.match(own, /campaign_id[^\n]*7/, title);
    assert.match(own, /Evidence: /, title);
  }
});

test("every reason not to track a link is documented", () => {
  const page = read("docs/tracking.md");
  for (const { reason } of untrackedReasons) assert.ok(page.includes(`- ${reason}\n`), reason);
});

test("every command is documented with all its options", () => {
  const page = read("docs/commands.md");
  const commands = leafCommands();
  assert.ok(commands.length > 20);
  for (const [index, { name, command }] of commands.entries()) {
    const start = page.indexOf(`\n### ${name}\n`);
    assert.ok(start >= 0, name);
    const next = commands[index + 1];
    const section = page.slice(start, next ? page.indexOf(`\n### ${next.name}\n`) : undefined);
    for (const { flags, hidden } of command.options) {
      const isShared = flags === "--organization <ID|NAME>";
      assert.ok(hidden || (isShared ? page : section).includes(`\`${flags}\``), `${name} ${flags}`);
    }
  }
});

test("the README starts with the commands for the demo and the tests", () => {
  const [, first = ""] = /^# email-analytics\n+```sh\n([\s\S]*?)```/.exec(read("README.md")) ?? [];
  const commands = first
    .trim()
    .split("\n")
    .map((line) => line.replace(/ +#.*$/, ""));
  assert.match(first, /in a checkout/);
  assert.deepEqual(commands, ["npm ci && npx email-analytics demo", "npm ci && npm test"]);
});

test("every example file of docs/commands.md can be imported", async (t) => {
  const [, section = ""] =
    /<!-- examples -->([\s\S]*)<!-- end of examples -->/.exec(read("docs/commands.md")) ?? [];
  const examples = [...section.matchAll(/```(\w+)\n([\s\S]*?)```/g)];
  const found = examples.map(([, format]) => format);
  assert.deepEqual(found, ["json", "json", "ndjson", "csv"]);
  const { databaseUrl, addOrganization } = await makeWorld(t);
  const { organization } = await addOrganization({ timeZone: "America/New_York" });
  for (const [, format = "", stdin = ""] of examples) {
    const argv = `--json import --organization ${organization.id} -`;
    const { exitCode, rows, stderr } = await run(databaseUrl, argv, { stdin });
    assert.equal(exitCode, 0, `${format}: ${stderr}`);
    assert.ok(Number(rows[0]?.added) >= 1, format);
  }
});

test("every relative link resolves to a file, and to a heading if it has a fragment", () => {
  for (const page of pages) {
    for (const [, link = ""] of read(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path = "", heading] = link.split("#");
      const target = path === "" ? page : join(dirname(page), path);
      assert.ok(existsSync(join(root, target)), `${page}: ${link}`);
      if (heading !== undefined) assert.ok(anchorsOf(target).includes(heading), `${page}: ${link}`);
    }
  }
});

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("every picture in docs/screens is on a page", () => {
  const shown = pages.flatMap((page) => [...read(page).matchAll(/screens\/([\w-]+\.jpg)\)/g)]);
  const names = new Set(shown.map(([, name]) => name));
  assert.deepEqual(globSync("*", { cwd: join(root, "docs/screens") }).toSorted(), [...names].toSorted());
});

test("every decision has a number of its own, in order, and says its context and consequences", () => {
  const [, ...sections] = read("docs/decisions.md").split(/^## /m);
  const numbers = sections.map((section) => Number.parseInt(section, 10));
  const expected = [...new Set(numbers)].sort((a, b) => a - b);
  assert.deepEqual(numbers, expected);
  for (const section of sections) {
    const found = [...section.matchAll(/^\*\*(\w+)\.\*\* /gm)].map(([, part]) => part);
    assert.deepEqual(found, ["Context", "Decision", "Consequences"], section);
  }
});

test("no page contains an API key, a local path or a to-do note", () => {
  for (const page of pages) {
    const text = read(page);
    for (const [key] of text.matchAll(/ea_[\w-]+/g)) assert.equal(parseApiKey(key), undefined, page);
    for (const unwanted of [/\/(?:home|root|Users|work)\//, /\b(?:TODO|FIXME|XXX|TBD)\b/, /lorem ipsum/i]) {
      assert.doesNotMatch(text, unwanted, page);
    }
  }
});

test("npx in a checkout prints no warnings about the Node of the computer", () => {
  assert.match(read(".npmrc"), /^loglevel=error$/m);
});
