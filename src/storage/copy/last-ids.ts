// The last id of each kind, so that a copied database continues where the original is.

import { sql } from "kysely";
import { skippedIds } from "../organizations/organizations.ts";
import { isPostgres } from "../queries/dialect-differences.ts";
import { idSequences } from "../queries/ids.ts";
import type { Queries } from "../queries/queries.ts";
import type { Tables } from "../tables/tables.ts";

type CounterName = Tables["counters"]["name"];
const names = Object.keys(idSequences) as CounterName[];

/** 0 without any. On PostgreSQL sequences are not transactional, so this is the current value, not that of the snapshot. */
export async function readLastIds(queries: Queries): Promise<Record<CounterName, number>> {
  const counters: Partial<Record<CounterName, number>> = {};
  for (const name of names) counters[name] = await readLastId(queries, name);
  return counters as Record<CounterName, number>;
}

async function readLastId(queries: Queries, name: CounterName): Promise<number> {
  const { rows } = isPostgres(queries)
    ? await sql<{ value: number }>`
        select last_value - case when is_called then 0 else 1 end as value
        from ${sql.table(idSequences[name])}`.execute(queries)
    : await sql<{ value: number }>`select value from counters where name = ${name}`.execute(queries);
  return rows[0]?.value ?? 0;
}

/** Skips ids that a restored backup does not know, because they were given out later. */
export async function skipLostIds(queries: Queries): Promise<void> {
  const ids = await readLastIds(queries);
  for (const name of names) ids[name] += skippedIds;
  await raiseLastIds(queries, ids);
}

/**
 * Raises the last ids to these. PostgreSQL does not roll this back, so it has to be the last step of a transaction.
 */
export async function raiseLastIds(queries: Queries, ids: Record<CounterName, number>): Promise<void> {
  const present = await readLastIds(queries);
  for (const name of names.filter((each) => ids[each] > present[each])) {
    if (isPostgres(queries)) await sql`select setval(${idSequences[name]}, ${ids[name]})`.execute(queries);
    else {
      await queries
        .insertInto("counters")
        .values({ name, value: ids[name] })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: ids[name] }))
        .execute();
    }
  }
}
