// Reads which bounces and spam complaints of the last days are unusual, for alerts.

import { dayMs } from "../../campaign/calendar/durations.ts";
import { rangedRate } from "../../campaign/campaign-number.ts";
import { bouncesOf, complaintsOf, minBounces } from "../../campaign/clauses.ts";
import { recordedAges } from "../../campaign/events/ages.ts";
import { addSpreadSums } from "../../campaign/rate-ranges.ts";
import { isStillCounting } from "../../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { findTotals } from "../../storage/sums/sum-queries.ts";
import { findNewest } from "../find-released.ts";
import { findBenchmarks } from "./campaign-benchmarks.ts";
import { sumsOf } from "./series.ts";

const pooledMs = 30 * dayMs;
const maxRead = 100;

/** The campaigns that reached an age of 24 hours in the last day, with unusual bounces, and the complaints of 30 days. */
export async function findDeliveryProblems(scope: Scope, organization: Organization, now: number) {
  const sent = { traffic: "people", sentUntil: now + 1 } as const;
  const recent = { ...sent, sentFrom: now - recordedAges["7d"] };
  const { sums: pooled } = await findTotals(scope, { ...sent, sentFrom: now - pooledMs });
  const bounces = [];
  for (const stored of await findNewest(scope, organization, recent, maxRead)) {
    const sums = sumsOf(stored, "people", false);
    if (isStillCounting(stored)) addSpreadSums(pooled, sums);
    const { campaign } = stored;
    const age = now - campaign.sentAt;
    if (age < dayMs || age >= 2 * dayMs || sums.bounce_rate_part < minBounces) continue;
    const { baseline } = await findBenchmarks(scope, stored, "people");
    const found = bouncesOf(sums, rangedRate(stored, "people", "bounce_rate"), baseline.usual("bounce_rate"));
    if (found) bounces.push({ campaign, ...found });
  }
  return { bounces, complaints: complaintsOf(pooled) };
}
