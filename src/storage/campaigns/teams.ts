// The table `campaigns`, as far as teams go: which there are, found by an index, however many campaigns there are.

import { sql } from "kysely";
import type { Queries } from "../database.ts";

/** Characters by which teams are told apart: an index of PostgreSQL takes no longer texts. */
export const teamKeyLength = 200;

/** What stands for the team of a campaign. Word by word as in the index. */
export const teamKey = sql<string | null>`substr(team, 1, ${sql.lit(teamKeyLength)})`;

/** A team, as far as it is told apart from others. */
export function teamKeyOf(team: string): string {
  return team.length > teamKeyLength ? [...team].slice(0, teamKeyLength).join("") : team;
}

/** The teams of an organization in the order of their characters, each by its first {@link teamKeyLength}. */
export async function listTeams(queries: Queries, organizationId: number, limit: number): Promise<string[]> {
  // From one to the next: to read all campaigns for a handful of names would take too long.
  const next = (after: ReturnType<typeof sql>) => sql`
    (select ${teamKey} from campaigns where organization_id = ${organizationId} and team is not null
       and ${teamKey} > ${after}
     order by organization_id, ${teamKey} limit 1)`;
  const { rows } = await sql<{ name: string }>`
    with recursive found (name) as (
      select ${next(sql`''`)}
      union all
      select ${next(sql`found.name`)} from found where found.name is not null
    )
    select name from found where name is not null limit ${limit}`.execute(queries);
  return rows.map(({ name }) => name);
}
