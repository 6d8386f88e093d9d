// What surrounds every tab of a campaign's page: title, facts, links to its neighbors, and the tabs.

import { compareTags } from "../../../../campaign/campaign.ts";
import { missedSourceOf } from "../../../../listing/reports/sources-alert.ts";
import { type Html, type HtmlValue, html, joinHtml } from "../../../../locale/html.ts";
import { subjectText } from "../../../../locale/subject-text.ts";
import { urlWithQuery, webPaths } from "../../../../paths.ts";
import { describeProvider } from "../../../../providers/providers.ts";
import type { CampaignNeighbor } from "../../../../storage/sums/campaign-neighbors.ts";
import type { PageContent } from "../../frame/page.ts";
import { shareAction } from "../../share/share-link.ts";
import { type IconName, icon } from "../../ui/icons/icon.ts";
import { type HeadAction, headActions } from "../../ui/lists/menu.ts";
import { results } from "../../ui/lists/results.ts";
import { tabs } from "../../ui/lists/tabs.ts";
import { seriesLink, tagLink } from "../../ui/texts/series-link.ts";
import { subjectOf } from "../../ui/texts/subject.ts";
import { campaignUrl, keptQuery, listUrl, recipientsPath, type TabName, tabNames } from "../campaign-url.ts";
import { tagPicker } from "../manage/correct-and-reset.ts";
import { type CampaignView, tabUrl } from "./campaign-view.ts";
import { stillCountingChip } from "./same-age.ts";

type CurrentTab = TabName | "recipients";

/** @param content of the tab */
export function inCampaignFrame(view: CampaignView, tab: CurrentTab, content: Html): PageContent {
  const { stored, neighbors, organization, t } = view;
  const { campaign } = stored;
  const title = subjectText(view, campaign);
  const list = { url: listUrl(organization, view), name: t("pages.campaigns") };
  return {
    title,
    heading: subjectOf(view, campaign),
    windowTitle: tab === "summary" ? title : `${t(`campaign.tabs.${tab}`)} – ${title}`,
    breadcrumb: [list],
    headingLink: html`${neighborLink(view, neighbors.previous, "previous")}${neighborLink(view, neighbors.next, "next")}${headActions(tab !== "recipients" && shareAction(view, tabUrl(view, { tab })), compareAction(view))}${view.isAdmin && tagPicker(view, stored, view.allTags)}`,
    hasResults: true,
    lead: html`<span class="facts-line">${factsOf(view)}</span>`,
    body: html`${silenceWarning(view)}${renderTabs(view, tab)}
${results("", content)}
${tab !== "recipients" && html`<p class="soft small section">${describeOrigin(view, tab)}</p>`}`,
  };
}

/** Leads to the list that the page was opened from, whose links then compare. */
function compareAction({ organization, stored, list, traffic, t }: CampaignView): HeadAction {
  const choices = new URLSearchParams([...list, ["with", String(stored.campaign.id)]]);
  return {
    url: listUrl(organization, { traffic, list: choices }),
    name: t("campaigns.compare"),
    icon: "compare",
  };
}

/** Since when its events may be missing; false if they are not. */
function silenceWarning({ stored, sourcesAlert, rich, timeText }: CampaignView): HtmlValue {
  const source = missedSourceOf(sourcesAlert, stored);
  if (!source) return false;
  const provider = describeProvider(source.provider).title;
  const time = timeText(source.lastEventAt);
  return html`<p class="warning">${rich("campaign.sourceSilent", { href: webPaths.sources, provider, time })}</p>`;
}

function neighborLink(
  view: CampaignView,
  neighbor: CampaignNeighbor | undefined,
  direction: "previous" | "next",
): HtmlValue {
  if (!neighbor) return false;
  const { organization, t } = view;
  const name = t(`campaign.neighbors.${direction}`, { subject: subjectText(view, neighbor) });
  const symbol: IconName = direction;
  return html`<a class="button second" rel="${direction === "previous" ? "prev" : "next"}" href="${campaignUrl(neighbor.id, organization, view)}" title="${name}">${icon(symbol)}<span class="visually-hidden">${name}</span></a>`;
}

/** Who sent it when, and its tags. Phones show what fits on a line. */
function factsOf(view: CampaignView): HtmlValue {
  const { stored, t, timeText } = view;
  const { campaign, tags } = stored;
  const time = timeText(campaign.sentAt);
  const facts: HtmlValue[] = [
    stillCountingChip(view),
    seriesLink("team", campaign.team),
    campaign.sentAt <= view.now ? t("campaign.sentAt", { time }) : t("campaign.scheduledFor", { time }),
    ...tags.toSorted(compareTags).map(tagLink),
  ];
  return joinHtml(
    facts.filter(Boolean).map((fact) => html`<span>${fact}</span>`),
    html` <span aria-hidden="true">·</span> `,
  );
}

function renderTabs(view: CampaignView, tab: CurrentTab): Html {
  const { stored, details, t, format } = view;
  const count = (number: number | undefined) => (number ? format.count(number) : undefined);
  const counts: Partial<Record<CurrentTab, number | undefined>> = {
    links: details?.links.length,
    surveys: details && details.surveys.surveys.length + details.surveys.others,
  };
  // An imported campaign has nothing but its numbers, and one that is not counted by attributes has no groups.
  // Without a survey, the tab would be empty.
  const { counting } = stored;
  const names = tabNames.filter((name) => {
    if (name === tab || name === "summary" || name === "details") return true;
    if (name === "audience") return (counting?.attributeIds.length ?? 0) > 0;
    if (name === "surveys") return counting && (counts.surveys || stored.campaign.surveysCount !== 0);
    return counting;
  });
  const items = names.map((name) => ({
    url: tabUrl(view, { tab: name }),
    name: t(`campaign.tabs.${name}`),
    count: count(counts[name]),
    isCurrent: name === tab,
  }));
  const recipients = {
    url: urlWithQuery(recipientsPath(stored.campaign.id), keptQuery(view.organization, view)),
    name: t("campaign.tabs.recipients"),
    count: undefined,
    isCurrent: tab === "recipients",
  };
  const showsRecipients = view.isAdmin && (counting || tab === "recipients");
  return tabs(
    t("campaign.tabsLabel"),
    showsRecipients ? items.toSpliced(names.indexOf("details"), 0, recipients) : items,
  );
}

/** Where the campaign's numbers come from, and a link to them with the other traffic. */
function describeOrigin(view: CampaignView, tab: TabName): HtmlValue {
  const { stored, traffic, t, timeText } = view;
  const { counting } = stored;
  if (!counting) return t("campaign.imported");
  const { closedAt } = counting;
  const state =
    closedAt === null ? t("campaign.countedLive") : t("campaign.closed", { time: timeText(closedAt) });
  const other = traffic === "all" ? "people" : "all";
  return html`${state} ${t(`campaign.counted.${traffic}`)} <a href="${tabUrl(view, { tab, traffic: other })}">${t(`filters.traffic.${other}`)}</a>`;
}
