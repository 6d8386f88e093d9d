// A database of the first version, which knew reported campaigns only, is brought to this one.

import assert from "node:assert/strict";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import Sqlite from "better-sqlite3";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { start } from "../../support/process.ts";
import { campaign, makeFolder, makeSqliteWorld, run } from "../../support/world.ts";

/** As the first version made them. */
const firstTables = `
  create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null);
  create table kysely_migration_lock (
    id varchar(255) not null primary key, is_locked integer default 0 not null
  );
  create table counters (name text primary key, value bigint not null);
  create table organizations (
    id bigint primary key, name text not null, time_zone text not null, revision bigint not null,
    rendering bigint not null
  );
  create table api_keys (
    organization_id bigint not null, id bigint not null, name text not null, beginning text not null,
    hash text not null, created_at bigint not null,
    constraint api_keys_key primary key (organization_id, id),
    constraint api_keys_organization foreign key (organization_id) references organizations (id) on delete cascade,
    constraint api_keys_hash unique (organization_id, hash)
  );
  create table tags (
    organization_id bigint not null, id bigint not null, name text not null, color text not null,
    constraint tags_key primary key (organization_id, id),
    constraint tags_organization foreign key (organization_id) references organizations (id) on delete cascade,
    constraint tags_name unique (organization_id, name)
  );
  create table campaigns (
    organization_id bigint not null, id bigint not null, subject text not null, sent_at bigint not null,
    sent_from text, team text, sending_type text, tracking_type text, recipient_count bigint,
    recipients text, surveys_count bigint, reported_metrics text not null, record text not null,
    rendering bigint not null, constraint campaigns_key primary key (organization_id, id),
    constraint campaigns_organization foreign key (organization_id) references organizations (id) on delete cascade
  );
  create index campaigns_sent_at on campaigns (organization_id, sent_at, id);
  create index campaigns_rendering on campaigns (organization_id, rendering);
  create table campaign_tags (
    organization_id bigint not null, campaign_id bigint not null, tag_id bigint not null,
    constraint campaign_tags_key primary key (organization_id, campaign_id, tag_id),
    constraint campaign_tags_campaign foreign key (organization_id, campaign_id) references campaigns (organization_id, id) on delete cascade,
    constraint campaign_tags_tag foreign key (organization_id, tag_id) references tags (organization_id, id) on delete cascade
  );
  create index campaign_tags_tag_id on campaign_tags (organization_id, tag_id, campaign_id);
  insert into kysely_migration values ('0001_campaigns', '2026-01-01T00:00:00.000Z');
  insert into kysely_migration_lock values ('migration_lock', 0);`;

const tables = ["counters", "organizations", "api_keys", "tags", "campaigns", "campaign_tags"];

/** The data of today in the tables of the first version. */
async function firstVersion(t: TestContext) {
  const world = await makeSqliteWorld(t);
  const { organization, key } = await world.addOrganization({ timeZone: "Europe/Berlin" });
  await world.addOrganization({ name: "Globex" });
  await world.save(organization, [
    campaign({ id: 1, tags: ["News"] }),
    campaign({ id: 2, metrics: { open_rate: null } }),
  ]);
  const databaseUrl = `sqlite:${join(makeFolder(t), "first.db")}`;
  const sqlite = new Sqlite(databaseUrl.slice("sqlite:".length));
  sqlite.pragma("journal_mode = wal");
  sqlite.exec(firstTables);
  sqlite.prepare("attach ? as today").run(join(world.folder, "test.db"));
  for (const table of tables) {
    const columns = sqlite.pragma(`table_info(${table})`) as { name: string }[];
    const names = columns.map(({ name }) => name).join(", ");
    sqlite.exec(`insert into ${table} select ${names} from today.${table}`);
  }
  sqlite.close();
  return { world, databaseUrl, key };
}

const settingsOf = (databaseUrl: string) => {
  const sqlite = new Sqlite(databaseUrl.slice("sqlite:".length));
  const secrets = sqlite.prepare("select secret from organizations").pluck().all() as string[];
  const scopes = sqlite.prepare("select distinct scope from api_keys").pluck().all();
  const autoVacuum = sqlite.pragma("auto_vacuum", { simple: true });
  const isWhole = sqlite.pragma("integrity_check", { simple: true });
  sqlite.close();
  return { secrets, scopes, autoVacuum, isWhole };
};

test("everything is there as before, and what is new has its default", async (t) => {
  const { world, databaseUrl } = await firstVersion(t);
  const exporting = ["export", "--organization", "1"];
  const before = await run(world.databaseUrl, exporting);
  const migrated = await run(databaseUrl, ["migrate"]);
  assert.deepEqual(
    [migrated.exitCode, migrated.stdout],
    [
      0,
      "Migrated: 0002_events, 0003_sources, 0004_leases, 0005_timeline, 0006_web, 0007_search, 0008_hours, 0009_numbers.\n",
    ],
  );
  assert.equal((await run(databaseUrl, exporting)).stdout, before.stdout);
  const { rows } = await run(databaseUrl, ["organization", "list", "--json"]);
  const settings = { count: "people", close_after_days: 400, close_nameless_after_days: 90 };
  assert.deepEqual(rows, [
    { id: 1, name: "Acme", time_zone: "Europe/Berlin", ...settings },
    { id: 2, name: "Globex", time_zone: "UTC", ...settings },
  ]);
  const { secrets, scopes, autoVacuum, isWhole } = settingsOf(databaseUrl);
  assert.deepEqual([scopes, autoVacuum, isWhole], [["read"], 2, "ok"]);
  assert.equal(new Set(secrets).size, 2, "each organization has a secret of its own");
  for (const secret of secrets) assert.match(secret, /^[0-9a-f]{64}$/);
});

test("a campaign of the first version is a reported one: events for it wait, and it cannot be closed", async (t) => {
  const { databaseUrl } = await firstVersion(t);
  const event = { id: "e", campaign_id: 1, recipient: "a", type: "open", at: "2026-06-15T11:30:00Z" };
  const argv = ["import", "--events", "--organization", "1", "-", "--json"];
  const { rows } = await run(databaseUrl, argv, { stdin: JSON.stringify(event) });
  assert.deepEqual(rows, [{ accepted: 0, repeated: 0, quarantined: 1, problems: { reported_campaign: 1 } }]);
  const closed = await run(databaseUrl, ["campaign", "close", "--organization", "1", "--id", "1"]);
  assert.equal(closed.exitCode, 1);
});

test("several processes bring the same database to this version at once", async (t) => {
  const { databaseUrl } = await firstVersion(t);
  const programs = [1, 2, 3].map(() =>
    start(t, ["organization", "list", "--json"], { DATABASE_URL: databaseUrl }),
  );
  assert.deepEqual(await Promise.all(programs.map(({ ended }) => ended)), [0, 0, 0]);
  const { autoVacuum, isWhole } = settingsOf(databaseUrl);
  assert.deepEqual([autoVacuum, isWhole], [2, "ok"]);
  const database = await openDatabase(databaseUrl);
  assert.deepEqual(database.migrated, []);
  await database.close();
});
