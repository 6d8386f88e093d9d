// For the tests of `copy`: a database with rows in every table, targets that change or lose rows, and the comparison of a
// copy with its source.

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { sql } from "kysely";
import { copiedTables, countAll } from "../../src/storage/copy/copy-tables.ts";
import { listSources } from "../../src/storage/keys/sources.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { isPostgres } from "../../src/storage/queries/dialect-differences.ts";
import type { Queries } from "../../src/storage/queries/queries.ts";
import { Scope } from "../../src/storage/queries/scope.ts";
import { kindsOf } from "../../src/storage/tables/tables.ts";
import { putDirectory, releaseGroups } from "./audience.ts";
import { click, open, opens } from "./events.ts";
import { campaign, countedCampaign, run, serve, succeeds, type World } from "./world.ts";

/** Text that a database could misread or store in another form. */
const unusual = [
  "NULL",
  '{a,"b",\\N}',
  "back\\slash, 'quote' and \"quotes\"",
  "Gr\u00fc\u00dfe, e\u0301 and \u00e9, \u{1f389}\u{10ffff}, \ufdfa \u2028\u2029 \ufeff",
  "\u0001\b\t\r\n\u001b\u007f\u0085",
  " \\u0000 $1 ? :name %s ",
];

export interface FullWorld {
  world: World;
  keys: string[];
  ingestKey: string;
}

/**
 * Two organizations with imported, counted and closed campaigns, tags, keys, a source, quarantined events of campaign 99,
 * and a forgotten recipient. The newest organization, tag and key are deleted.
 */
export async function fillWorld(world: World): Promise<FullWorld> {
  const acme = await world.addOrganization({ timeZone: "Europe/Berlin" });
  const globex = await world.addOrganization({ name: unusual[1] ?? "" });
  await world.save(
    acme.organization,
    unusual.map((text, index) =>
      campaign({ id: 500 + index, subject: text, team: text, tags: [text, "Both"] }),
    ),
  );
  // Large records, so that batches are limited by bytes and not by rows.
  const large = Array.from({ length: 90 }, (_, index) =>
    campaign({ id: 1 + index, recipients: "é".repeat(30_000), sentFrom: null, recipientCount: null }),
  );
  await world.save(globex.organization, [...large, campaign({ id: 2 ** 53 - 1, subject: "" })]);
  await putDirectory(world, acme.organization, {
    "person-1@example.com": { Abteilung: unusual[3] ?? "", Ort: "Ulm" },
    "person-7@example.com": { Abteilung: "Vertrieb", Ort: "" },
  });
  for (const [id, tracking_type] of [
    [1, "Individual"],
    [2, "Anonymous"],
    [3, "Overall"],
  ] as const) {
    const surveys = [{ survey_id: "s", kind: "enps", question: "Varför?" }];
    await world.register(acme.organization, id, {
      ...{ tracking_type, external_id: `é-${id}`, tags: ["Both"], surveys },
    });
  }
  // More than a batch.
  await world.ingest(acme.organization, opens(1_500));
  for (const campaign_id of [2, 3]) {
    const some = [open(1, { campaign_id }), click(2, { campaign_id, url: "https://example.com/ü?a=1&b" })];
    await world.ingest(acme.organization, some);
  }
  const comment = { type: "survey", survey_id: "s", kind: "enps", score: 9, comment: unusual.join(" ") };
  await world.ingest(acme.organization, [open(4_000, comment)]);
  await releaseGroups(world);
  await world.ingest(acme.organization, [
    open(5_000, { campaign_id: 99 }),
    click(5_001, { campaign_id: 99 }),
  ]);
  await world.ingest(globex.organization, [open(1, { campaign_id: 99 })]);
  const of = ["--organization", "1"];
  await succeeds(world.databaseUrl, ["user", "add", ...of, "--email", "björn@example.com"]);
  const done = (...argv: string[]) => succeeds(world.databaseUrl, [...argv, "--json"]);
  await done("campaign", "close", "--yes", ...of, "--id", "3");
  await done("recipient", "forget", "--yes", ...of, "person-7@example.com");
  await done("source", "add", ...of, "--provider", "postmark");
  await world.database.transaction((queries) => fillEmptyTables(queries, acme.organization.id));
  await done("organization", "add", "--name", "Gone");
  await done("organization", "delete", "--organization", "3", "--yes");
  const { rows: tags } = await done("tag", "add", ...of, "--name", "Gone", "--color", "#000000");
  await done("tag", "delete", "--yes", ...of, "--id", String(tags[0]?.id));
  const { rows: made } = await done("key", "add", ...of, "--name", "Gone");
  await done("key", "delete", ...of, "--id", String(made[0]?.id));
  return { world, keys: [acme.key, globex.key], ingestKey: acme.ingestKey };
}

/** Adds a row to each table that has none: of the first user, campaign and source, with text that is easily misread. */
async function fillEmptyTables(queries: Queries, organizationId: number): Promise<void> {
  const [source] = await listSources(new Scope(queries, organizationId));
  const first = { user_id: 1, campaign_id: 1, source_id: source?.id };
  const ids: Record<string, unknown> = { organization_id: organizationId, ...first };
  const values = { integer: 7, number: 0.1, text: unusual.join(" "), bytes: Buffer.from([0, 255]) };
  for (const name of copiedTables) {
    if ((await countAll(queries, name)) > 0) continue;
    const columns = Object.entries(kindsOf(name)).map(([column, kind]) => [
      column,
      ids[column] ?? values[kind],
    ]);
    await queries.insertInto(name).values(Object.fromEntries(columns)).execute();
  }
}

export const copy = (from: string, to: string, ...options: string[]) =>
  run(to, ["copy", "--from", from, ...options]);

/** Adds a trigger that changes (`keeps`) or drops every row written to the table. */
export async function addFaultyTrigger(
  url: string,
  table: string,
  { keeps }: { keeps: boolean },
): Promise<void> {
  const database = await openDatabase(url);
  await database.transaction(async (queries) => {
    const statements = isPostgres(queries)
      ? [
          `create function spoil() returns trigger language plpgsql as
            $$ begin ${keeps ? "new.name := new.name || ' '; return new" : "return null"}; end $$`,
          `create trigger spoil before insert on ${table} for each row execute function spoil()`,
        ]
      : [
          `create trigger spoil after insert on ${table} begin
            ${keeps ? `update ${table} set name = name || ' '` : `delete from ${table}`}
            where organization_id = new.organization_id and id = new.id; end`,
        ];
    for (const statement of statements) await sql.raw(statement).execute(queries);
  });
  await database.close();
}

export async function dropFaultyTrigger(url: string, table: string): Promise<void> {
  const database = await openDatabase(url);
  await database.transaction(async (queries) => {
    const isServer = isPostgres(queries);
    await sql.raw(`drop trigger spoil ${isServer ? `on ${table}` : ""}`).execute(queries);
    if (isServer) await sql`drop function spoil`.execute(queries);
  });
  await database.close();
}

export async function assertEmpty(url: string): Promise<void> {
  assert.deepEqual((await succeeds(url, ["organization", "list", "--json"])).rows, []);
}

/** Asserts that both databases give the same responses, and that the copy counts new and quarantined events. */
export async function assertCopied(t: TestContext, { world, keys, ingestKey }: FullWorld, url: string) {
  const database = await openDatabase(url);
  t.after(() => database.close());
  const here = await serve(t, world);
  const there = await serve(t, { ...world, database, databaseUrl: url });
  for (const key of keys) {
    for (const query of [
      "",
      "?per_page=100",
      "?page=2&per_page=3",
      "?tag_ids=1,2",
      "?sent_before=2024-02-01",
    ]) {
      const [one, other] = await Promise.all(
        [here, there].map((service) => service.get(`/data_api/v1/emails${query}`, { key })),
      );
      assert.equal(one?.status, 200);
      assert.equal(other?.text, one?.text);
      assert.equal(other?.headers.get("etag"), one?.headers.get("etag"));
    }
  }
  const lists = ["tag list", "key list", "source list", "quarantine list", "export"];
  const commands = lists.flatMap((words) =>
    ["1", "2"].map((id) => [...words.split(" "), "--organization", id, "--json"]),
  );
  for (const argv of [["organization", "list", "--json"], ["recount", "--json"], ...commands]) {
    const [one, other] = [await succeeds(world.databaseUrl, argv), await succeeds(url, argv)];
    assert.equal(other.stdout, one.stdout, argv.join(" "));
  }
  await assertSameNextIds(world.databaseUrl, url);
  const registered = await there.send("/ingest/v1/campaigns/99", {
    key: ingestKey,
    method: "PUT",
    body: countedCampaign(99),
  });
  assert.equal(registered.status, 201, registered.text);
  const sent = [open(1), open(5_000, { campaign_id: 99 }), open(5_002, { campaign_id: 99 })];
  const answer = await there.send("/ingest/v1/events", { key: ingestKey, body: { events: sent } });
  assert.deepEqual(answer.body, { accepted: 1, repeated: 2, quarantined: 0, problems: [] });
  const { emails } = await there.emails(keys[0] ?? "", "?per_page=100");
  const late = emails.find(({ id }) => id === 99);
  assert.deepEqual([late?.unique_opens, late?.unique_clicks], [3, 1], "quarantined events are counted");
  await succeeds(url, ["recount"]);
}

/** Asserts that new organizations and tags get the same, unused IDs in both. */
async function assertSameNextIds(one: string, other: string): Promise<void> {
  const of = ["--organization", "1", "--json"];
  for (const argv of [
    ["organization", "add", "--name", "Next", "--json"],
    ["tag", "add", "--name", "Next", "--color", "#000000", ...of],
    ["key", "list", ...of],
  ]) {
    const [here, there] = [await succeeds(one, argv), await succeeds(other, argv)];
    assert.deepEqual(there.rows, here.rows, argv.join(" "));
  }
}
