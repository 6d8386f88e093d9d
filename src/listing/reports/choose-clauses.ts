// Chooses what the sentence of the overview says. Every number is that of a card or row of the page.

import { rangedRate } from "../../campaign/campaign-number.ts";
import type { Clauses } from "../../campaign/clauses.ts";
import { bouncesOf, complaintsOf } from "../../campaign/clauses.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { changeKind } from "../../campaign/ranges.ts";
import { leftOutOf } from "../../campaign/sums.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { findReleased } from "../find-released.ts";
import { sideOf } from "../sums/best-and-worst.ts";
import { type OverviewNumbers, rateLineOf } from "../sums/overview-numbers.ts";
import { type FreshCampaign, leadingNumbers, readFresh, type SoFar, soFarOf } from "./fresh-campaigns.ts";
import type { ComparedRates } from "./same-age.ts";

/** What the overview shows. */
interface ShownPeriod {
  numbers: OverviewNumbers;
  traffic: TrafficFilter;
  /** The campaigns of both rankings. */
  campaigns: ReadonlyMap<number, StoredCampaign>;
  fresh: readonly FreshCampaign[];
  soFar: SoFar | undefined;
  /** Undefined where they are not read. */
  comments: Clauses["comments"];
}

export function chooseClauses({ numbers, traffic, comments, soFar, ...shown }: ShownPeriod): Clauses {
  const { campaigns } = numbers.total;
  const rate = rateClause(leadingNumbers(numbers, soFar), traffic);
  const bounced = rateLineOf(numbers, "bounce_rate", traffic);
  const isSoFar = soFar?.isMost === true;
  const fresh = isSoFar && campaigns === 1 ? undefined : chooseFresh(shown.fresh);
  // One campaign that differs is enough.
  const ranked = fresh ? undefined : chooseRanked(numbers.ranked, shown.campaigns);
  const rateOf = ({ stored }: { stored: StoredCampaign }) => rangedRate(stored, traffic, "openRate");
  return {
    sent: { campaigns, counting: leftOutOf(numbers.total) },
    rate: isSoFar ? undefined : rate,
    soFar: isSoFar && rate ? { ...soFar, rate: rate.rate, side: sideAtAge(soFar.openRate) } : undefined,
    fresh: fresh && { ...fresh, rate: rateOf(fresh) },
    ranked: ranked && { ...ranked, rate: rateOf(ranked) },
    bounces: bouncesOf(numbers.total, bounced.rate, bounced.before),
    complaints: complaintsOf(numbers.total),
    comments: comments && (comments.low > 0 || (comments.isAll && comments.count > 0)) ? comments : undefined,
  };
}

/** Reads what digests, reports and assistants say of a period. They say comments elsewhere, or not at all. */
export async function readClauses(
  scope: Scope,
  organization: Organization,
  numbers: OverviewNumbers,
  now: number,
) {
  const { filter, ranked, total } = numbers;
  const { traffic } = filter;
  const fresh = await readFresh(scope, organization, filter, now);
  const soFar = soFarOf(total, fresh, traffic);
  const firsts = [ranked.best, ranked.worst].flatMap(([first]) => first ?? []);
  const found = await findReleased(scope, organization, firsts);
  const campaigns = new Map(found.map((stored) => [stored.campaign.id, stored]));
  const clauses = chooseClauses({ numbers, traffic, campaigns, fresh, soFar, comments: undefined });
  return { fresh, soFar, clauses };
}

/** Says nothing if most campaigns have no open rate. */
function rateClause(numbers: OverviewNumbers, traffic: TrafficFilter): Clauses["rate"] {
  const { rate, before, yearBefore, from, of } = rateLineOf(numbers, "openRate", traffic);
  if (!rate || 2 * from < of) return undefined;
  const isChange = before && changeKind(rate, before) !== "cannot_tell";
  return { rate, before: isChange ? before : null, yearBefore };
}

/** Chance would make one of more than two campaigns differ in over 5 % of the periods. */
const comparedFresh = 2;

/** The newest that differs by more than chance. */
function chooseFresh(fresh: readonly FreshCampaign[]) {
  return fresh
    .slice(0, comparedFresh)
    .map((each) => ({ ...each, side: sideAtAge(each.atItsAge) }))
    .find(({ side }) => side);
}

/** Undefined if it is outside of the usual range, but chance explains that. */
function sideAtAge(rates: ComparedRates | undefined): -1 | 0 | 1 | undefined {
  if (!rates) return undefined;
  const { rate, usual } = rates;
  return sideOf(rate, usual) || (usual.low <= rate.value && rate.value <= usual.high ? 0 : undefined);
}

/** The newer one of the best and the worst campaign. */
function chooseRanked(ranked: OverviewNumbers["ranked"], campaigns: ShownPeriod["campaigns"]) {
  const firsts = (["best", "worst"] as const).flatMap((which) => {
    const stored = campaigns.get(ranked[which][0] ?? 0);
    return stored ? [{ stored, which }] : [];
  });
  return firsts.sort((a, b) => b.stored.campaign.sentAt - a.stored.campaign.sentAt)[0];
}
