// Searches campaigns by subject and team; on SQLite in a covering index.

import { sql } from "kysely";
import type { Queries } from "../database.ts";
import { inputRows, joinByKey, lowerAscii, positionOf } from "../dialect-differences.ts";
import { teamKey } from "./teams.ts";

/** SQLite only: PostgreSQL indexes no text of unlimited length. */
const textsIndex = "campaigns_search";

/** How many characters of a subject are searched. */
export const searchedLength = 1_000;

interface CampaignSubject {
  id: number;
  /** Up to {@link searchedLength} characters; empty if subjects are not searched. */
  subject: string;
}

export interface TextFilter {
  /** A substring of the subject in lower case, without NUL; empty for any subject. */
  part: string;
  /** A team key. */
  team: string | undefined;
}

/**
 * Those of these campaigns that may match, in no particular order. The caller checks subjects that are not ASCII: the
 * databases disagree on their lower case.
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
