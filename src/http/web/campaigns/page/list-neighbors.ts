// The campaigns before and after one: in the list that it was opened from, or else in the order of sending.

import { findReleased } from "../../../../listing/find-released.ts";
import { sortCampaigns } from "../../../../listing/sums/campaign-values.ts";
import type { EmailKey } from "../../../../storage/campaigns/emails.ts";
import type { Scope } from "../../../../storage/queries/scope.ts";
import { type CampaignNeighbor, findNeighbors } from "../../../../storage/sums/campaign-neighbors.ts";
import type { WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { sortKeyOf } from "../campaign-columns.ts";
import type { Kept } from "../campaign-url.ts";
import { findListFilter, readCampaignsRequest } from "../campaigns-url.ts";
import type { CampaignView } from "./campaign-view.ts";

export interface Neighbors {
  previous: CampaignNeighbor | undefined;
  next: CampaignNeighbor | undefined;
  /** The place of the campaign in the list, from 1, and the length of the list. */
  place?: { number: number; of: number };
}

export async function neighborsOf(context: WebContext, view: CampaignView): Promise<Neighbors> {
  const { session, stored, now } = view;
  const { organization } = session;
  const listed = view.list.size > 0 ? await placeInList(context, view) : undefined;
  if (!listed) {
    return context.database.queryOf(organization.id, (scope) => findNeighbors(scope, stored.campaign, now));
  }
  const { before, after, index, of } = listed;
  const ids = [before, after].flatMap((entry) => entry?.id ?? []);
  const found = await context.database.queryOf(organization.id, (scope) =>
    findReleased(scope, organization, ids),
  );
  const named = (id: number | undefined) => found.find(({ campaign }) => campaign.id === id)?.campaign;
  return { previous: named(before?.id), next: named(after?.id), place: { number: index + 1, of } };
}

interface PlaceInOrder {
  before: EmailKey | undefined;
  after: EmailKey | undefined;
  /** How many campaigns come before it, and how many there are. */
  index: number;
  of: number;
}

/** The campaigns of a list, in its order; without a list, those of the default period. */
export async function findListed(
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

/** Undefined if the list does not have the campaign. */
function placeInList(
  { database, now }: WebContext,
  { session, stored, list, traffic }: CampaignView,
): Promise<PlaceInOrder | undefined> {
  return database.snapshotOf(session.organization.id, async (scope) => {
    const sorted = await findListed(scope, session, { list, traffic }, now());
    const index = sorted.findIndex(({ id }) => id === stored.campaign.id);
    if (index === -1) return undefined;
    return { before: sorted[index - 1], after: sorted[index + 1], index, of: sorted.length };
  });
}
