// What the overview shows besides sums: the top links, and the latest comments with the campaigns that they are on.

import type { TrafficFilter } from "../../../campaign/events/traffic.ts";
import type { Sums } from "../../../campaign/sums.ts";
import { findReleased } from "../../../listing/find-released.ts";
import { type CampaignComment, chooseCommented } from "../../../listing/reports/latest-comments.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { urlWithQuery, webPaths } from "../../../paths.ts";
import { type ClickedLink, findTopLinks } from "../../../storage/campaigns/campaign-links.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../../../storage/organizations/organizations.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findCommented, findNewestIds } from "../../../storage/sums/sum-queries.ts";
import { countedOf, type SumsFilter } from "../../../storage/sums/sums-filter.ts";
import { dataTable, withBar } from "../ui/lists/table.ts";
import { reactionBadge } from "../ui/texts/badge.ts";
import { commentList } from "../ui/texts/comment-list.ts";
import { commonHost, outsideLink } from "../ui/texts/outside-link.ts";
import { subjectOf } from "../ui/texts/subject.ts";

/** The newest campaigns have the links of now, and reading all of them would take too long. */
const maxLinked = 200;
const linksShown = 8;
/** Reading a thousand answers for the first time takes a few milliseconds. */
const commentsRead = { limit: 3, maxAnswers: 10_000 };
export const commentsShown = 3;

export interface FoundDetails {
  /** Campaigns whose comments may be shown, newest first. */
  commented: StoredCampaign[];
  links: ClickedLink[];
  /** Whether all campaigns with comments are among them. */
  hasAllCommented: boolean;
  /** How many campaigns the links are from. */
  linked: number;
  /** Maps each campaign id to its campaign. */
  campaigns: Map<number, StoredCampaign>;
}

/** @param listedIds campaigns whose subject the page shows */
export async function findDetails(
  scope: Scope,
  organization: Organization,
  filter: SumsFilter,
  listedIds: readonly number[],
): Promise<FoundDetails> {
  const { traffic } = filter;
  const campaignIds = await findNewestIds(scope, countedOf(filter), maxLinked);
  const withComments = await findCommented(scope, filter);
  const commentedIds = chooseCommented(withComments, commentsRead);
  const found = await findReleased(scope, organization, [...new Set([...listedIds, ...commentedIds])]);
  const links = await findTopLinks(scope, { campaignIds, traffic, limit: linksShown });
  const campaigns = new Map(found.map((stored) => [stored.campaign.id, stored]));
  const commented = commentedIds.flatMap((id) => campaigns.get(id) ?? []);
  const hasAllCommented = withComments.length === commentedIds.length;
  return { campaigns, commented, hasAllCommented, links, linked: campaignIds.length };
}

/** @param allUrl the page of all comments with the same filters */
export function latestComments(
  locale: Locale,
  comments: readonly CampaignComment[],
  { allUrl, campaignUrlOf }: { allUrl: string; campaignUrlOf: (id: number) => string },
): Html | false {
  if (comments.length === 0) return false;
  const cards = comments.map(({ campaignId, subject, text, kind, reaction }) => ({
    text,
    reaction: reactionBadge(locale, kind, reaction),
    campaign: { url: campaignUrlOf(campaignId), subject: subjectOf(locale, { subject }) },
  }));
  return html`<section class="card with-comments"><div class="card-head"><h2>${locale.t("overview.latestComments")}</h2><a href="${allUrl}">${locale.t("overview.allComments")}</a></div>${commentList(cards)}</section>`;
}

/** @param sums of all campaigns: those that were imported have no links. @param query the filters of the page */
export function topLinks(
  { t, format }: Locale,
  { links, linked }: FoundDetails,
  { campaigns, countedCampaigns: of }: Pick<Sums, "campaigns" | "countedCampaigns">,
  traffic: TrafficFilter,
  query: URLSearchParams,
): Html | false {
  const clicked = links.filter((link) => link[traffic] > 0);
  const [first] = clicked;
  if (!first) return false;
  const host = commonHost(clicked.map(({ url }) => url));
  const rows = clicked.map((link) => [
    outsideLink(link.url, host),
    withBar(link[traffic] / first[traffic], format.count(link[traffic])),
  ]);
  const table = dataTable(t("overview.topLinks"), [host ?? t("links.link"), t("links.clicks")], rows, {
    classes: ["text", "number bar"],
    hidesCaption: true,
    isStacked: "slim",
  });
  return html`<section class="card no-print"><div class="card-head"><h2>${t("overview.topLinks")}</h2><a href="${urlWithQuery(webPaths.links, query)}">${t("overview.allLinks")}</a></div>${table}
<p class="soft small">${t("links.scope", { read: linked, of, isPartial: linked < of, imported: campaigns - of })}</p></section>`;
}
