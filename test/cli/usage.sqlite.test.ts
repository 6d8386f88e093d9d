// Help, version and error messages for wrong usage.

import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { allCommands } from "../../docs/generate/command-blocks.ts";
import { commandTable } from "../../src/cli/program.ts";
import { collecting, makeFolder, makeWorld, run } from "../support/world.ts";

const commands = allCommands().map(({ name }) => name.replace(/^email-analytics ?/, ""));

test("--help prints the help of every command on standard output, without a database", async (t) => {
  const path = join(makeFolder(t), "none.db");
  for (const command of commands) {
    const { exitCode, stdout, stderr } = await run(
      `sqlite:${path}`,
      [...command.split(" "), "--help"].filter(Boolean),
    );
    assert.deepEqual([exitCode, stderr], [0, ""], command);
    assert.ok(stdout.startsWith(`Usage: email-analytics ${command}`.trimEnd()), command);
    assert.ok(stdout.includes("--json"), command);
  }
  assert.equal(existsSync(path), false);
});

test("the help describes settings without Markdown, and wraps to the width of the terminal", async () => {
  const helpAt = async (columns: number) => {
    const { stream, text } = collecting();
    await run("sqlite:unused.db", [], { stdout: Object.assign(stream, { columns }) });
    return text().split("\n");
  };
  for (const columns of [80, 120]) {
    const lines = await helpAt(columns);
    const settingsAt = lines.indexOf("Settings (environment variables):");
    const longest = Math.max(...lines.slice(settingsAt).map((line) => line.length));
    assert.ok(longest <= columns && longest > columns - 15, `${longest} of ${columns}`);
    assert.doesNotMatch(lines.slice(settingsAt).join(" "), /`|\]\(/);
  }
});

test("--version prints the version of the package", async () => {
  const text = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  const { exitCode, stdout } = await run("sqlite:unused.db", "--version");
  const { version } = JSON.parse(text) as { version: string };
  assert.deepEqual([exitCode, stdout], [0, `${version} on Node ${process.versions.node}\n`]);
});

test("a bare call prints the help, with commands in groups and three examples", async () => {
  const { exitCode, stdout, stderr } = await run("sqlite:unused.db", []);
  assert.deepEqual([exitCode, stderr], [0, ""]);
  assert.equal(stdout, (await run("sqlite:unused.db", "--help")).stdout);
  for (const group of ["Set up", "Campaigns", "Move data", "Run", "Look after"]) {
    assert.ok(stdout.includes(`\n${group}:\n`), group);
  }
  assert.match(stdout, /\nExamples:\n( {2}email-analytics .+\n){3}\n/);
});

test("every command has examples, with options that it has", async () => {
  const all = new Map(allCommands().map(({ name, command }) => [name, command]));
  for (const [name, { examples }] of Object.entries(commandTable)) {
    assert.ok(examples.length > 0, name);
    for (const example of examples) {
      const [words = ""] = /^[a-z-]+( [a-z]+)?(?= |$)/.exec(example) ?? [];
      const [first = "", second] = words.split(" ");
      assert.equal(first, name);
      const command = all.get(`email-analytics ${words}`) ?? all.get(`email-analytics ${first}`);
      assert.ok(command && (command.commands.length === 0 || second), example);
      const options: string[] = example.match(/--[a-z-]+/g) ?? [];
      const known = command.options.map(({ long }) => long);
      const required = command.options.filter(({ mandatory }) => mandatory).map(({ long }) => long);
      const found = options.filter((option) => !known.includes(option));
      assert.deepEqual(found, [], example);
      const seen = required.filter((option) => !options.includes(option ?? ""));
      assert.deepEqual(seen, [], example);
    }
  }
});

test("a command without --organization takes the only one, and takes a name in any letter case", async (t) => {
  const world = await makeWorld(t);
  const none = await run(world.databaseUrl, "tag list");
  assert.equal(none.exitCode, 1);
  assert.match(none.stderr, /^error: there is no organization yet; set up the first one/);
  await world.addOrganization({ name: "Acme" });
  const add = (name: string, ...more: string[]) =>
    run(world.databaseUrl, ["tag", "add", "--name", name, ...more]);
  assert.equal((await add("One")).exitCode, 0);
  await world.addOrganization({ name: "Globex" });
  const several = await add("Two");
  const expected = [2, "error: --organization is missing: it is one of 1 (Acme), 2 (Globex)\n"];
  assert.deepEqual([several.exitCode, several.stderr], expected);
  const unknown = await add("Two", "--organization", "Acne");
  assert.equal(unknown.exitCode, 1);
  assert.match(unknown.stderr, /--organization: none is called "Acne", only 1 \(Acme\), 2 \(Globex\)/);
  assert.equal((await add("Two", "--organization", "GLOBEX")).exitCode, 0);
  const tags = async (organization: string) =>
    (await run(world.databaseUrl, ["tag", "list", "--organization", organization, "--json"])).rows.map(
      ({ name }) => name,
    );
  assert.deepEqual([await tags("acme"), await tags("2")], [["One"], ["Two"]]);
  const renamed = "tag change --organization Acme --id one --name Uno";
  assert.equal((await run(world.databaseUrl, renamed)).exitCode, 0);
  assert.deepEqual(await tags("Acme"), ["Uno"]);
  const lost = await run(world.databaseUrl, renamed);
  assert.match(lost.stderr, /organization 1 has no tag "one"; see "email-analytics tag list"/);
});

type WrongUsage = [command: string | string[], message: string];

const wrong: WrongUsage[] = [
  ["tag", 'a command is missing: add, list, change, delete; see "email-analytics tag --help"'],
  [
    "campaign --json",
    'a command is missing: edit, close, delete, senders; see "email-analytics campaign --help"',
  ],
  ["tga", "unknown command 'tga' (Did you mean tag?)"],
  ["tag ad", "unknown command 'ad' (Did you mean add?)"],
  ["frobnicate", "unknown command 'frobnicate'"],
  ["organization list --jsn", "unknown option '--jsn' (Did you mean --json?)"],
  ["organization list extra", "too many arguments for 'list'. Expected 0 arguments but got 1: extra."],
  ["organization add", "required option '--name <NAME>' not specified"],
  ["organization add --name", "option '--name <NAME>' argument missing"],
  ...[" ", "\u200b", "\ufffd\ufffd", "a\nb"].map(
    (name): WrongUsage => [
      ["organization", "add", "--name", name],
      `option '--name <NAME>' argument '${name.replace("\n", " ")}' is invalid. A name has 1 to 200 characters on one line, at least one of them visible, without invisible marks that change the text direction.`,
    ],
  ),
  [
    "organization add --name x --time-zone Berlin",
    "option '--time-zone <IANA>' argument 'Berlin' is invalid. A time zone is an IANA name, such as Europe/Berlin or UTC.",
  ],
  [
    "organization change --organization 1",
    "nothing to change; pass --name, --time-zone, --count, --min-answers, --min-group, --persons, --close-after-days, --close-nameless-after-days or --audit-days",
  ],
  ...["0", "51", "2.5"].map(
    (min): WrongUsage => [
      `organization change --organization 1 --min-answers ${min}`,
      `option '--min-answers <N>' argument '${min}' is invalid. It is a whole number from 1 to 50.`,
    ],
  ),
  ["tag change --organization 1 --id 1", "nothing to change; pass --name or --color"],
  [
    "tag add --organization 1 --name x --color red",
    "option '--color <#RRGGBB>' argument 'red' is invalid. A color has the form #RRGGBB; quote it, because # starts a shell comment.",
  ],
  ["import --organization 1", "missing required argument 'FILE'"],
  [
    "import --organization 1 --events --dry-run -",
    "--dry-run is only for campaigns; importing the same events again is safe",
  ],
  ["import --organization 1 --events - -", "standard input (-) can be read only once"],
  [
    "key add --organization 1 --name x --scope write",
    "option '--scope <SCOPE>' argument 'write' is invalid. Allowed choices are read, ingest.",
  ],
  [
    "organization change --organization 1 --count machines",
    "option '--count <TRAFFIC>' argument 'machines' is invalid. Allowed choices are people, all.",
  ],
  [
    "organization change --organization 1 --close-after-days 0",
    "option '--close-after-days <DAYS>' argument '0' is invalid. It is a whole number from 1 to 100000.",
  ],
  [
    "organization change --organization 1 --close-nameless-after-days 1e3",
    "option '--close-nameless-after-days <DAYS>' argument '1e3' is invalid. It is a whole number from 1 to 100000.",
  ],
  ["recipient forget --organization 1", "missing required argument 'ADDRESS'"],
  [
    "quarantine list --organization 1 --reason closed",
    "option '--reason <REASON>' argument 'closed' is invalid. Allowed choices are unknown_campaign, reported_campaign, test_sending, unreadable, wrong_sender.",
  ],
  [
    ["quarantine", "list", "--organization", "1", "--campaign", ""],
    "option '--campaign <ID>' argument '' is invalid. A campaign is an ID or an external ID, such as 12 or \"weekly\".",
  ],
  [
    "campaign close --organization 1 --id 1",
    "this makes the numbers final and deletes the campaign's recipients and event IDs; add --yes to confirm",
  ],
  [
    "recipient forget --organization 1 ann@example.com",
    "this deletes the recipient's address, comments and answers; add --yes to confirm",
  ],
  [
    "tag delete --organization 1 --id 1",
    "this removes the tag from all campaigns and deletes the rules that give it; add --yes to confirm",
  ],
  [
    "quarantine discard --organization 1",
    "this deletes events that were never counted; add --yes to confirm",
  ],
  [
    "export --organization 1 --format xml",
    "option '--format <FORMAT>' argument 'xml' is invalid. Allowed choices are ndjson, csv, feed-ndjson, feed-csv, parquet, xlsx.",
  ],
  ["serve --port 99999", 'PORT: "99999" is not a port from 0 to 65535'],
  [
    "serve --only nonsense",
    "option '--only <COMPONENTS>' argument 'nonsense' is invalid. The components are api, mcp, ingest, tracking, web; separate several with commas.",
  ],
  [
    "serve --only api,",
    "option '--only <COMPONENTS>' argument 'api,' is invalid. The components are api, mcp, ingest, tracking, web; separate several with commas.",
  ],
  ["demo --port x", 'PORT: "x" is not a port from 0 to 65535'],
  [["serve", "--host", "a b"], 'HOST: "a b" is not a host name or an IP address'],
];

for (const [command, line] of wrong) {
  test(`wrong usage exits 2 with one line: ${JSON.stringify(command)}`, async (t) => {
    const { output } = await run(`sqlite:${join(makeFolder(t), "x.db")}`, command);
    assert.deepEqual(output, [2, "", `error: ${line}\n`]);
  });
}

test("an ID is a whole number from 1 to 2^53 - 1 in plain digits", async (t) => {
  const { databaseUrl } = await makeWorld(t);
  for (const id of ["0", "-1", "1.5", "1e2", "0x10", " 1", "x", "", "9007199254740992"]) {
    const { exitCode, stderr } = await run(databaseUrl, `campaign close --yes --id=${id}`);
    assert.equal(exitCode, 2, id);
    const message = /^error: option '--id <ID>' .* It is a whole number from 1 to 9007199254740991\.\n$/;
    assert.match(stderr, message);
  }
});

test("a file that is not a database is refused with one line", async (t) => {
  const folder = makeFolder(t);
  writeFileSync(join(folder, "letter.txt"), "Dear Sir or Madam, this is no database at all.");
  const list = (url: string) => run(url, "organization list");
  const isFolder = await list(`sqlite:${folder}`);
  assert.equal(isFolder.exitCode, 1);
  assert.match(isFolder.stderr, /^error: .*\n$/);
  const belowFile = await run(`sqlite:${join(folder, "letter.txt", "x.db")}`, "migrate");
  assert.equal(belowFile.exitCode, 1);
  const message = /^error: DATABASE_URL: sqlite:.*letter\.txt.* cannot be opened: E[A-Z]+: .*\n$/;
  assert.match(belowFile.stderr, message);
  const otherKind = await list("mysql://user:hunter2@host/db");
  assert.equal(otherKind.exitCode, 2);
  const expected =
    'error: DATABASE_URL: "mysql://…" is not a URL of the form sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE\n';
  assert.equal(otherKind.stderr, expected);
});

test("the folder of a new database is created, readable only by its owner", async (t) => {
  const path = join(makeFolder(t), "new", "deep", "x.db");
  assert.equal((await run(`sqlite:${path}`, "migrate")).exitCode, 0);
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
});
