// Whether the sources of events need a look: a source is silent, or events are quarantined. And which campaigns may miss events.

import { recordedAges } from "../../campaign/events/ages.ts";
import {
  detectSilence,
  findMissedSource,
  type SilentSource,
  silenceLimits,
} from "../../campaign/events/silence.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { listSources } from "../../storage/keys/sources.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { hasQuarantined } from "../../storage/quarantine/quarantine.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { findSentSpan } from "../../storage/sums/sum-queries.ts";
import { countedOf } from "../../storage/sums/sums-filter.ts";
import { findNewest } from "../find-released.ts";

export interface SourcesAlert {
  silent: readonly SilentSource[];
  /** Whether events are quarantined. It is not looked up, and false, if a source is silent. */
  hasQuarantined: boolean;
  /** The time of the request. */
  at: number;
}

/** Every page shows it, so it takes two short queries unless a source may be silent. */
export async function findSourcesAlert(scope: Scope, at: number): Promise<SourcesAlert> {
  const quiet = (await listSources(scope)).flatMap(({ id, provider, lastEventAt }) =>
    lastEventAt !== undefined && at - lastEventAt > silenceLimits.afterCampaignMs
      ? [{ id, provider, lastEventAt }]
      : [],
  );
  const lastSentAt = quiet.length > 0 ? await findSentAtForSilence(scope, at) : undefined;
  const silent = quiet.filter(({ lastEventAt }) => detectSilence({ lastEventAt, lastSentAt, now: at }));
  return {
    silent,
    at,
    hasQuarantined: silent.length === 0 && (await hasQuarantined(scope)),
  };
}

/** The silent source whose events a campaign may miss; undefined if it misses none. */
export function missedSourceOf(
  { silent, at }: SourcesAlert,
  { campaign: { sentAt }, numbers, counting }: StoredCampaign,
): SilentSource | undefined {
  if (!counting || !("tallies" in numbers)) return undefined;
  const { totalOpens, totalClicks } = numbers.tallies.all;
  const { closedAt, sourceId } = counting;
  return findMissedSource(
    { sentAt, closedAt, sourceId, hasEvents: totalOpens + totalClicks > 0 },
    silent,
    at,
  );
}

/** Reading more would take too long. */
const maxSearched = 100;

/** The campaigns that may miss events, in no order. */
export async function findIncomplete(
  scope: Scope,
  organization: Organization,
  alert: SourcesAlert,
): Promise<StoredCampaign[]> {
  if (alert.silent.length === 0) return [];
  const since = Math.min(...alert.silent.map(({ lastEventAt }) => lastEventAt));
  const filter = countedOf({ traffic: "people", sentFrom: since - recordedAges["7d"] });
  const campaigns = await findNewest(scope, organization, filter, maxSearched);
  return campaigns.filter((stored) => missedSourceOf(alert, stored));
}

/** When the last campaign was sent, among those recent enough to matter for {@link detectSilence}. */
export async function findSentAtForSilence(scope: Scope, now: number): Promise<number | undefined> {
  const [sentFrom, until] = [now - silenceLimits.wholeMs, now - silenceLimits.firstEventMs];
  const filter = countedOf({ traffic: "people", sentFrom, sentUntil: until + 1 });
  return (await findSentSpan(scope, filter)).lastSentAt ?? undefined;
}
