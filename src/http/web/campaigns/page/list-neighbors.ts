// The campaigns before and after one: in the list that it was opened from, or else in the order of sending.

import { findReleased } from "../../../../listing/find-released.ts";
import { sortCampaigns } from "../../../../listing/sums/campaign-values.ts";
import type { EmailKey } from "../../../../storage/campaigns/emails.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import type { Scope } from "../../../../storage/queries/scope.ts";
import { type CampaignNeighbor, findNeighbors } from "../../../../storage/sums/campaign-neighbors.ts";
import type { WebSession } from "../../frame/page.ts";
import { sortKeyOf } from "../campaign-columns.ts";
import type { Kept } from "../campaign-url.ts";
import { findListFilter, readCampaignsRequest } from "../campaigns-url.ts";

export interface Neighbors {
  previous: CampaignNeighbor | undefined;
  next: CampaignNeighbor | undefined;
}

export async function findNeighborsOf(
  scope: Scope,
  {
    session,
    stored,
    list,
    traffic,
    now,
  }: Kept & { session: WebSession; stored: StoredCampaign; now: number },
): Promise<Neighbors> {
  const sorted = list?.size ? await findListed(scope, session, { list, traffic }, now) : [];
  const index = sorted.findIndex(({ id }) => id === stored.campaign.id);
  if (index === -1) return findNeighbors(scope, stored.campaign, now);
  const [before, after] = [sorted[index - 1], sorted[index + 1]];
  const ids = [before, after].flatMap((entry) => entry?.id ?? []);
  const neighbors = await findReleased(scope, session.organization, ids);
  const named = (id: number | undefined) => neighbors.find(({ campaign }) => campaign.id === id)?.campaign;
  return { previous: named(before?.id), next: named(after?.id) };
}

/** The campaigns of a list, in its order; without a list, those of the default period. */
async function findListed(
  scope: Scope,
  session: WebSession,
  { list = new URLSearchParams(), traffic }: Kept,
  now: number,
): Promise<EmailKey[]> {
  const { request, defaults } = await readCampaignsRequest(scope, session, list, now);
  const filter = { ...(await findListFilter(scope, request, defaults)), traffic };
  const order = { by: sortKeyOf(request.sort), isAscending: request.isAscending };
  return sortCampaigns(scope, filter, order);
}
