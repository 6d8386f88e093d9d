// The search at `/search`: campaigns by their subject, series, pages, also by other words for them, tools to connect, help, and for
// admins people. A result has all words.

import { dateAt } from "../../../campaign/calendar/calendar-date.ts";
import { foldCase } from "../../../campaign/fields/fold-case.ts";
import { searchWords } from "../../../campaign/fields/search-words.ts";
import { findReleased } from "../../../listing/find-released.ts";
import { toSumsFilter } from "../../../listing/sums/campaign-filter.ts";
import { type HtmlValue, html } from "../../../locale/html.ts";
import { isolatedText } from "../../../locale/isolated-text.ts";
import type { Locale } from "../../../locale/locale.ts";
import { quoted } from "../../../locale/quoted.ts";
import { webPaths } from "../../../paths.ts";
import { listTags } from "../../../storage/organizations/tags.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findKnownValues, findNewestIds, findSenders } from "../../../storage/sums/sum-queries.ts";
import { listUsers } from "../../../storage/users/users.ts";
import { tools } from "../../connect/tools.ts";
import type { Page, WebSession } from "../frame/page.ts";
import { pagesFor } from "../frame/rail.ts";
import { helpLinks } from "../help/help.ts";
import { findHelpTopic } from "../help/help-topics.ts";
import { searchButton } from "../ui/forms/search-button.ts";
import { results } from "../ui/lists/results.ts";
import { seriesUrl } from "../ui/texts/series-link.ts";
import { subjectOf } from "../ui/texts/subject.ts";
import { tagLabel } from "../ui/texts/tag-label.ts";

/** The most results of each kind. */
const maxFound = 8;

interface Found {
  path: string;
  name: HtmlValue;
  /** The text beside the name. */
  note?: HtmlValue;
}

export const searchPage: Page = {
  path: webPaths.search,
  role: "viewer",
  async show(session, { query }) {
    const { t } = session;
    const search = (query.get("q") ?? "").trim().normalize("NFC");
    const found = await session.snapshot((scope) => findAll(scope, session, search));
    const count = found.reduce((sum, { items }) => sum + items.length, 0);
    const body = html`<div class="toolbar"><form class="search" role="search" id="search" action="${webPaths.search}" data-live>${searchButton(session)}
<input type="search" name="q" value="${search}" maxlength="1000" aria-label="${t("ui.search")}" placeholder="${t("search.placeholder")}" autocomplete="off" spellcheck="false" autofocus></form></div>
${results(
  search === "" ? "" : t("search.found", { count }),
  count === 0 && search !== ""
    ? html`<p class="soft">${t("ui.noResultsFor", { search: quoted(session, search) })}</p>
${list({ name: t("search.inHelp", { search }), items: topicsWith(session, search) })}`
    : found.map(list),
)}`;
    return { title: t("ui.search"), body };
  },
};

interface FoundKind {
  name: string;
  items: readonly Found[];
}

function list({ name, items }: FoundKind): HtmlValue {
  if (items.length === 0) return false;
  const item = ({ path, name, note }: Found) =>
    html`<li><a href="${path}">${name}</a>${note !== undefined && html` <span class="soft small">${note}</span>`}</li>\n`;
  return html`<section class="card found"><h2>${name}</h2><ul>${items.map(item)}</ul></section>`;
}

/** Finds the newest campaigns and all pages if there are no words, as a place to go on from. */
async function findAll(scope: Scope, session: WebSession, search: string): Promise<FoundKind[]> {
  const { isAdmin, t } = session;
  const words = searchWords(search);
  const matches = (text: string) => words.every((word) => foldCase(text).includes(word));
  const first = <Item>(items: readonly Item[], textOf: (item: Item) => string) =>
    words.length === 0 ? [] : items.filter((item) => matches(textOf(item))).slice(0, maxFound);
  const series = words.length === 0 ? [] : await findSeries(scope);
  const users = isAdmin ? await listUsers(scope) : [];
  const textOf = ({ name, words }: { name: string; words: string }) => `${name} ${words}`;
  return [
    { name: t("pages.campaigns"), items: await campaignsBySubject(scope, session, search) },
    {
      name: t("series.title"),
      items: first(series, ({ text }) => text),
    },
    {
      name: t("pages.people"),
      items: first(users, ({ email }) => email).map(({ email }) => ({
        path: webPaths.people,
        name: isolatedText(email),
      })),
    },
    {
      name: t("search.pages"),
      items: [
        ...pagesFor(session).filter((page) => matches(textOf(page))),
        ...first(subPagesFor(session), textOf),
      ],
    },
    {
      name: t("pages.connect"),
      items: first(tools, ({ name }) => name).map(({ id, name }) => ({
        path: `${webPaths.connect}/${id}`,
        name,
      })),
    },
    {
      name: t("pages.help"),
      items: first(helpLinks(session), ({ name, note }) => html`${name} ${note}`.text).map(
        ({ path, name }) => ({ path, name }),
      ),
    },
  ];
}

/** The help pages whose text has all words. */
const topicsWith = (locale: Locale, search: string): Found[] =>
  helpLinks(locale).filter(({ path }) => {
    const text = findHelpTopic(path.split("/").at(-1) ?? "")?.body.text.toLowerCase() ?? "";
    return searchWords(search).every((word) => text.includes(word));
  });

/** Every tag, team and sender. */
async function findSeries(scope: Scope): Promise<(Found & { text: string })[]> {
  const named = (by: "team" | "sender", names: readonly string[]) =>
    names.map((text) => ({ path: seriesUrl(by, text), name: isolatedText(text), text }));
  return [
    ...(await listTags(scope)).map((tag) => ({
      path: seriesUrl("tag", tag.id),
      name: tagLabel(tag),
      text: tag.name,
    })),
    ...named("team", (await findKnownValues(scope)).teams),
    ...named("sender", await findSenders(scope)),
  ];
}

/** Pages that no navigation has. */
function subPagesFor({ isAdmin, t }: WebSession): ReturnType<typeof pagesFor> {
  const all = {
    traffic: [webPaths.traffic, t("traffic.title")],
    hour: [`${webPaths.breakdown}?by=hour`, t("overview.breakdowns.hour.tab")],
    secondFactor: [webPaths.secondFactor, t("secondFactor.title")],
    apiReference: [webPaths.apiReference, t("pages.apiReference")],
    ...(isAdmin && {
      import: [webPaths.import, t("imports.title")],
      register: [webPaths.registerCampaign, t("campaign.register")],
      csvLinks: [`${webPaths.analyticsApi}#csv-links`, t("csvLinks.title")],
    }),
  };
  return Object.entries(all).map(([id, [path = "", name = ""]]) => ({
    path,
    name,
    words: t(`search.words.${id as keyof typeof all}`),
  }));
}

async function campaignsBySubject(scope: Scope, session: WebSession, subject: string): Promise<Found[]> {
  const { organization, format, t } = session;
  const filter = await toSumsFilter(scope, { subject }, organization.countedTraffic);
  const ids = await findNewestIds(scope, filter, maxFound);
  const campaigns = await findReleased(scope, organization, ids);
  const results = campaigns.map(({ campaign }) => ({
    path: `${webPaths.campaigns}/${campaign.id}`,
    name: subjectOf(session, campaign),
    note: format.date(dateAt(campaign.sentAt, organization.timeZone)),
  }));
  const count = filter.ids?.length ?? 0;
  if (count <= maxFound) return results;
  const query = new URLSearchParams({ period: "all", q: subject });
  return [...results, { path: `${webPaths.campaigns}?${query}`, name: t("search.allCampaigns", { count }) }];
}
