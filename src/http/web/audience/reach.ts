// Reach: how many different people were recipients of the campaigns, and how many of them opened at least one.

import { type Html, html } from "../../../locale/html.ts";
import { coverageText } from "../../../locale/rate-text.ts";
import {
  findReach,
  findReachedLedgers,
  type Reach,
  type ReachQuery,
} from "../../../storage/audience/reach.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import type { FilteredCampaigns } from "../filters/filtered-campaigns.ts";
import type { WebSession } from "../frame/page.ts";
import { keyMetrics } from "../ui/numbers/key-metrics.ts";

/** Recipients of campaigns, the same person several times. Reading more takes too long; older campaigns are left out. */
const maxRecipients = 500_000;

type Selected = Pick<FilteredCampaigns, "filter">;

export interface ReachSelection extends ReachQuery {
  /** How many campaigns match; the ledgers are of the newest. */
  of: number;
}

export async function selectReached(scope: Scope, { filter }: Selected): Promise<ReachSelection> {
  return { ...(await findReachedLedgers(scope, filter, maxRecipients)), traffic: filter.traffic };
}

export async function readReach(scope: Scope, found: Selected): Promise<ReachSelection & Reach> {
  const selection = await selectReached(scope, found);
  return { ...selection, ...(await findReach(scope, selection)) };
}

/** @param nonReadersUrl the list of those who opened none, for admins */
export function reachSection(
  session: WebSession,
  { ledgerIds, of, people, readers }: ReachSelection & Reach,
  nonReadersUrl: string,
): Html {
  const { isAdmin, t, format } = session;
  const campaigns = ledgerIds.length;
  const heading = html`<h2 class="section">${t("audience.reach")}</h2>`;
  if (campaigns === 0) return html`${heading}<p class="soft">${t("audience.noReach")}</p>`;
  // Less than half says nothing about the others.
  const isText = 2 * campaigns < of;
  const unless = (text: string) => (isText ? t("overview.unknown") : text);
  const coverage = coverageText(session, { name: "openRate", from: campaigns, of });
  const reached = t("audience.reachedOf", { readers, people, campaigns });
  const canList = isAdmin && readers < people;
  const metrics = keyMetrics([
    {
      name: t("audience.reached"),
      value: unless(people > 0 ? format.rate(readers / people) : format.count(0)),
      isText,
      note: coverage === undefined ? reached : `${reached} · ${coverage}`,
    },
    {
      name: t("nonReaders.title"),
      value: unless(format.count(people - readers)),
      isText,
      note: canList ? t("audience.viewNames") : t("audience.notReachedOf", { campaigns }),
      ...(canList && { url: nonReadersUrl }),
    },
  ]);
  return html`${heading}${metrics}
<p class="soft small">${t("audience.reachNote")}</p>`;
}
