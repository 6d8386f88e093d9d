// Whether the sources of events need a look: a source is silent, or events are quarantined.

import { detectSilence, silenceLimits } from "../../../campaign/events/silence.ts";
import { findLastCountedSentAt } from "../../../storage/campaigns/tallies.ts";
import type { Queries } from "../../../storage/database.ts";
import { hasQuarantined } from "../../../storage/quarantine/quarantine.ts";
import { listSources } from "../../../storage/sources.ts";

export type SourcesAlert = "silent" | "quarantined";

/** Undefined if all is well. Every page shows it, so it takes two short queries unless a source may be silent. */
export async function findSourcesAlert(
  queries: Queries,
  organizationId: number,
  now: number,
): Promise<SourcesAlert | undefined> {
  const sources = await listSources(queries, organizationId);
  const quiet = sources.filter(
    ({ lastEventAt }) => lastEventAt !== undefined && now - lastEventAt > silenceLimits.afterCampaignMs,
  );
  if (quiet.length > 0) {
    const lastSentAt = await findSentAtForSilence(queries, organizationId, now);
    if (quiet.some(({ lastEventAt }) => detectSilence({ lastEventAt, lastSentAt, now }))) return "silent";
  }
  return (await hasQuarantined(queries, organizationId)) ? "quarantined" : undefined;
}

/** When the last campaign was sent, among those recent enough to matter for {@link detectSilence}. */
export function findSentAtForSilence(
  queries: Queries,
  organizationId: number,
  now: number,
): Promise<number | undefined> {
  const { wholeMs, firstEventMs } = silenceLimits;
  return findLastCountedSentAt(queries, organizationId, { from: now - wholeMs, until: now - firstEventMs });
}
