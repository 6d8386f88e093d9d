// Query plans with outdated statistics, from when a table was almost empty, and with current ones.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { CompiledQuery } from "kysely";
import pg from "pg";
import { saveReportedCampaigns } from "../../../src/counting/campaigns/save-reported-campaigns.ts";
import { findRecordsBetween } from "../../../src/storage/campaigns/index-rows.ts";
import type { Queries } from "../../../src/storage/queries/queries.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { notOnCitus } from "../../support/not-on-citus.ts";
import { campaign, makeAcme } from "../../support/world.ts";

test(
  "an import looks up rows by key even when the statistics know only one campaign",
  notOnCitus("reads index statistics of the coordinator, which has no rows"),
  async (t) => {
    const { world, organization } = await makeAcme(t);
    await world.save(organization, [campaign({ id: 1, tags: ["a"] })]);
    const client = new pg.Client(world.databaseUrl);
    await client.connect();
    t.after(() => client.end());
    await client.query("analyze");

    const imported = 4_000;
    const rows = Array.from({ length: imported }, (_, index) =>
      campaign({ id: index + 2, tags: ["a", "b"], sentAt: Date.UTC(2024, 0, 1) + index * 60_000 }),
    );
    await world.database.transaction(async (queries) => {
      for (let start = 0; start < imported; start += 500) {
        await saveReportedCampaigns(
          new Scope(queries, organization.id),
          organization,
          rows.slice(start, start + 500),
          world.clock.now,
        );
      }
    });
    // A connection reports its reads when it ends, before it leaves pg_stat_activity.
    await world.database.close();
    const others = `select 1 from pg_stat_activity where datname = current_database()
    and pid <> pg_backend_pid() and backend_type = 'client backend'`;
    while ((await client.query(others)).rows.length > 0) await pause(20);
    const { rows: found } = await client.query<{ scans: string; entries: string }>(
      `select sum(idx_scan) as scans, sum(idx_tup_read) as entries from pg_stat_user_indexes
     where relname in ('campaigns', 'campaign_tags', 'tags')`,
    );
    const [scans, entries] = [Number(found[0]?.scans), Number(found[0]?.entries)];
    assert.ok(scans >= imported, `${scans} index scans`);
    assert.ok(entries < 10 * imported, `${entries} index entries read`);
  },
);

test(
  "a block of records expects about as many rows as it has, so that a large table is not read as a whole",
  notOnCitus("reads the plan of a single server"),
  async (t) => {
    const { world, organization } = await makeAcme(t);
    const entryAt = (index: number) => ({ id: index + 1, sentAt: index * 60_000 });
    const rows = Array.from({ length: 500 }, (_, index) => campaign(entryAt(index)));
    await world.save(organization, rows);
    const client = new pg.Client(world.databaseUrl);
    await client.connect();
    t.after(() => client.end());
    await client.query("analyze");
    const expected = await world.database.query(async (queries) => {
      const seen: CompiledQuery[] = [];
      await findRecordsBetween(
        new Scope(recording(queries, seen), organization.id),
        entryAt(259),
        entryAt(250),
      );
      const [{ sql, parameters }] = seen as [CompiledQuery];
      const explain = CompiledQuery.raw(`explain (format json) ${sql}`, [...parameters]);
      return expectedRows((await queries.executeQuery(explain)).rows, "emails");
    });
    assert.ok(expected < 30, `${expected} rows for a block of 10 of 500`);
  },
);

/** The same queries, which also add each compiled statement to a list. */
function recording(queries: Queries, seen: CompiledQuery[]): Queries {
  return new Proxy(queries, {
    get(target, name) {
      if (name !== "executeQuery") return Reflect.get(target, name).bind(target);
      return (query: CompiledQuery) => {
        seen.push(query);
        return target.executeQuery(query);
      };
    },
  });
}

/** The rows that a plan expects from a table. */
function expectedRows(plan: unknown, table: string): number {
  const rows = new RegExp(`"Relation Name":"${table}".*?"Plan Rows":(\\d+)`).exec(JSON.stringify(plan))?.[1];
  return Number(rows);
}
