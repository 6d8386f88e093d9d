// The campaigns before and after a campaign, in the order of sending.

import { type SelectQueryBuilder, sql } from "kysely";
import type { EmailKey } from "../campaigns/emails.ts";
import type { Scope } from "../queries/scope.ts";
import type { Tables } from "../tables/tables.ts";

export interface CampaignNeighbor {
  id: number;
  subject: string;
}

export interface Neighbors {
  previous: CampaignNeighbor | undefined;
  next: CampaignNeighbor | undefined;
}

/** The last campaign before an entry, and the first after it that was sent by `now`. */
export async function findNeighbors(scope: Scope, { sentAt, id }: EmailKey, now: number): Promise<Neighbors> {
  const select = (): SelectQueryBuilder<Tables, "campaigns", CampaignNeighbor> =>
    scope.from("campaigns").select(["id", "subject"]).limit(1);
  const previous = await select()
    .where(sql<boolean>`(sent_at, id) < (${sentAt}, ${id})`)
    .orderBy("sent_at", "desc")
    .orderBy("id", "desc")
    .executeTakeFirst();
  const next = await select()
    .where(sql<boolean>`(sent_at, id) > (${sentAt}, ${id})`)
    .where("sent_at", "<=", now)
    .orderBy("sent_at")
    .orderBy("id")
    .executeTakeFirst();
  return { previous, next };
}
