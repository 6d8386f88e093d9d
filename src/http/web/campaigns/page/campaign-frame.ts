// What surrounds every tab of a campaign's page: title, facts, links to its neighbors, and the tabs.

import { hasPermission } from "../../../../access/role.ts";
import { minuteMs, quarterHourMs } from "../../../../campaign/calendar/durations.ts";
import { compareTags } from "../../../../campaign/campaign.ts";
import { trafficFilters } from "../../../../campaign/events/traffic.ts";
import { missedSourceOf } from "../../../../listing/reports/sources-alert.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import { isolatedText } from "../../../../locale/isolated-text.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { subjectText } from "../../../../locale/subject-text.ts";
import { paths, urlWithQuery } from "../../../../paths.ts";
import { describeProvider } from "../../../../providers/providers.ts";
import { isStillCounting } from "../../../../storage/campaigns/stored-campaign.ts";
import type { CampaignNeighbor } from "../../../../storage/sums/campaign-neighbors.ts";
import { trafficLinks } from "../../filters/filter-bar.ts";
import { breadcrumb } from "../../frame/layout.ts";
import type { PageContent } from "../../frame/page.ts";
import { shareAction } from "../../share/share-link.ts";
import { type IconName, icon } from "../../ui/icons/icon.ts";
import { type MenuLink, moreActions } from "../../ui/lists/menu.ts";
import { results } from "../../ui/lists/results.ts";
import { tabs } from "../../ui/lists/tabs.ts";
import { subjectOf } from "../../ui/texts/subject.ts";
import { tagLabel } from "../../ui/texts/tag-label.ts";
import {
  campaignUrl,
  keptQuery,
  listUrl,
  managePath,
  recipientsPath,
  type TabName,
  tabNames,
} from "../campaign-url.ts";
import { type CampaignView, tabUrl } from "./campaign-view.ts";
import type { Neighbors } from "./list-neighbors.ts";
import { stillCountingChip } from "./same-age.ts";

type CurrentTab = TabName | "recipients";

/** @param content of the tab */
export function inCampaignFrame(view: CampaignView, tab: CurrentTab, content: Html): PageContent {
  const { session, stored, neighbors } = view;
  const { locale, organization } = session;
  const { campaign } = stored;
  const title = subjectText(locale, campaign);
  const list = { url: listUrl(organization, view), name: locale.t("pages.campaigns") };
  const actions = [
    { ...list, isPhone: true },
    ...neighborActions(view, neighbors),
    ...(hasTraffic(view, tab) ? trafficActions(view, tab) : []),
    tab !== "recipients" && shareAction(session, tabUrl(view, { tab })),
    hasPermission(session.user.role, "admin") && {
      url: managePath(campaign.id),
      name: locale.t("campaign.manage"),
    },
  ];
  return {
    title,
    heading: subjectOf(locale, campaign),
    windowTitle: tab === "summary" ? title : `${locale.t(`campaign.tabs.${tab}`)} – ${title}`,
    breadcrumb: breadcrumb(locale, [list]),
    headingLink: html`${hasTraffic(view, tab) && html`<div class="desk">${trafficLinks(locale, view.traffic, (traffic) => tabUrl(view, { tab, traffic }))}</div>`}${neighborLinks(view, neighbors)}${moreActions(locale, actions)}`,
    hasResults: true,
    lead: html`<span class="facts-line">${factsOf(view)}</span>`,
    body: html`${silenceWarning(view)}${renderTabs(view, tab)}
${results("", content)}
${tab !== "recipients" && html`<p class="soft small section">${describeOrigin(view, tab)}</p>`}`,
  };
}

/** Since when its events may be missing; false if they are not. */
function silenceWarning({ session, stored }: CampaignView): HtmlValue {
  const { locale, organization, sourcesAlert } = session;
  const source = missedSourceOf(sourcesAlert, stored);
  if (!source) return false;
  const provider = describeProvider(source.provider).title;
  const time = locale.format.dateTime(source.lastEventAt, organization.timeZone);
  return html`<p class="warning">${locale.rich("campaign.sourceSilent", { href: paths.web.sources, provider, time })}</p>`;
}

/** The neighbors on phones, where the heading has no room for them. */
function neighborActions({ session, ...view }: CampaignView, { previous, next }: Neighbors): MenuLink[] {
  const { organization, locale } = session;
  const link = (neighbor: CampaignNeighbor | undefined, icon: "previous" | "next") =>
    neighbor
      ? [
          {
            url: campaignUrl(neighbor.id, organization, view),
            name: subjectOf(locale, neighbor),
            icon,
            isPhone: true,
          },
        ]
      : [];
  return [...link(previous, "previous"), ...link(next, "next")];
}

/** Their place in the list is between them. */
function neighborLinks(view: CampaignView, { previous, next, place }: Neighbors): Html {
  const shown =
    place &&
    html`<span class="soft small desk">${view.session.locale.t("campaign.partOf", { count: place.number, total: place.of })}</span>`;
  return html`${neighborLink(view, previous, "previous")}${shown}${neighborLink(view, next, "next")}`;
}

function neighborLink(
  view: CampaignView,
  neighbor: CampaignNeighbor | undefined,
  direction: "previous" | "next",
): HtmlValue {
  if (!neighbor) return false;
  const { organization, locale } = view.session;
  const { t } = locale;
  const name = t(`campaign.neighbors.${direction}`, { subject: subjectText(locale, neighbor) });
  const symbol: IconName = direction;
  return html`<a class="button second desk" rel="${direction === "previous" ? "prev" : "next"}" href="${campaignUrl(neighbor.id, organization, view)}" title="${name}">${icon(symbol)}<span class="visually-hidden">${name}</span></a>`;
}

/** Who sent it when, its tags, and how old the last activity is while more may come. Phones show what fits on a line. */
function factsOf(view: CampaignView): HtmlValue {
  const { session, stored, details, now } = view;
  const { locale, organization } = session;
  const { t, format } = locale;
  const { campaign, tags } = stored;
  const time = format.dateTime(campaign.sentAt, organization.timeZone);
  const facts: HtmlValue[] = [
    stillCountingChip(view),
    campaign.team && isolatedText(campaign.team),
    campaign.sentAt <= now ? t("campaign.sentAt", { time }) : t("campaign.scheduledFor", { time }),
    ...tags.toSorted(compareTags).map(tagLabel),
    isStillCounting(stored) && lastActivity(locale, details?.activity.lastQuarter ?? null, now),
  ];
  const known = facts.filter((fact) => fact !== null && fact !== "" && fact !== false);
  return known.map(
    (fact, index) => html`${index > 0 && html` <span aria-hidden="true">·</span> `}<span>${fact}</span>`,
  );
}

/** The time of the last open or click is known to the quarter hour. */
function lastActivity({ t, format }: Locale, quarter: number | null, now: number): HtmlValue {
  if (quarter === null) return false;
  const age = now - (quarter + quarterHourMs);
  return age < minuteMs
    ? t("campaign.activeNow")
    : t("campaign.lastActivity", { time: format.relativeTime(-age) });
}

function renderTabs(view: CampaignView, tab: CurrentTab): Html {
  const { session, stored, details } = view;
  const { t, format } = session.locale;
  const count = (number: number | undefined) => (number ? format.count(number) : undefined);
  const counts: Partial<Record<CurrentTab, number | undefined>> = {
    links: details?.activity.links.length,
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
    url: urlWithQuery(recipientsPath(stored.campaign.id), keptQuery(session.organization, view)),
    name: t("campaign.tabs.recipients"),
    count: undefined,
    isCurrent: tab === "recipients",
  };
  const showsRecipients = hasPermission(session.user.role, "admin") && (counting || tab === "recipients");
  const place = names.findIndex((name) => name === "activity" || name === "details");
  return tabs(t("campaign.tabsLabel"), showsRecipients ? items.toSpliced(place, 0, recipients) : items);
}

/**
 * The numbers of imported campaigns are of unknown traffic, the tab of activity shows both, and the recipients follow the
 * organization's setting.
 */
function hasTraffic({ stored }: CampaignView, tab: CurrentTab): tab is TabName {
  return "tallies" in stored.numbers && tab !== "activity" && tab !== "recipients";
}

/** The traffic on phones. */
function trafficActions(view: CampaignView, tab: TabName): MenuLink[] {
  return trafficFilters.map((traffic) => ({
    url: tabUrl(view, { tab, traffic }),
    name: view.session.locale.t(`filters.traffic.${traffic}`),
    isCurrent: traffic === view.traffic,
    isPhone: true,
  }));
}

/** Where the campaign's numbers come from. Two tabs show human and automated activity in columns and rows that say so. */
function describeOrigin({ session, stored: { counting }, traffic }: CampaignView, tab: CurrentTab): string {
  const { t, format } = session.locale;
  if (!counting) return t("campaign.imported");
  const { closedAt } = counting;
  if (closedAt !== null)
    return t("campaign.closed", { time: format.dateTime(closedAt, session.organization.timeZone) });
  return tab === "activity" || tab === "links"
    ? t("campaign.countedLive")
    : `${t("campaign.countedLive")} ${t(`campaign.counted.${traffic}`)}`;
}
