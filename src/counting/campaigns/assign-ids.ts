// Which campaign a record of a file is. Tools number their campaigns alike, so that ids of different ones must not meet.

import { dayMs } from "../../campaign/calendar/durations.ts";
import type { Campaign } from "../../campaign/campaign.ts";
import type { Origin } from "../../campaign/reported-campaign.ts";
import { findCampaigns, findIdsInTool } from "../../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { generateId } from "../import/mapping/generated-id.ts";
import { saidOf } from "./corrections.ts";

/** A record with what identifies it. */
export interface Identified {
  origin?: Origin | null | undefined;
  campaign: Pick<Campaign, "id" | "subject" | "sentAt">;
}

/**
 * Finds the campaign of each record: the one with its id in its tool, or the one with the id if subject and day are the same. If
 * the id belongs to another campaign, the record gets one that is always the same for its tool and its id there.
 *
 * @returns the records with their ids, and the stored campaigns by id
 */
export async function assignIds<Record extends Identified>(
  scope: Scope,
  records: readonly Record[],
): Promise<{ records: Record[]; known: Map<number, StoredCampaign> }> {
  const known = new Map<number, StoredCampaign>();
  const find = async (ids: readonly number[]) => {
    const missing = ids.filter((id) => !known.has(id));
    for (const stored of await findCampaigns(scope, missing)) known.set(stored.campaign.id, stored);
  };
  const inTools = new Map<string, Map<string, number>>();
  for (const [tool, of] of Map.groupBy(records, ({ origin }) => origin?.tool)) {
    if (tool === undefined) continue;
    inTools.set(
      tool,
      await findIdsInTool(
        scope,
        tool,
        of.map(({ origin }) => origin?.id ?? ""),
      ),
    );
  }
  await find([
    ...records.map(({ campaign }) => campaign.id),
    ...[...inTools.values()].flatMap((ids) => [...ids.values()]),
  ]);
  const identified = records.map((record) => {
    const { origin, campaign } = record;
    if (!origin) return record;
    const stored = known.get(campaign.id);
    const id =
      inTools.get(origin.tool)?.get(origin.id) ??
      (!stored || isSameCampaign(stored, campaign) ? campaign.id : generateId([origin.tool, origin.id]));
    return id === campaign.id ? record : { ...record, campaign: { ...campaign, id } };
  });
  await find(identified.map(({ campaign }) => campaign.id));
  return { records: identified, known };
}

/** Times of exports may be of another time zone. */
const hasSameDay = (a: Pick<Campaign, "sentAt">, b: Pick<Campaign, "sentAt">) =>
  Math.abs(a.sentAt - b.sentAt) < dayMs;

function isSameCampaign(stored: StoredCampaign, campaign: Identified["campaign"]): boolean {
  const said = saidOf(stored).campaign;
  return said.subject === campaign.subject && hasSameDay(said, campaign);
}

/** Whether a record with the id of a campaign seems to be another one: neither subject nor day is the same. */
export function isOtherCampaign(stored: StoredCampaign, campaign: Identified["campaign"]): boolean {
  const said = saidOf(stored).campaign;
  return said.subject !== campaign.subject && !hasSameDay(said, campaign);
}
