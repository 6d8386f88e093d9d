// The table `campaigns`, as far as people look for words in it: subjects and teams, on SQLite by an index that has nothing
// else in it.

import { sql } from "kysely";
import type { Queries } from "../database.ts";
import { inputRows, joinByKey, lowerAscii, positionOf } from "../dialect-differences.ts";
import { teamKey } from "./teams.ts";

/** On SQLite alone: an index of PostgreSQL takes no text of any length. */
const textsIndex = "campaigns_search";

/** Characters of a subject that are looked at. */
export const searchedLength = 1_000;

export interface CampaignSubject {
  id: number;
  /** As far as it is looked at; empty where nothing is looked for in it. */
  subject: string;
}

export interface TextFilter {
  /** Part of the subject in lower case, without NUL; none where it is empty. */
  part: string;
  /** As far as it is told apart from others. */
  team: string | undefined;
}

/**
 * Those of these campaigns that may be what is asked for, in no particular order. Whether a subject beyond ASCII has the
 * part in it is not decided here: databases do not agree on what its lower case is.
 */
export async function findSearchCandidates(
  queries: Queries,
  organizationId: number,
  ids: readonly number[],
  { part, team }: TextFilter,
): Promise<CampaignSubject[]> {
  const input = inputRows(
    queries,
    { id: "integer" },
    ids.map((id) => [id]),
  );
  const isGiven = sql`campaigns.organization_id = ${organizationId} and campaigns.id = input.id`;
  const isOfTeam = team === undefined ? sql`true` : sql`${teamKey} = ${team}`;
  const mayHavePart =
    part === ""
      ? sql`true`
      : sql`(octet_length(subject) <> length(subject)
             or ${positionOf(queries, part, lowerAscii(queries, sql.ref("subject")))} > 0)`;
  const searched = part === "" ? sql`''` : sql`substr(subject, 1, ${sql.lit(searchedLength)})`;
  const { rows } = await sql<CampaignSubject>`
    select campaigns.id, ${searched} as subject
    ${joinByKey(queries, input, "campaigns", isGiven, { onSqlite: textsIndex })}
    and ${isOfTeam} and ${mayHavePart}`.execute(queries);
  return rows;
}
