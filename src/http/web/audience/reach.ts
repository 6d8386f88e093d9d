// Reach: how many different people were recipients of the campaigns, and how many of them opened at least one.

import { hasPermission } from "../../../access/role.ts";
import { type Html, html } from "../../../locale/html.ts";
import { findReach, findReachedLedgers, type ReachQuery } from "../../../storage/audience/reach.ts";
import type { Database } from "../../../storage/queries/database.ts";
import type { FilteredCampaigns } from "../filters/filtered-campaigns.ts";
import type { WebSession } from "../frame/page.ts";
import { keyMetrics } from "../ui/numbers/key-metrics.ts";

/** Recipients of campaigns, the same person several times. Reading more takes too long; older campaigns are left out. */
const maxRecipients = 500_000;

export interface ReachSelection extends ReachQuery {
  /** How many campaigns match; the ledgers are of the newest. */
  of: number;
}

export function selectReached(
  database: Database,
  { organization }: WebSession,
  { filter }: FilteredCampaigns,
): Promise<ReachSelection> {
  return database.queryOf(organization.id, async (scope) => ({
    ...(await findReachedLedgers(scope, filter, maxRecipients)),
    traffic: filter.traffic,
  }));
}

/** @param nonReadersUrl the list of those who opened none, for admins */
export async function reachSection(
  database: Database,
  session: WebSession,
  found: FilteredCampaigns,
  nonReadersUrl: string,
): Promise<Html> {
  const { organization, user, locale } = session;
  const { t, format } = locale;
  const selection = await selectReached(database, session, found);
  const campaigns = selection.ledgerIds.length;
  const heading = html`<h2 class="section">${t("audience.reach")}</h2>`;
  if (campaigns === 0) return html`${heading}<p class="soft">${t("audience.noReach")}</p>`;
  const { people, readers } = await database.queryOf(organization.id, (scope) => findReach(scope, selection));
  const share = people > 0 ? format.rate(readers / people) : format.count(0);
  const canList = hasPermission(user.role, "admin") && readers < people;
  const metrics = keyMetrics([
    {
      name: t("audience.reached"),
      value: share,
      note: t("audience.reachedOf", { readers, people, campaigns }),
    },
    {
      name: t("audience.notReached"),
      value: format.count(people - readers),
      note: canList ? t("audience.viewNames") : t("audience.notReachedOf", { campaigns }),
      ...(canList && { url: nonReadersUrl }),
    },
  ]);
  return html`${heading}${metrics}
<p class="soft small">${t("audience.reachScope", { read: campaigns, of: selection.of, isPartial: campaigns < selection.of })} ${t("audience.reachNote")}</p>`;
}
