// Which campaigns are compared: adds one of the list, or removes one.

import { findReleased } from "../../../../listing/find-released.ts";
import { comparedCampaigns } from "../../../../listing/reports/campaign-comparison.ts";
import { type HtmlValue, html } from "../../../../locale/html.ts";
import { subjectText } from "../../../../locale/subject-text.ts";
import { paths, urlWithQuery } from "../../../../paths.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import type { Scope } from "../../../../storage/queries/scope.ts";
import type { WebSession } from "../../frame/page.ts";
import { icon } from "../../ui/icons/icon.ts";
import { menu, menuLinks } from "../../ui/lists/menu.ts";
import { subjectOf } from "../../ui/texts/subject.ts";
import { type Kept, keptQuery } from "../campaign-url.ts";
import { findListed } from "../page/list-neighbors.ts";

/** More would not fit in the window; the list has all. */
const offered = 12;

function compareUrl(organization: WebSession["organization"], kept: Kept, ids: readonly number[]): string {
  const chosen = ids.map((id) => ["ids", String(id)]);
  return urlWithQuery(paths.web.compare, new URLSearchParams([...keptQuery(organization, kept), ...chosen]));
}

/** The first campaigns of the list that are not compared. */
export async function findOthers(
  scope: Scope,
  session: WebSession,
  ids: readonly number[],
  kept: Kept,
  now: number,
): Promise<StoredCampaign[]> {
  const listed = await findListed(scope, session, kept, now);
  const others = listed.map(({ id }) => id).filter((id) => !ids.includes(id));
  const first = others.slice(0, offered);
  return findReleased(scope, session.organization, first);
}

/** Adds one of the others. False if there are none, or no more can be compared. */
export function addMenu(
  { locale, organization }: WebSession,
  ids: readonly number[],
  kept: Kept,
  others: readonly StoredCampaign[],
): HtmlValue {
  const links = others.map(({ campaign }) => ({
    url: compareUrl(organization, kept, [...ids, campaign.id]),
    name: subjectOf(locale, campaign),
  }));
  return (
    links.length > 0 &&
    menu(
      { id: "menu-add", label: locale.t("comparison.add"), icon: "compare", alignsEnd: true },
      menuLinks(links),
    )
  );
}

/** False if only two are compared. */
export function removeLink(
  { locale, organization }: WebSession,
  { campaign }: StoredCampaign,
  campaigns: readonly StoredCampaign[],
  kept: Kept,
): HtmlValue {
  if (campaigns.length <= comparedCampaigns.min) return false;
  const others = campaigns.map((each) => each.campaign.id).filter((id) => id !== campaign.id);
  const name = locale.t("comparison.remove", { subject: subjectText(locale, campaign) });
  return html` <a class="remove" href="${compareUrl(organization, kept, others)}" title="${name}">${icon("close", name)}</a>`;
}
