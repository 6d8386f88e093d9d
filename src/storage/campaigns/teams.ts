// Lists the teams of campaigns from an index, without reading the campaigns.

import { sql } from "kysely";
import type { Queries } from "../database.ts";

/** Teams are distinguished by this many characters: PostgreSQL indexes no text of unlimited length. */
const teamKeyLength = 200;

/** The team key of a campaign. Must match the expression of the index character by character. */
export const teamKey = sql<string | null>`substr(team, 1, ${sql.lit(teamKeyLength)})`;

/** The first {@link teamKeyLength} characters of a team. */
export function teamKeyOf(team: string): string {
  return team.length > teamKeyLength ? [...team].slice(0, teamKeyLength).join("") : team;
}

/** The team keys of an organization, in byte order. */
export async function listTeams(queries: Queries, organizationId: number, limit: number): Promise<string[]> {
  // Jumps from one team to the next in the index (a loose index scan), instead of reading all campaigns.
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
