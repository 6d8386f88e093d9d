// `views`: SQL views of an organization, which equal the downloads, and a role that sees nothing else.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { after } from "node:test";
import fc from "fast-check";
import { sql } from "kysely";
import pg from "pg";
import type { FeedRecord } from "../../../../src/campaign/feed/feed-fields.ts";
import { metricNames, type ReportedMetrics } from "../../../../src/campaign/metrics.ts";
import { changeOrganization } from "../../../../src/counting/campaigns/change-organization.ts";
import { migrations } from "../../../../src/storage/migrations/migrations.ts";
import { listTags } from "../../../../src/storage/organizations/tags.ts";
import { migratePostgres } from "../../../../src/storage/postgres/migrate.ts";
import { Scope } from "../../../../src/storage/queries/scope.ts";
import { addAttributesTo, releaseGroups, saveList } from "../../../support/audience.ts";
import { changeTag } from "../../../support/change-tag.ts";
import { downloadRecords } from "../../../support/downloads.ts";
import { click, open } from "../../../support/events.ts";
import { unusualTexts } from "../../../support/feed-records.ts";
import { askAs, makeGuestRole } from "../../../support/guest-role.ts";
import { notOnCitus } from "../../../support/not-on-citus.ts";
import { pick } from "../../../support/pick.ts";
import { randomCases } from "../../../support/random-cases.ts";
import {
  campaign,
  makeDatabase,
  makeWorld,
  makeWorldOn,
  present,
  run,
  serve,
} from "../../../support/world.ts";

const onOneServer = notOnCitus("there are no views on Citus");

const world = await makeWorld({ after });
const service = await serve({ after }, world);
const role = await makeGuestRole({ after }, world.databaseUrl);
const command = (...argv: string[]) => run(world.databaseUrl, ["views", ...argv]);
const add = async (id: number) => {
  const { exitCode, stderr } = await command("add", "--organization", `${id}`, "--role", role.name);
  assert.deepEqual([exitCode, stderr], [0, ""]);
};

/** The rows of the view `emails`, as the NDJSON download writes them. */
async function readEmails(id: number): Promise<FeedRecord[]> {
  const rows = await role.ask(
    `select *, sent_on::text as sent_on from analytics_${id}.emails order by sent_at desc, id desc`,
  );
  return rows.map((row) => {
    const entries = Object.entries(row).map(([name, value]) => [name, toJson(name, value)]);
    return Object.fromEntries(entries) as FeedRecord;
  });
}

/** The driver returns bigint as text. */
function toJson(name: string, value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  const isText = ["subject", "sent_from", "organization_team", "sending_type", "tracking_type"].includes(
    name,
  );
  const isNumber = typeof value === "string" && /^-?\d+$/.test(value);
  return isNumber && !isText && !["recipients", "tag_names"].includes(name) ? Number(value) : value;
}

const anyText = fc.constantFrom(
  ...unusualTexts.filter((text) => !text.includes("\0")),
  "\uFF21",
  "\u{1F600}",
);
const anyCount = fc.constantFrom(null, 0, 1, 2 ** 53 - 1);
const anyMetrics = fc.record(
  Object.fromEntries(
    metricNames.map((name) => [
      name,
      fc.oneof(anyCount, ...(/rate|average/.test(name) ? [fc.constantFrom(1e-7, 33.33)] : [])),
    ]),
  ),
) as unknown as fc.Arbitrary<ReportedMetrics>;
const anyTags = fc.uniqueArray(
  anyText.filter((text) => text.trim() !== "" && text.trim() === text && !/[\p{Cc}]/u.test(text)),
  { maxLength: 4 },
);
const anyReported = fc.record({
  subject: anyText,
  sentAt: fc.integer({ min: Date.UTC(1970, 0), max: present }),
  sentFrom: fc.option(anyText),
  team: fc.option(anyText),
  recipients: fc.option(anyText),
  recipientCount: anyCount,
  surveysCount: anyCount,
  metrics: anyMetrics,
  tags: anyTags,
});
const anyEvent = fc.record({
  campaign_id: fc.integer({ min: 101, max: 103 }),
  type: fc.constantFrom("open", "click"),
  machine: fc.boolean(),
  at: fc.integer({ min: 0, max: 3_600_000 }).map((ms) => new Date(present - ms).toISOString()),
});
const anyChange = fc.constantFrom("rename tag", "time zone", "count", "delete");

test("emails equals the NDJSON download, field by field, after each change", onOneServer, async () => {
  const property = fc.asyncProperty(
    fc.array(anyReported, { minLength: 1, maxLength: 6 }),
    fc.array(anyEvent, { maxLength: 12 }),
    fc.array(anyChange, { minLength: 1, maxLength: 3 }),
    async (reported, events, changes) => {
      const { organization, key } = await world.addOrganization({ timeZone: "America/New_York" });
      const { id } = organization;
      await add(id);
      const future = campaign({ id: 99, sentAt: Date.UTC(2100, 0) });
      await world.save(organization, [
        ...reported.map(({ metrics, ...each }, index) => campaign({ ...each, id: index + 1, metrics })),
        future,
      ]);
      for (const each of [101, 102, 103]) {
        await world.register(organization, each, { recipient_count: each % 2 });
      }
      const more = events.map((event, index) => open(index, { url: "https://example.com/", ...event }));
      await world.ingest(organization, more);
      for (const change of [undefined, ...changes]) {
        if (change !== undefined) await makeChange(change, id);
        const expected = await downloadRecords({ url: service.url, key }, "ndjson");
        assert.deepEqual(await readEmails(id), expected);
      }
    },
  );
  await fc.assert(property, { numRuns: randomCases(3) });
});

async function makeChange(change: string, id: number): Promise<void> {
  if (change === "delete") {
    const argv = ["campaign", "delete", "--organization", `${id}`, "--id", "1", "--yes"];
    await run(world.databaseUrl, argv);
    return;
  }
  await world.database.transaction(async (queries) => {
    const now = present;
    if (change === "time zone")
      await changeOrganization(new Scope(queries, id), { timeZone: "Asia/Kathmandu" }, now);
    if (change === "count") await changeOrganization(new Scope(queries, id), { countedTraffic: "all" }, now);
    const [tag] = await listTags(new Scope(queries, id));
    if (change !== "rename tag" || !tag) return;
    // Another tag may be first the next time.
    const renamed = { name: `Renamed ${tag.id}` };
    await changeTag(queries, { organizationId: id, id: tag.id, change: renamed, now });
  });
}

test("tags, links and hours equal what pages show, without future campaigns", onOneServer, async () => {
  const { organization } = await world.addOrganization({ timeZone: "Asia/Kathmandu" });
  const { id } = organization;
  await add(id);
  await world.save(organization, [
    campaign({ id: 1, tags: ["B", "A"] }),
    campaign({ id: 2, tags: ["A"], sentAt: Date.UTC(2100, 0) }),
  ]);
  await world.register(organization, 3);
  await world.ingest(organization, [
    open(1, { campaign_id: 3, at: "2026-06-15T11:10:00Z" }),
    open(2, { campaign_id: 3, at: "2026-06-15T11:20:00Z", machine: true }),
    click(3, { campaign_id: 3, at: "2026-06-15T11:40:00Z" }),
    click(4, { campaign_id: 3, at: "2026-06-15T11:40:00Z", url: "https://example.com/b", machine: true }),
  ]);
  const all = (view: string) => role.ask(`select * from analytics_${id}.${view} order by 1, 2`);
  const tags = await all("tags");
  assert.deepEqual(tags.map(({ name }) => name).sort(), ["A", "B"]);
  const emailTags = await all("email_tags");
  const idOf = (name: string) => tags.find((tag) => tag.name === name)?.id as string;
  const expected = [idOf("A"), idOf("B")].map((tag_id) => ({ email_id: "1", tag_id }));
  expected.sort((a, b) => Number(a.tag_id) - Number(b.tag_id));
  assert.deepEqual(emailTags, expected);
  const [wide, astral] = ["\uFF21", "\u{1F600}"];
  await world.save(organization, [campaign({ id: 4, tags: [wide, astral] })]);
  assert.deepEqual(await role.ask(`select tag_names from analytics_${id}.emails where id = 4`), [
    { tag_names: `${astral}; ${wide}` },
  ]);
  assert.deepEqual(await all("email_links"), [
    { email_id: "3", url: "https://example.com/a", human_clicks: "1", automated_clicks: "0" },
    { email_id: "3", url: "https://example.com/b", human_clicks: "0", automated_clicks: "1" },
  ]);
  // Clocks in Kathmandu are 5:45 ahead, so hours start at a quarter past.
  const none = { human_opens: "0", automated_opens: "0", human_clicks: "0", automated_clicks: "0" };
  assert.deepEqual(await all("email_hours"), [
    { email_id: "3", hour: new Date("2026-06-15T10:15:00Z"), ...none, human_opens: "1" },
    {
      ...{ email_id: "3", hour: new Date("2026-06-15T11:15:00Z"), ...none },
      ...{ automated_opens: "1", human_clicks: "1", automated_clicks: "1" },
    },
  ]);
});

test("the role reads the views of its organization, and nothing else", onOneServer, async (t) => {
  const [own, other] = [await world.addOrganization(), await world.addOrganization()];
  await world.save(own.organization, [campaign({ id: 1, subject: "Own", tags: ["Own tag"] })]);
  await world.save(other.organization, [campaign({ id: 2, subject: "Secret", tags: ["Secret tag"] })]);
  const [reader, stranger] = [
    await makeGuestRole(t, world.databaseUrl),
    await makeGuestRole(t, world.databaseUrl),
  ];
  for (const [{ organization }, { name }] of [
    [own, reader],
    [other, stranger],
  ] as const) {
    const added = await command("add", "--organization", `${organization.id}`, "--role", name);
    assert.equal(added.exitCode, 0, added.stderr);
  }
  const schema = `analytics_${own.organization.id}`;
  const relations = await askAs(
    world.databaseUrl,
    `select nspname as schema, relname as name, relkind as kind from pg_class
     join pg_namespace on pg_namespace.oid = relnamespace
     where nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and relkind <> 'i'`,
  );
  assert.ok(relations.length > 30);
  const readable: string[] = [];
  for (const { schema: of, name } of relations) {
    const from = `${pg.escapeIdentifier(`${of}`)}.${pg.escapeIdentifier(`${name}`)}`;
    for (const statement of [
      `select * from ${from}`,
      `delete from ${from}`,
      `insert into ${from} default values`,
    ]) {
      const found = await reader.ask(statement).then(
        () => "done",
        (error: Error) => error.message,
      );
      if (found === "done") readable.push(`${statement.split(" ")[0]} ${of}.${name}`);
      else assert.match(found, /^permission denied for |^cannot (delete from|insert into) view/);
    }
  }
  const views = ["email_groups", "email_hours", "email_links", "email_tags", "emails", "tags"];
  const expected = views.map((view) => `select ${schema}.${view}`);
  assert.deepEqual(readable.sort(), expected);
  for (const statement of ["create table public.mine ()", `create table ${schema}.mine ()`]) {
    await assert.rejects(reader.ask(statement), /permission denied for schema/);
  }
  assert.deepEqual(await reader.ask("select * from pg_stats where schemaname = 'public'"), []);
  assert.deepEqual(await reader.ask(`select subject, tag_names from ${schema}.emails`), [
    { subject: "Own", tag_names: "Own tag" },
  ]);
  await checkBarrier(reader.url, schema);
});

// Only `npm run test:citus` has a coordinator.
if (process.env.TEST_DATABASE === "citus") {
  // Views of the extension, which every role reads, have no rows of organizations.
  test("views add on the coordinator of Citus is refused, and the role reads no table", async (t) => {
    const { organization } = await world.addOrganization();
    await world.save(organization, [campaign({ id: 1 })]);
    const guest = await makeGuestRole(t, world.databaseUrl);
    const added = await command("add", "--organization", `${organization.id}`, "--role", guest.name);
    const message =
      "error: SQL views do not work with tables that Citus distributes, because its nodes would need rights for the role; use downloads\n";
    assert.deepEqual([added.exitCode, added.stderr], [1, message]);
    const relations = await askAs(
      world.databaseUrl,
      `select nspname as schema, relname as name from pg_class
       join pg_namespace on pg_namespace.oid = relnamespace
       where (nspname = 'public' or nspname like 'analytics%') and relkind in ('r', 'v', 'p')
         and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')`,
    );
    assert.ok(relations.length > 20 && relations.every(({ schema }) => schema === "public"));
    for (const { name } of relations) {
      const table = pg.escapeIdentifier(`${name}`);
      for (const statement of [`select * from ${table}`, `delete from ${table}`]) {
        await assert.rejects(guest.ask(statement), /permission denied for (table|view)/, statement);
      }
    }
  });
}

/** A cheap function in a condition, which PostgreSQL evaluates first, must not see rows of other organizations. */
async function checkBarrier(url: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  const seen = new Set<string | undefined>();
  client.on("notice", ({ message }) => seen.add(message));
  await client.connect();
  await client.query(`
    create function pg_temp.spy(value text) returns boolean language plpgsql cost 0.0000001 as
    $$ begin raise notice '%', value; return true; end $$`);
  await client.query("set enable_indexscan = off; set enable_bitmapscan = off");
  await client.query(`select 1 from ${schema}.emails where pg_temp.spy(subject)`);
  await client.query(`select 1 from ${schema}.tags where pg_temp.spy(name)`);
  await client.end();
  assert.deepEqual([...seen].sort(), ["Own", "Own tag"]);
}

test("a filter on sent_at uses an index", onOneServer, async () => {
  const { organization } = await world.addOrganization();
  await add(organization.id);
  const campaigns = Array.from({ length: 500 }, (_, index) =>
    campaign({ id: index + 1, sentAt: Date.UTC(2020, 0, 1 + index) }),
  );
  await world.save(organization, campaigns);
  await askAs(world.databaseUrl, "analyze");
  // As Metabase writes it.
  const condition = `"sent_at" >= timestamp with time zone '2020-02-01 00:00:00.000Z'
    and "sent_at" < timestamp with time zone '2020-03-01 00:00:00.000Z'`;
  const from = `from "analytics_${organization.id}"."emails" where ${condition}`;
  assert.deepEqual(await role.ask(`select count(*) ${from}`), [{ count: "29" }]);
  const plan = (await role.ask(`explain select sum(unique_opens) ${from}`)).map((row) => row["QUERY PLAN"]);
  assert.match(plan.join("\n"), /emails_sent_at_instant[\s\S]*Index Cond: .*organization_id.*>=.*</);
});

test("every column has a comment with its unit and the meaning of null", onOneServer, async () => {
  const { organization } = await world.addOrganization();
  await add(organization.id);
  const comments = await role.ask(`
    select relname, attname, col_description(attrelid, attnum) as comment
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'analytics_${organization.id}'::regnamespace and attnum > 0`);
  const found = comments.filter(({ comment }) => comment === null);
  assert.deepEqual(found, []);
  assert.equal(
    comments.find(({ relname, attname }) => relname === "emails" && attname === "open_rate")?.comment,
    "Share of recipients who opened the campaign. Unit: a fraction, 0 to 1. Null: No recipients, or the import has no value.",
  );
});

test("the model questions of the documentation run as the role", onOneServer, async () => {
  const { organization } = await world.addOrganization();
  await add(organization.id);
  const metrics = { unique_opens: 9, unique_clicks: 3 };
  const given = [
    { recipientCount: 10, metrics },
    { recipientCount: 90, metrics },
    { recipientCount: 50, metrics: { ...metrics, unique_opens: null } },
    { recipientCount: null, metrics: { ...metrics, unique_clicks: null } },
  ];
  const campaigns = given.map((each, index) => campaign({ id: index + 1, tags: ["News"], ...each }));
  await world.save(organization, campaigns);
  const questions = documentedQuestions(organization.id, "emails");
  assert.equal(questions.length, 3);
  for (const question of questions) {
    const statement = question
      // Grafana replaces its macro like this.
      .replace("$__timeFilter(sent_at)", "sent_at BETWEEN '2024-01-01T00:00:00Z' AND '2024-12-31T00:00:00Z'");
    const [row, ...others] = await role.ask(statement);
    assert.equal(others.length, 0);
    assert.ok([0.18, 18].includes(Number(row?.open_rate)), JSON.stringify(row));
    assert.equal(Number(row?.click_to_open_rate ?? 6 / 18), 6 / 18);
  }
});

/** The questions of the documentation about a view, for an organization. */
function documentedQuestions(id: number, view: string): string[] {
  const page = readFileSync(new URL("../../../../docs/sql-views.md", import.meta.url), "utf8");
  return [...page.matchAll(/```sql\n(select [\s\S]*?)```/g)]
    .map(([, question = ""]) => question.replaceAll("analytics_1.", `analytics_${id}.`))
    .filter((question) => question.includes(`from analytics_${id}.${view}\n`));
}

test("the question of the documentation by department runs as the role", onOneServer, async () => {
  const { organization } = await world.addOrganization();
  await add(organization.id);
  await addAttributesTo(world, organization, ["Department", "Site"]);
  for (const id of [1, 2]) {
    await world.register(organization, id);
    const sales = { count: 12, values: { Department: "Sales" } };
    await saveList(world, organization, id, [sales, { count: 10 * id, values: {} }]);
  }
  const events = [1, 2, 3, 13].map((number) => open(number));
  await world.ingest(organization, events);
  await releaseGroups(world);
  const [question = "", ...others] = documentedQuestions(organization.id, "email_groups");
  assert.equal(others.length, 0);
  assert.deepEqual(await role.ask(question), [
    { department: "Sales", campaigns: "2", recipients: "24", open_rate: 3 / 24 },
    { department: "", campaigns: "2", recipients: "30", open_rate: 1 / 30 },
  ]);
});

test("the questions for Metabase and Superset run as the role", onOneServer, async () => {
  const { organization } = await world.addOrganization();
  const { id } = organization;
  await add(id);
  const metrics = { unique_opens: 9, unique_clicks: 3 };
  await world.save(organization, [
    campaign({ id: 1, recipientCount: 10, metrics, tags: ["News"] }),
    campaign({ id: 2, recipientCount: 90, metrics, tags: ["News", "HR"] }),
    campaign({ id: 3, recipientCount: 90, metrics: { ...metrics, unique_opens: null }, tags: ["Other"] }),
    campaign({ id: 5, recipientCount: null, metrics, tags: ["Other"] }),
  ]);
  await world.register(organization, 4);
  await world.ingest(
    organization,
    ["a", "b", "a"].map((page, index) =>
      click(index, { campaign_id: 4, recipient: `${index}@example.com`, url: `https://example.com/${page}` }),
    ),
  );
  const ask = (name: string) => {
    const file = new URL(`../../../../connectors/sql/${name}.sql`, import.meta.url);
    return role.ask(readFileSync(file, "utf8").replaceAll("analytics_1.", `analytics_${id}.`));
  };
  assert.deepEqual(pick(await ask("open-rate-by-month"), "open_rate", "campaigns"), [
    [18 / 100, "2"],
    [3 / 100, "1"],
  ]);
  assert.deepEqual(await ask("rates-by-tag"), [
    { tag: "News", campaigns: "2", open_rate: 18 / 100, click_rate: 6 / 100 },
    { tag: "HR", campaigns: "1", open_rate: 9 / 90, click_rate: 3 / 90 },
    { tag: "Other", campaigns: "1", open_rate: null, click_rate: 3 / 90 },
  ]);
  assert.deepEqual(await ask("clicks-by-link"), [
    { url: "https://example.com/a", clicks: "2", campaigns: "1" },
    { url: "https://example.com/b", clicks: "1", campaigns: "1" },
  ]);
});

test("views list and views remove", onOneServer, async () => {
  const { organization } = await world.addOrganization();
  const { id } = organization;
  await add(id);
  const listed = await command("list", "--json");
  const found = listed.rows.find(({ organization_id }) => organization_id === id);
  assert.deepEqual(found, { organization_id: id, schema: `analytics_${id}`, roles: [role.name] });
  const argv = ["remove", "--organization", `${id}`];
  assert.equal((await command(...argv)).stdout, `Removed the views of organization ${id}.\n`);
  await assert.rejects(role.ask(`select * from analytics_${id}.tags`), /does not exist/);
  const again = await command(...argv);
  const expected = [1, `error: organization ${id} has no views; see "email-analytics views list"\n`];
  assert.deepEqual([again.exitCode, again.stderr], expected);
});

test("views add says which role, schema or right is missing", onOneServer, async (t) => {
  const { organization } = await world.addOrganization();
  const { id } = organization;
  const writer = await makeGuestRole(t, world.databaseUrl);
  const quoted = pg.escapeIdentifier(writer.name);
  const fails = async (url: string, name: string, message: string | RegExp) => {
    const { exitCode, stderr } = await run(url, ["views", "add", "--organization", `${id}`, "--role", name]);
    assert.equal(exitCode, 1);
    if (typeof message === "string") assert.equal(stderr, `error: ${message}\n`);
    else assert.match(stderr, message);
  };
  for (const [name, shown] of [
    ["no_such_role", `"no_such_role"`],
    ["public", `"public"`],
    [`x"; drop table campaigns; --`, `"x""; drop table campaigns; --"`],
  ] as const) {
    const message = `the role ${shown} does not exist; create it with: create role ${shown} login password '…'`;
    await fails(world.databaseUrl, name, message);
  }
  await askAs(world.databaseUrl, `create schema analytics_${id}`);
  const taken = `the schema analytics_${id} exists and is not one of email-analytics; rename or drop it`;
  await fails(world.databaseUrl, role.name, taken);
  await askAs(world.databaseUrl, `drop schema analytics_${id}`);
  await askAs(world.databaseUrl, `grant all on all tables in schema public to ${quoted}`);
  await fails(
    world.databaseUrl,
    writer.name,
    / can read or change the table api_keys, and so could read other organizations; revoke that right, or use/,
  );
  await fails(
    writer.url,
    role.name,
    /^error: this database user may not change views \(permission denied for /,
  );
  const sqlite = `sqlite:${world.folder}/views.db`;
  await run(sqlite, "organization add --name Acme");
  const argv = ["views", "add", "--organization", "1", "--role", "metabase"];
  const expected = "error: SQL views need PostgreSQL; this database is SQLite\n";
  assert.equal((await run(sqlite, argv)).stderr, expected);
});

test("views survive migrations of their columns, and go with their organization", onOneServer, async (t) => {
  const own = await makeWorldOn(t, await makeDatabase(t));
  const url = own.databaseUrl;
  const { organization } = await own.addOrganization();
  await own.save(organization, [campaign({ id: 1 })]);
  const reader = await makeGuestRole(t, url);
  const argv = ["--organization", `${organization.id}`];
  await run(url, ["views", "add", ...argv, "--role", reader.name]);
  const read = () => reader.ask(`select subject from analytics_${organization.id}.emails`);
  const copied = await run(`sqlite:${own.folder}/copy.db`, ["copy", "--from", url]);
  assert.equal(copied.exitCode, 0, copied.stderr);

  await askAs(url, `drop view analytics_${organization.id}.emails`);
  assert.equal((await run(url, "migrate")).exitCode, 0);
  assert.deepEqual(await read(), [{ subject: "Campaign 1" }]);

  // A reader with an open transaction holds locks of the views.
  const holding = new pg.Client({ connectionString: reader.url });
  await holding.connect();
  await holding.query(`begin; select from analytics_${organization.id}.emails`);
  const { name: second } = await makeGuestRole(t, url);
  for (const each of [["migrate"], ["views", "add", ...argv, "--role", second]]) {
    assert.equal((await run(url, each)).stderr, "");
  }
  await holding.end();

  const later = () => ["alter table campaigns alter column subject type varchar(70000)"];
  await migratePostgres(url, { ...migrations, "9999_later": later });
  assert.deepEqual(await read(), [{ subject: "Campaign 1" }]);

  await askAs(url, "delete from kysely_migration where name = '9999_later'");
  assert.equal((await run(url, ["organization", "delete", ...argv, "--yes"])).exitCode, 0);
  const left = "select from pg_namespace where nspname like 'analytics%'";
  assert.deepEqual(await askAs(url, left), []);
  assert.deepEqual(await askAs(url, "select from pg_class where relname = 'emails_sent_at_instant'"), []);
});

test("views add refuses each role that could get at other organizations", onOneServer, async (t) => {
  const own = await makeWorldOn(t, await makeDatabase(t));
  const url = own.databaseUrl;
  const { organization } = await own.addOrganization();
  const neighbor = await own.addOrganization();
  const secrets = `analytics_${neighbor.organization.id}`;
  const { rows } = await own.database.query((queries) =>
    sql<{ name: string }>`select current_database() as name`.execute(queries),
  );
  const database = pg.escapeIdentifier(rows[0]?.name ?? "");
  const { name } = await makeGuestRole(t, url);
  const { name: group } = await makeGuestRole(t, url);
  const [tool, other] = [pg.escapeIdentifier(name), pg.escapeIdentifier(group)];
  const member = ` is a member of ${other}, which`;
  const table = " can read or change the table";
  const cases = [
    [`grant ${other} to ${tool}; grant select on emails to ${other}`, `${member}${table} emails`],
    [`grant ${other} to ${tool}; grant select (subject) on emails to ${other}`, `${member}${table} emails`],
    [`grant insert on api_keys to ${tool}`, `${table} api_keys`],
    [`alter role ${tool} createrole`, " can give itself other roles (CREATEROLE)"],
    [`alter role ${tool} replication`, " can replicate the database"],
    [`alter role ${tool} superuser`, " is a superuser"],
    [
      `grant ${other} to ${tool}; alter role ${other} createrole`,
      `${member} can give itself other roles (CREATEROLE)`,
    ],
    [
      `grant pg_read_all_data to ${tool}`,
      ` is a member of "pg_read_all_data", which has rights on the whole server`,
    ],
    [`grant create on database ${database} to ${tool}`, " can create schemas in the database"],
    ["grant create on schema public to public", " can create objects in the schema public"],
    [
      `create schema plans; grant create on schema plans to ${tool};
       alter role ${tool} in database ${database} set search_path = plans, public`,
      " can create objects in the schema plans",
    ],
    [
      `grant ${other} to ${tool}; grant usage on schema ${secrets} to ${other}`,
      `${member} can read the schema ${secrets}`,
    ],
    [
      `grant ${tool} to ${other}; grant usage on schema ${secrets} to ${other}`,
      ` has the member ${other}, which can read the schema ${secrets}`,
    ],
    [`grant usage on schema ${secrets} to public`, ` can read the schema ${secrets}`],
    [
      `create schema plans; create view plans.first as select subject from emails;
       create view plans.second as select * from plans.first;
       grant select on plans.second to ${other}; grant ${other} to ${tool}`,
      `${member} can read the view plans.second`,
    ],
    [
      `create schema plans; grant usage on schema plans to ${tool};
       create view plans.own as select * from ${secrets}.emails; grant select on plans.own to ${tool}`,
      " can read the view plans.own",
    ],
    [
      `create schema plans; grant usage on schema plans to ${other}; grant ${other} to ${tool};
       create function plans.peek() returns text security definer language sql as 'select min(subject) from emails'`,
      " can call the SECURITY DEFINER function plans.peek",
    ],
  ] as const;
  const argv = ["views", "add", "--organization", `${organization.id}`, "--role", name];
  const { name: owner } = await makeGuestRole(t, url);
  await run(url, ["views", "add", "--organization", `${neighbor.organization.id}`, "--role", owner]);
  for (const [statement, problem] of cases) {
    await askAs(url, `alter role ${tool} noinherit; ${statement}`);
    const { stderr } = await run(url, argv);
    const message = `error: the role ${tool}${problem}, and so could read other organizations; revoke that right, or use a role without other rights\n`;
    assert.equal(stderr, message);
    await askAs(
      url,
      `revoke ${other}, pg_read_all_data from ${tool}; revoke all on emails from ${other};
       revoke all (subject) on emails from ${other}; revoke all on api_keys from ${tool};
       revoke create on database ${database} from ${tool}; revoke create on schema public from public;
       alter role ${tool} nocreaterole noreplication nosuperuser; alter role ${other} nocreaterole;
       drop schema if exists plans cascade; revoke ${tool} from ${other};
       revoke all on schema ${secrets} from ${other}, public`,
    );
  }
  // A view of its own views, a function without its owner's rights, and a table that is not of the service.
  await askAs(
    url,
    `create schema plans; grant usage on schema plans to ${tool}; create table plans.targets ();
     create function plans.sum() returns int language sql as 'select 1'; grant select on plans.targets to ${tool}`,
  );
  assert.equal((await run(url, argv)).stderr, "");
  await askAs(
    url,
    `create view plans.own as select * from analytics_${organization.id}.emails; grant select on plans.own to ${tool}`,
  );
  assert.equal((await run(url, argv)).stderr, "");
});

test("the role that the documentation creates has timeouts", onOneServer, async (t) => {
  const guest = await makeGuestRole(t, world.databaseUrl);
  const page = readFileSync(new URL("../../../../docs/sql-views.md", import.meta.url), "utf8");
  const statements = [...page.matchAll(/"(alter role metabase set .*)"/g)].map(
    ([, statement = ""]) => statement,
  );
  for (const statement of statements) {
    await askAs(world.databaseUrl, statement.replace("metabase", pg.escapeIdentifier(guest.name)));
  }
  const settings = ["statement_timeout", "idle_in_transaction_session_timeout", "lock_timeout"];
  const values = settings.map((name) => `current_setting('${name}') as ${name}`).join();
  assert.deepEqual(await guest.ask(`select ${values}`), [
    { statement_timeout: "5min", idle_in_transaction_session_timeout: "1min", lock_timeout: "10s" },
  ]);
});
