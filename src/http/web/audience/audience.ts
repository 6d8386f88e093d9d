// The audience page at `/audience`: results by department, site and other attributes of recipients, and reach.

import { leftOutOf } from "../../../campaign/sums.ts";
import { AppError } from "../../../errors.ts";
import { filterQuery } from "../../../listing/sums/filter-query.ts";
import { todayOf } from "../../../listing/sums/page-filters.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import { isolate } from "../../../locale/isolated-text.ts";
import type { Locale } from "../../../locale/locale.ts";
import { urlWithQuery, webPaths } from "../../../paths.ts";
import { groupFile } from "../breakdown/group-file.ts";
import { type GroupOrder, orderParameters, parseOrder, sortRows } from "../breakdown/group-order.ts";
import { groupTable } from "../breakdown/group-table.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import { type FilteredCampaigns, filteredFile, filteredPage } from "../filters/filtered-campaigns.ts";
import type { FileContent, Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { emptyState } from "../ui/lists/empty-state.ts";
import { attributeMenu } from "../ui/lists/group-cells.ts";
import { paginate } from "../ui/lists/list-pagination.ts";
import { leftOutText } from "../ui/numbers/left-out.ts";
import { audienceColumns, audienceRows } from "./audience-columns.ts";
import { periodsFile, periodsSection } from "./audience-periods.ts";
import { nonReadersPages } from "./non-readers.ts";
import { reachSection, readReach } from "./reach.ts";
import { type Audience, readAudience } from "./read-audience.ts";

const path = webPaths.audience;
const pageSize = 50;

interface AskedAudience {
  attribute: string;
  order: GroupOrder;
}

const ask = (locale: Locale, query: URLSearchParams): AskedAudience => ({
  attribute: query.get("attribute") ?? "",
  order: parseOrder(locale, query, audienceColumns),
});

const own = ({ attribute, order }: AskedAudience) => ({
  ...(attribute !== "" && { attribute }),
  ...orderParameters(order),
});

/** The page, its groups as CSV, and the recipients who opened nothing. */
export const audiencePages = (context: WebContext): Page[] => [
  filteredPage({
    path,
    csv: webPaths.audienceCsv,
    ask,
    own,
    read: async (scope, found) => ({
      audience: await readAudience(scope, found),
      reached: await readReach(scope, found),
    }),
    show({ content: { audience, reached }, ...found }) {
      const { page } = found;
      const nonReaders = urlWithQuery(webPaths.nonReaders, filterQuery(page.filters, page.defaults));
      return {
        title: found.t("pages.audience"),
        summary: found.t("audience.groups", { count: audience.rows.length }),
        hasFile: audience.rows.length > 0,
        results: [groupsSection(found, audience), reachSection(found, reached, nonReaders)],
      };
    },
  }),
  filteredFile({ path: webPaths.audienceCsv, ask, own, read: readAudience, show: audienceFile }),
  ...nonReadersPages(context),
];

/** The groups in the order of the page. */
function audienceFile(found: FilteredCampaigns<AskedAudience> & { content: Audience }): FileContent {
  const { content: audience, asked } = found;
  const { filters } = found.page;
  if (!audience.attribute) throw new AppError("not_found", found.t("audience.noAttributes"));
  const rows = sortRows(audienceRows(found, audience), asked.order);
  const { name } = audience.attribute;
  if (found.parameters.get("by") === "period")
    return periodsFile(found, audience, { rows, name, file: csvFileName("audience-by-period", filters) });
  return groupFile(found, rows, { file: csvFileName("audience", filters), name, columns: audienceColumns });
}

function groupsSection(found: FilteredCampaigns<AskedAudience>, audience: Audience): Html {
  const { asked, page, t } = found;
  const { attribute, attributes, spans } = audience;
  if (!attribute) return noAttributes(found);
  const { name } = attribute;
  const { order } = asked;
  const ordered = (next: GroupOrder, { id } = attribute) =>
    page.queryOf({}, { attribute: String(id), order: next });
  const urlOf = (next: GroupOrder, of = attribute) => urlWithQuery(path, ordered(next, of));
  const choice = attributeMenu(found, attributes, attribute, (of) => urlOf(order, of));
  const { shown, links } = paginate(found, sortRows(audienceRows(found, audience), order), {
    page: found.parameters.get("page"),
    pageSize,
    what: name,
    query: ordered(order),
  });
  const table =
    shown.length > 0
      ? html`<div class="list-table">${groupTable(found, shown, {
          caption: t("audience.caption", { attribute: name }),
          columns: audienceColumns,
          name,
          sorting: { order, urlOf },
        })}</div>`
      : html`<p class="soft">${t("audience.noGroupsInPeriod")}</p>`;
  const csv = urlWithQuery(webPaths.audienceCsv, new URLSearchParams([...ordered(order), ["by", "period"]]));
  const periods =
    shown.length > 0 &&
    spans.length > 1 &&
    periodsSection(found, audience, { rows: shown, name, today: todayOf(page.defaults), csv });
  return html`<div class="list-head"><h2>${t("audience.by", { attribute: name })}</h2>${choice}</div>${table}${links}${notes(found, audience)}${periods}`;
}

/** More hidden groups are not named. */
const namesShown = 20;

/** How many campaigns and recipients the table covers, and why not more. */
function notes(session: WebSession, audience: Audience): HtmlValue {
  const { organization, t, format } = session;
  const {
    rows,
    hidden,
    withheldRecipients,
    laterRecipients: later,
    campaigns,
    total,
    isProvisional,
  } = audience;
  const shown = rows.reduce((sum, row) => sum + row.total.recipients, 0);
  const all = shown + withheldRecipients + later;
  const texts = [
    t("audience.scope", { campaigns, of: isProvisional ? total.campaigns : total.settledCampaigns }),
    all > 0 &&
      t("audience.coverage", {
        shown,
        all,
        share: format.rate(shown / all),
        isPartial: shown < all,
      }),
    withheldRecipients > 0 &&
      t("audience.hidden", {
        names: hidden
          .slice(0, namesShown)
          .map(({ name }) => isolate(name))
          .join(", "),
        count: hidden.length,
        more: Math.max(hidden.length - namesShown, 0),
        min: organization.minGroup,
      }),
    later > 0 && t("audience.later", { recipients: later, min: organization.minGroup }),
    t("audience.recipientsNote"),
    isProvisional ? t("audience.soFar", { count: leftOutOf(total) }) : leftOutText(session, total),
  ];
  return html`<p class="soft small">${texts.filter((text) => text).join(" ")}</p>`;
}

function noAttributes({ isAdmin, t }: WebSession): Html {
  return emptyState({
    icon: "people",
    title: t("audience.noAttributes"),
    text: isAdmin ? t("audience.noAttributesHint") : t("audience.askAdmin"),
    actions:
      isAdmin &&
      html`<a class="button" href="${webPaths.audienceSettings}">${t("audience.addAttributes")}</a>`,
  });
}
