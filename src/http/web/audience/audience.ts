// The audience page at `/audience`: results by department, site and other attributes of recipients, and reach.

import { hasPermission } from "../../../access/role.ts";
import { leftOutOf } from "../../../campaign/sums.ts";
import { todayOf } from "../../../listing/sums/page-filters.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import { isolate } from "../../../locale/isolated-text.ts";
import { paths, urlWithQuery } from "../../../paths.ts";
import { type GroupOrder, orderParameters, parseOrder, sortRows } from "../breakdown/group-order.ts";
import { groupTable } from "../breakdown/group-table.ts";
import { gettingStarted } from "../campaigns/list/getting-started.ts";
import { type FilteredCampaigns, filteredCampaigns, filteredPage } from "../filters/filtered-campaigns.ts";
import type { Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { emptyState } from "../ui/lists/empty-state.ts";
import { attributeMenu } from "../ui/lists/group-cells.ts";
import { paginate } from "../ui/lists/list-pagination.ts";
import { leftOutText } from "../ui/numbers/left-out.ts";
import { audienceColumns, audienceRows } from "./audience-columns.ts";
import { audienceFile } from "./audience-csv.ts";
import { periodsSection } from "./audience-periods.ts";
import { nonReadersPages } from "./non-readers.ts";
import { reachSection, readReach } from "./reach.ts";
import { type Audience, readAudience } from "./read-audience.ts";

const path = paths.web.audience;
const pageSize = 50;

/** The page, its groups as CSV, and the recipients who opened nothing. */
export function audiencePages(context: WebContext): Page[] {
  const file = audienceFile(context, { path: paths.web.audienceCsv, page: path });
  return [audiencePage(context), file, ...nonReadersPages(context)];
}

function audiencePage(context: WebContext): Page {
  return {
    path,
    role: "viewer",
    async show(session, request) {
      const { locale, user } = session;
      const { t } = locale;
      const { query } = request;
      const order = parseOrder(locale, query, audienceColumns);
      const attribute = query.get("attribute") ?? "";
      const own = { ...(attribute !== "" && { attribute }), ...orderParameters(order) };
      const { found, content } = await filteredCampaigns(context, session, request, {
        path,
        own,
        read: async (scope, filtered) => ({
          audience: await readAudience(scope, session, filtered, query),
          reached: await readReach(scope, filtered),
        }),
      });
      if (found.isEmpty) return { title: t("pages.audience"), body: gettingStarted(locale, user.role) };
      const { audience, reached } = content;
      const { queryOf } = found.page;
      const nonReaders = new URLSearchParams(queryOf({}));
      for (const name of Object.keys(own)) nonReaders.delete(name);
      const reach = reachSection(session, reached, urlWithQuery(paths.web.nonReaders, nonReaders));
      const groups = groupsSection(session, found, { audience, order, requestedPage: query.get("page") });
      const csv = audience.rows.length > 0 && urlWithQuery(paths.web.audienceCsv, queryOf({}));
      const summary = t("audience.groups", { count: audience.rows.length });
      const about = { title: t("pages.audience"), csv, summary };
      return filteredPage(session, found, about, groups, reach);
    },
  };
}

interface GroupsOptions {
  audience: Audience;
  order: GroupOrder;
  /** The number of the page of groups, as the URL has it. */
  requestedPage: string | null;
}

function groupsSection(
  session: WebSession,
  { page }: FilteredCampaigns,
  { audience, order, requestedPage }: GroupsOptions,
): Html {
  const { locale } = session;
  const { t } = locale;
  const { attribute, attributes, spans } = audience;
  if (!attribute) return noAttributes(session);
  const ordered = (next: GroupOrder, { id } = attribute) => {
    const query = page.queryOf({});
    for (const name of ["attribute", "sort", "order"]) query.delete(name);
    return new URLSearchParams([
      ...query,
      ...Object.entries({ attribute: String(id), ...orderParameters(next) }),
    ]);
  };
  const urlOf = (next: GroupOrder, of = attribute) => urlWithQuery(path, ordered(next, of));
  const choice = attributeMenu(locale, attributes, attribute, (of) => urlOf(order, of));
  const title = t("audience.by", { attribute: attribute.name });
  const { name } = attribute;
  const { shown, links } = paginate(locale, sortRows(audienceRows(locale, audience), order), {
    page: requestedPage,
    pageSize,
    what: name,
    query: ordered(order),
  });
  const table =
    shown.length > 0
      ? groupTable(locale, shown, {
          caption: t("audience.caption", { attribute: name }),
          columns: audienceColumns,
          order,
          name,
          urlOf,
        })
      : html`<p class="soft">${t("audience.noGroupsInPeriod")}</p>`;
  const csv = urlWithQuery(paths.web.audienceCsv, new URLSearchParams([...ordered(order), ["by", "period"]]));
  const today = todayOf(page.defaults);
  const periods =
    shown.length > 0 &&
    spans.length > 1 &&
    periodsSection(locale, audience, { rows: shown, name, today, csv });
  return html`<div class="list-head"><h2>${title}</h2>${choice}</div>${table}${links}${notes(session, audience)}${periods}`;
}

/** More hidden groups are not named. */
const namesShown = 20;

/** How many campaigns and recipients the table covers, and why not more. */
function notes({ organization, locale }: WebSession, audience: Audience): HtmlValue {
  const { t, format } = locale;
  const { rows, hidden, withheldRecipients, campaigns, total, isProvisional } = audience;
  const shown = rows.reduce((sum, row) => sum + row.total.recipients, 0);
  const all = shown + withheldRecipients;
  const texts = [
    t("audience.scope", { campaigns, of: isProvisional ? total.campaigns : total.settledCampaigns }),
    all > 0 &&
      t("audience.coverage", {
        shown,
        all,
        share: format.rate(shown / all),
        isPartial: shown < all,
      }),
    shown < all &&
      t("audience.hidden", {
        names: hidden
          .slice(0, namesShown)
          .map(({ name }) => isolate(name))
          .join(", "),
        count: hidden.length,
        more: Math.max(hidden.length - namesShown, 0),
        min: organization.minGroup,
      }),
    t("audience.recipientsNote"),
    isProvisional ? t("audience.soFar", { count: leftOutOf(total) }) : leftOutText(locale, total),
  ];
  return html`<p class="soft small">${texts.filter((text) => text).join(" ")}</p>`;
}

function noAttributes({ user, locale: { t } }: WebSession): Html {
  const canAdd = hasPermission(user.role, "admin");
  return emptyState({
    icon: "people",
    title: t("audience.noAttributes"),
    text: canAdd ? t("audience.noAttributesHint") : t("audience.askAdmin"),
    ...(canAdd && {
      actions: html`<a class="button" href="${paths.web.audienceSettings}">${t("audience.addAttributes")}</a>`,
    }),
  });
}
