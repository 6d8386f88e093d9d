// The campaigns before and after one: in the list that it was opened from, or else in the order of sending.

import { selectCampaigns } from "../../../listing/numbers/select.ts";
import { type PlaceInOrder, placeOf } from "../../../listing/numbers/sort-selection.ts";
import { type CampaignNeighbor, findNeighbors } from "../../../storage/campaigns/campaign-neighbors.ts";
import { findCampaigns } from "../../../storage/campaigns/campaigns.ts";
import { toNumbersFilter } from "../filters/filters.ts";
import type { WebContext } from "../web-context.ts";
import { sortKeyOf } from "./campaign-columns.ts";
import type { CampaignView } from "./campaign-view.ts";
import { readCampaignsRequest } from "./campaigns-url.ts";

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
    return context.database.query((queries) => findNeighbors(queries, organization.id, stored.campaign, now));
  }
  const { before, after, index, of } = listed;
  const ids = [before, after].flatMap((entry) => entry?.id ?? []);
  const found = await context.database.query((queries) => findCampaigns(queries, organization.id, ids));
  const named = (id: number | undefined) => found.find(({ campaign }) => campaign.id === id)?.campaign;
  return { previous: named(before?.id), next: named(after?.id), place: { number: index + 1, of } };
}

/** Undefined if the list does not have the campaign. */
async function placeInList(
  context: WebContext,
  { session, stored, list, traffic }: CampaignView,
): Promise<(PlaceInOrder & { of: number }) | undefined> {
  const { request, defaults, numbers } = await readCampaignsRequest(context, session, list);
  const selection = selectCampaigns(numbers, toNumbersFilter(request.filters, defaults));
  const by = await sortKeyOf(request.sort, { numbers, selection, traffic });
  const order = { by, isAscending: request.isAscending };
  const place = placeOf(selection, traffic, order, stored.campaign.id);
  return place && { ...place, of: selection.size };
}
