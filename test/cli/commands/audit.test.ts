// The audit log of the command line: every command that changes or exports data writes one entry, and prints them.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { leafCommands } from "../../../docs/generate/command-blocks.ts";
import type { AuditAction } from "../../../src/access/audit-actions.ts";
import { quoteName } from "../../../src/campaign/fields/names.ts";
import { listOrganizations } from "../../../src/storage/organizations/organizations.ts";
import { addRule } from "../../../src/storage/organizations/rules.ts";
import { actionsOf } from "../../support/audit.ts";
import { open, opens, tamper, tamperWithTally } from "../../support/events.ts";
import { makeGuestRole } from "../../support/guest-role.ts";
import { hostedCampaigns, hostedKey, pulling, startHosted } from "../../support/hosted-service.ts";
import { file, lines, record } from "../../support/import-files.ts";
import { notOnCitus } from "../../support/not-on-citus.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { makeWorld, run, type World } from "../../support/world.ts";

/** Commands without an entry, and why. */
const silent: Record<string, string> = {
  "organization list": "reads settings",
  "organization delete": "deletes the log with the organization",
  "organization audit": "reads the log",
  "tag list": "reads settings",
  "key list": "reads settings",
  "views list": "reads settings",
  "user list": "reads settings",
  "source list": "reads settings",
  "quarantine list": "reads events without recipients",
  report: "reads what pages show",
  rehearse: "asks a copy",
  doctor: "reads; with --repair as recount",
  serve: "runs the server",
  copy: "copies the log as well",
  migrate: "changes no data",
  demo: "has data of its own, which it deletes",
};

/** A command with its options, but without `--organization`. */
type Audited = [command: string, action: AuditAction, target: string | RegExp];

interface Given {
  world: World;
  role: string;
  sourceId: string;
  hostedUrl: string;
}

function staffFile({ folder }: World): string {
  const file = join(folder, "staff.csv");
  writeFileSync(file, "recipient,Site\nann@example.com,Paris\n");
  return file;
}

/** In this order: some use what others made. */
const audited: Audited[] = [
  ["organization change --name Acme --audit-days 30", "organization.change", "name: Acme, audit days: 30"],
  ["backup", "data.export", "backup"],
  ["directory import", "directory.replace", "staff.csv"],
  ["directory delete-attribute Site --yes", "attribute.delete", "Site"],
  ["tag add --name News", "tag.add", "News"],
  ["tag change --id 1 --name Info", "tag.change", "News, name: Info"],
  ["tag delete --id 1 --yes", "tag.delete", "Info"],
  ["key add --name Sheet", "key.add", "Sheet"],
  ["key roll --id 1", "key.roll", "Sheet"],
  ["key delete --id 1", "key.delete", "Sheet"],
  ["user add --email Ada@example.com", "user.invite", "ada@example.com, viewer"],
  ["user change --id 1 --role admin", "user.change", "ada@example.com, admin"],
  ["user change --id 1 --reset-password", "user.reset", "ada@example.com"],
  ["user delete --id 1", "user.delete", "ada@example.com"],
  ["source add --provider postmark --secret user:the-secret", "source.add", /^postmark 1-[0-9a-f]{6}…$/],
  ["source change", "source.change", /^postmark 1-[0-9a-f]{6}…, secret$/],
  ["source delete", "source.delete", /^postmark 1-[0-9a-f]{6}…$/],
  ["import", "campaigns.import", "records.ndjson"],
  ["import --events", "events.import", "events.ndjson"],
  ["pull", "campaigns.pull", /^127\.0\.0\.1:\d+: 3 added, 0 changed, 0 deleted$/],
  ["export --format parquet", "data.export", "parquet"],
  ["quarantine replay --campaign 1", "quarantine.replay", "campaign 1"],
  ["quarantine discard --reason unreadable --yes", "quarantine.discard", "all campaigns, unreadable"],
  ["recipient forget person-2@example.com --yes", "recipient.forget", "1 campaign"],
  ["recount --repair", "numbers.repair", "campaign 21"],
  [
    "campaign edit --ids 21 --add-tag News",
    "campaigns.edit",
    `tag ${quoteName("News")}: 1 changed, of campaigns 21`,
  ],
  ["campaign senders --id 21", "campaign.change", /^campaign 21: senders \d+$/],
  ["campaign close --id 21 --yes", "campaign.close", "campaign 21"],
  ["campaign delete --id 21 --yes", "campaign.delete", "campaign 21"],
  // Skips ids, so that nothing after it has those that are above.
  ["restore --already", "organization.restore", "Acme"],
];

/** On one PostgreSQL server only. */
const views: Audited[] = [
  ["views add", "views.add", /^Test "Role"/],
  ["views remove", "views.remove", "all roles"],
];

/** More options, of what others made. */
const options: Record<string, (given: Given) => string[] | Promise<string[]>> = {
  backup: ({ world }) => [join(world.folder, "backup.db")],
  "directory import": ({ world }) => [staffFile(world), "--attribute", "Site"],
  async "tag delete --id 1 --yes"({ world: { database } }) {
    const rule = { id: 1, createdAt: 0, field: "subject", text: "news", tagId: 1, team: null } as const;
    await database.transactionOf(1, (scope) => addRule(scope, rule));
    return [];
  },
  "source change": ({ sourceId }) => ["--id", sourceId, "--secret", "user:the-other-secret"],
  "source delete": ({ sourceId }) => ["--id", sourceId],
  import: ({ world }) => [file(world, lines(record(10)), "records.ndjson")],
  "import --events": ({ world }) => [file(world, lines(...opens(3)), "events.ndjson")],
  async "campaign senders --id 21"({ world }) {
    const key = "key add --organization 1 --name sender --scope ingest --json";
    return ["--senders", String((await run(world.databaseUrl, key)).rows[0]?.id)];
  },
  "views add": ({ role }) => ["--role", role],
};

/** They concern all organizations, and have no `--organization`. */
const ofAll = ["backup", "restore --already"];

const wrongTally = { tally: "people", name: "totalOpens", value: 70, campaign: 21 } as const;

/** Entries that a command writes before its own, newest first. */
const others: Record<string, string[]> = {
  "directory import": ["command line, attribute.add, Site"],
  "tag delete --id 1 --yes": [`command line, rule.delete, subject: ${quoteName("news")}`],
};

const leaves = leafCommands().map(({ name }) => name);

/** The command without its options. */
const nameOf = (command: string) => leaves.find((name) => `${command} `.startsWith(`${name} `)) ?? command;

sqliteTest("each command is known to write to the audit log, or why it does not", () => {
  const known = [...audited, ...views].map(([command]) => nameOf(command));
  const all = new Set(["init", "organization add", ...known, ...Object.keys(silent)]);
  assert.deepEqual([...all].sort(), leaves.sort());
});

async function start(t: TestContext): Promise<Given> {
  const world = await makeWorld(t);
  const added = await run(world.databaseUrl, ["organization", "add", "--name", "Acme Inc."]);
  assert.equal(added.exitCode, 0, added.stderr);
  assert.deepEqual(await actionsOf(world, 1), ["command line, organization.add, Acme Inc."]);
  const hosted = await startHosted(t, hostedCampaigns(3));
  const isServer = !world.databaseUrl.startsWith("sqlite:");
  const role = isServer ? (await makeGuestRole(t, world.databaseUrl)).name : "";
  return { world, role, sourceId: "", hostedUrl: hosted.url };
}

test("every command that changes or exports data writes one entry, with no secret in it", async (t) => {
  const given = await start(t);
  const { world } = given;
  const hasViews = given.role !== "" && notOnCitus("there are no views on Citus").skip === false;
  const printed: string[] = [];
  for (const [command, action, target] of [...audited, ...(hasViews ? views : [])]) {
    if (command.startsWith("recount")) await tamperWithTally(world, wrongTally);
    const more = (await options[command]?.(given)) ?? [];
    const before = await actionsOf(world, 1);
    const of = ofAll.includes(command) ? [] : ["--organization", "1"];
    const argv = [...command.split(" "), ...of, "--json", ...more];
    const { exitCode, stdout, stderr, rows } =
      command === "pull"
        ? await pulling(world, given.hostedUrl, [], { key: hostedKey })
        : await run(world.databaseUrl, argv);
    assert.equal(exitCode, 0, `${command}: ${stderr}`);
    printed.push(stdout);
    if (command.startsWith("source add")) given.sourceId = String(rows[0]?.id);
    if (command === "import --events") await countedCampaign21(given);
    const [newest = "", ...older] = await actionsOf(world, 1);
    assert.deepEqual(older, [...(others[command] ?? []), ...before], `${command} writes one entry`);
    const start = `command line, ${action}, `;
    assert.equal(newest.slice(0, start.length), start);
    const written = newest.slice(start.length);
    if (typeof target === "string") assert.equal(written, target, command);
    else assert.match(written, target, command);
  }
  const log = (await run(world.databaseUrl, "organization audit --organization 1")).stdout;
  const secrets = /ea_test_\w+|[0-9a-f]{32,}/g;
  for (const [secret] of printed.join().matchAll(secrets)) assert.equal(log.includes(secret), false, secret);
  assert.doesNotMatch(log, /the-secret|the-other-secret|hosted-key|person-2/);
});

/** After the events were imported: a campaign that some commands need. */
async function countedCampaign21({ world }: Given): Promise<void> {
  const [organization] = await world.database.query(listOrganizations);
  assert.ok(organization);
  await world.register(organization, 21, { tracking_type: "Individual" });
  await world.ingest(organization, opens(3, { campaign_id: 21 }));
  await world.ingest(organization, [open(9, { campaign_id: 1.5 })]);
}

sqliteTest("a command that fails, changes nothing or only validates writes no entry", async (t) => {
  const { world, hostedUrl } = await start(t);
  const of = ["--organization", "1"];
  await run(world.databaseUrl, ["key", "add", ...of, "--name", "Sheet"]);
  await pulling(world, hostedUrl, [], { key: hostedKey });
  const before = await actionsOf(world, 1);
  const good = file(world, lines(record(50)), "good");
  const bad = file(world, lines(record(51), { id: 52 }), "bad");
  for (const [argv, exitCode] of [
    [["key", "add", ...of, "--name", "sheet"], 1],
    [["key", "delete", ...of, "--id", "99"], 1],
    [["campaign", "delete", ...of, "--id", "99", "--yes"], 1],
    [["organization", "change", ...of, "--audit-days", "29"], 2],
    [["import", ...of, bad], 1],
    [["import", ...of, "--dry-run", good], 0],
    [["recount", "--repair"], 0],
    [["export", "--organization", "99"], 1],
  ] as const) {
    const ran = await run(world.databaseUrl, [...argv]);
    assert.equal(ran.exitCode, exitCode, `${argv.join(" ")}: ${ran.stderr}`);
  }
  assert.equal((await pulling(world, hostedUrl, [], { key: hostedKey })).exitCode, 0);
  assert.deepEqual(await actionsOf(world, 1), before);
});

test("a command changes nothing if its entry cannot be saved", async (t) => {
  const { world } = await start(t);
  const of = ["--organization", "1"];
  await run(world.databaseUrl, ["tag", "add", ...of, "--name", "News"]);
  const names = async () => {
    const { rows } = await run(world.databaseUrl, ["tag", "list", ...of, "--json"]);
    return rows.map(({ name }) => name);
  };
  await tamper(world, "alter table audit_log rename to gone");
  for (const argv of [
    ["add", ...of, "--name", "Info"],
    ["change", ...of, "--id", "1", "--name", "Info"],
    ["delete", ...of, "--id", "1", "--yes"],
  ]) {
    assert.equal((await run(world.databaseUrl, ["tag", ...argv])).exitCode, 1, argv.join(" "));
  }
  const printed = await run(world.databaseUrl, ["export", ...of]);
  assert.deepEqual([printed.exitCode, await names()], [0, ["News"]]);
  assert.match(printed.stderr, /^warning: the audit log does not have this export: .*\n$/);
  await tamper(world, "alter table gone rename to audit_log");
  assert.deepEqual((await actionsOf(world, 1)).length, 2);
});

test("organization audit prints the entries of the organization alone, newest first", async (t) => {
  const { world } = await start(t);
  await run(world.databaseUrl, "organization add --name Globex");
  await run(world.databaseUrl, "tag add --organization 1 --name News");
  const audit = (id: string, ...more: string[]) =>
    run(world.databaseUrl, ["organization", "audit", "--organization", id, ...more]);
  const at = "2026-06-15T12:00:00.000Z";
  const actor = "command line";
  assert.deepEqual((await audit("1", "--json")).rows, [
    { at, actor, action: "tag.add", target: "News" },
    { at, actor, action: "organization.add", target: "Acme Inc." },
  ]);
  assert.equal(
    (await audit("2")).stdout,
    [
      "at                        actor         action            target",
      "2026-06-15T12:00:00.000Z  command line  organization.add  Globex",
      "",
    ].join("\n"),
  );
  assert.equal((await audit("3")).exitCode, 1);
});
