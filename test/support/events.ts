// Sample events, and direct access to the rows of the database.

import { sql } from "kysely";
import type { Tables } from "../../src/storage/tables/tables.ts";
import type { World } from "./world.ts";

/** An open of campaign 1 by the recipient with this number. */
export const open = (number: number, more: Record<string, unknown> = {}) => ({
  id: `e-${number}`,
  campaign_id: 1,
  recipient: `person-${number}@example.com`,
  type: "open",
  at: "2026-06-15T11:30:00Z",
  ...more,
});

export const click = (number: number, more: Record<string, unknown> = {}) =>
  open(number, { type: "click", url: "https://example.com/a", ...more });

/** One open for each of this many recipients. */
export const opens = (count: number, more: Record<string, unknown> = {}) =>
  Array.from({ length: count }, (_, index) => open(index + 1, more));

export const json = (row: Record<string, unknown> | undefined) => JSON.stringify(row);

/** Number of rows of each table, over all organizations. */
export async function countRows(world: World, ...tables: (keyof Tables)[]): Promise<number[]> {
  return world.database.snapshot(async (queries) => {
    const counts: number[] = [];
    for (const table of tables) {
      const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(
        queries,
      );
      counts.push(rows[0]?.rows ?? -1);
    }
    return counts;
  });
}

/** Runs SQL that bypasses the program. */
export async function tamper(world: World, statement: string): Promise<void> {
  await world.database.transaction((queries) => sql.raw(statement).execute(queries));
}

/** Makes one campaign, or each, look as if it had been sent an hour earlier, while its events stay in quarantine. */
export async function moveSentAtBack(world: World, campaign?: number): Promise<void> {
  const condition = (id: string) => (campaign === undefined ? "" : ` where ${id} = ${campaign}`);
  for (const [table, id] of [
    ["campaigns", "id"],
    ["emails", "id"],
    ["sums", "campaign_id"],
    ["changes", "campaign_id"],
  ] as const) {
    await tamper(world, `update ${table} set sent_at = sent_at - 3600000${condition(id)}`);
  }
}

/** Overwrites a number in the tallies of one campaign, or of all. */
export async function tamperWithTally(
  world: World,
  { campaign, tally, name, value }: { campaign?: number; tally: string; name: string; value: number },
): Promise<void> {
  await world.database.transaction(async (queries) => {
    const rows = await queries.selectFrom("campaigns").select(["organization_id", "id", "tallies"]).execute();
    for (const { organization_id, id, tallies } of rows) {
      if (campaign !== undefined && id !== campaign) continue;
      const changed = JSON.parse(String(tallies)) as Record<string, Record<string, number>>;
      changed[tally] = { ...changed[tally], [name]: value };
      await queries
        .updateTable("campaigns")
        .set({ tallies: JSON.stringify(changed) })
        .where("organization_id", "=", organization_id)
        .where("id", "=", id)
        .execute();
    }
  });
}
