// The commands that the documentation shows print what it says.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import test from "node:test";
import { main } from "../src/main.ts";
import { hostedKey, startHosted } from "./support/hosted-service.ts";
import { normalize, type ShownCommand, shownCommands } from "./support/shown-commands.ts";
import { collecting, makeSqliteWorld, type World } from "./support/world.ts";

const root = join(import.meta.dirname, "..");
const readPage = (path: string) => readFileSync(join(root, path), "utf8");

test("the README's commands print what it shows", async (t) => {
  const world = await makeSqliteWorld(t);
  saveExamples(world, "README.md", 1);
  // The test of `demo` checks what that prints.
  await checkCommands(world, "README.md", 4, (commands) => commands.filter(({ text }) => text !== "demo"));
});

test("the commands of docs/commands.md print what it shows", async (t) => {
  const world = await makeSqliteWorld(t);
  await world.addOrganization({ timeZone: "America/New_York" });
  saveExamples(world, "docs/commands.md", 4);
  writeFileSync(
    join(world.folder, "bad.ndjson"),
    '{"id": 1, "subject": "Test", "sent_at": "2024-02-30"}\n{"id": 2, "subject": "Test", "sent_at": "2024-02-03", "unique_opens": -1}\n',
  );
  await checkCommands(world, "docs/commands.md", 2);
});

test("the commands of docs/ingest.md print what it shows", async (t) => {
  const world = await makeSqliteWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 8, { sent_at: "2026-01-30T09:00:00Z" });
  const [, events = ""] =
    /cat > events\.ndjson <<END\n([\s\S]*?)END\n/.exec(readPage("docs/ingest.md")) ?? [];
  writeFileSync(join(world.folder, "events.ndjson"), events);
  await runCommand(world, "import --organization 1 --events events.ndjson");
  await checkCommands(world, "docs/ingest.md", 2);
});

test("the events of docs/ingest.md get the response that it shows", async (t) => {
  const world = await makeSqliteWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 8, { sent_at: "2026-01-30T09:00:00Z", external_id: "weekly-2026-05" });
  const page = readPage("docs/ingest.md");
  const [, sent = "", shown = ""] =
    /-d '(\{"events"[\s\S]*?\})'\n[\s\S]*?```json\n(\s*\{\s*"accepted"[\s\S]*?)```/.exec(page) ?? [];
  const { accepted, repeated, quarantined, problems } = await world.ingest(
    organization,
    JSON.parse(sent).events,
  );
  assert.deepEqual({ accepted, repeated, quarantined, problems }, JSON.parse(shown));
});

test("the commands of docs/numbers.md print what it shows", async (t) => {
  const world = await makeSqliteWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 8);
  const event = { id: "e-1", campaign_id: 8, recipient: "ann@example.com", at: "2026-06-15T11:30:00Z" };
  await world.ingest(organization, [{ ...event, type: "open" }]);
  // The page closes the campaign before it forgets a recipient, who then is in no open campaign.
  await checkCommands(world, "docs/numbers.md", 4, (commands) =>
    commands.sort((a, b) => Number(a.text.startsWith("campaign")) - Number(b.text.startsWith("campaign"))),
  );
});

test("the commands of docs/providers.md print what it shows", async (t) => {
  const world = await makeSqliteWorld(t);
  await world.addOrganization();
  writeFileSync(join(world.folder, "verification-key.txt"), "");
  const page = readPage("docs/providers.md");
  assert.match(page, /source change .* --secret - < verification-key\.txt/);
  await checkCommands(world, "docs/providers.md", 1, (commands) =>
    commands.filter(({ text }) => !text.startsWith("source change")),
  );
});

test("the commands of docs/pull.md print what it shows", async (t) => {
  const world = await makeSqliteWorld(t);
  const hosted = await startHosted(t);
  writeFileSync(join(world.folder, "key.txt"), `${hostedKey}\n`);
  await checkCommands(world, "docs/pull.md", 2, (commands) =>
    commands.map(({ text, lines }) => ({ text: text.replace("https://www.example.com", hosted.url), lines })),
  );
});

/** Saves the files that a page shows, under the names above them. */
function saveExamples({ folder }: World, path: string, count: number): void {
  const examples = [...readPage(path).matchAll(/^`(\w+\.\w+)`, [^\n]*:\n\n```\w+\n([\s\S]*?)```/gm)];
  assert.equal(examples.length, count, path);
  for (const [, name = "", content = ""] of examples) writeFileSync(join(folder, name), content);
}

/** Runs the commands of a page in order; each line on the page must be in the output. */
async function checkCommands(
  world: World,
  path: string,
  count: number,
  select = (commands: ShownCommand[]) => commands,
): Promise<void> {
  const commands = select(shownCommands(readPage(path)));
  assert.equal(commands.length, count, `${path}: ${commands.map(({ text }) => text).join("\n")}`);
  for (const { text, lines } of commands) {
    const output = (await runCommand(world, text)).split("\n").map(normalize);
    for (const line of lines) {
      assert.ok(
        output.includes(normalize(line)),
        `${path}: "email-analytics ${text}" does not print\n${line}\nbut\n${output.join("\n")}`,
      );
    }
  }
}

/** Runs a command line of the documentation, files and all, and returns what it prints. */
async function runCommand({ folder, databaseUrl }: World, text: string): Promise<string> {
  const [command = "", input] = text.split(" < ");
  const words = [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
  const argv = words.map((word) => (/\.(json|ndjson|csv)$/.test(word) ? join(folder, word) : word));
  const { stream, text: output } = collecting();
  await main(/^serve/.test(command) ? [...argv, "--port", "0"] : argv, {
    stdin: Readable.from(input ? [readFileSync(join(folder, input))] : []),
    stdout: stream,
    stderr: stream,
    environment: { DATABASE_URL: databaseUrl, LOG_LEVEL: "silent" },
    now: Date.now,
    sleep: async () => undefined,
    untilStopped: /^serve/.test(command) ? async () => undefined : () => new Promise(() => undefined),
  });
  return output();
}
