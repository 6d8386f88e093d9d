// Notes who sent the events of a campaign: in the audit log, once a day, if its recipients have no names.

import { dateAt, isoDay } from "../../campaign/calendar/calendar-date.ts";
import { hasNames } from "../../campaign/release-answers.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { findSenders } from "../../storage/keys/senders.ts";
import { recordAction } from "../../storage/organizations/audit-log.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";

/**
 * Adds the senders of new events to those of the campaign. While recipients have names, everybody may send, and these
 * senders may go on if the names are removed.
 *
 * @param senders of new events; undefined and 0 are no key and no source
 */
export async function noteSenders(
  scope: Scope,
  { timeZone }: Organization,
  { campaign, counting }: StoredCampaign,
  { senders, now }: { senders: ReadonlySet<number | undefined>; now: number },
): Promise<Readonly<Record<number, string>>> {
  const known = counting?.senders ?? {};
  const today = hasNames(campaign) ? "" : isoDay(dateAt(now, timeZone));
  const added = [...senders].filter((id) => id !== undefined && id > 0 && known[id] !== today) as number[];
  if (added.length === 0) return known;
  const named = today === "" ? undefined : await findSenders(scope);
  for (const id of named ? added : []) {
    const [actor, target] = [named?.get(id)?.name ?? `sender ${id}`, `campaign ${campaign.id}`];
    await recordAction(scope, { at: now, actor, action: "events.send", target });
  }
  return { ...known, ...Object.fromEntries(added.map((id) => [id, today])) };
}
