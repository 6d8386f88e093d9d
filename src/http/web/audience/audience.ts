// The audience page at `/audience`: results by department, site and other attributes of recipients, and reach.

import { hasPermission } from "../../../access/role.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import { paths, urlWithQuery } from "../../../paths.ts";
import { type GroupOrder, orderParameters, parseOrder, sortRows } from "../breakdown/group-order.ts";
import { groupTable } from "../breakdown/group-table.ts";
import { gettingStarted } from "../campaigns/list/getting-started.ts";
import { type FilteredCampaigns, filteredCampaigns, filteredPage } from "../filters/filtered-campaigns.ts";
import type { Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { emptyState } from "../ui/lists/empty-state.ts";
import { attributeMenu } from "../ui/lists/group-cells.ts";
import { leftOutText } from "../ui/numbers/left-out.ts";
import { audienceColumns, audienceRows } from "./audience-columns.ts";
import { audienceFile } from "./audience-csv.ts";
import { nonReadersPages } from "./non-readers.ts";
import { reachSection, readReach } from "./reach.ts";
import { type Audience, readAudience } from "./read-audience.ts";

const path = paths.web.audience;

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
      const groups = groupsSection(session, found, { audience, order });
      const csv = audience.rows.length > 0 && urlWithQuery(paths.web.audienceCsv, queryOf({}));
      const summary = t("audience.groups", { count: audience.rows.length });
      const about = { title: t("pages.audience"), csv, summary };
      return filteredPage(session, found, about, groups, reach);
    },
  };
}

function groupsSection(
  session: WebSession,
  { page }: FilteredCampaigns,
  { audience, order }: { audience: Audience; order: GroupOrder },
): Html {
  const { locale } = session;
  const { t } = locale;
  const { attribute, attributes, rows } = audience;
  if (!attribute) return noAttributes(session);
  const urlOf = (own: Record<string, string>) => {
    const query = page.queryOf({});
    for (const name of ["attribute", "sort", "order"]) query.delete(name);
    return urlWithQuery(path, new URLSearchParams([...query, ...Object.entries(own)]));
  };
  const chosen = { attribute: String(attribute.id) };
  const choice = attributeMenu(locale, attributes, attribute, ({ id }) =>
    urlOf({ attribute: String(id), ...orderParameters(order) }),
  );
  const title = t("audience.by", { attribute: attribute.name });
  const table =
    rows.length > 0
      ? groupTable(locale, sortRows(audienceRows(locale, audience), order), {
          caption: t("audience.caption", { attribute: attribute.name }),
          columns: audienceColumns,
          order,
          name: attribute.name,
          trend: t(`audience.trend.${audience.unit}`),
          urlOf: (next) => urlOf({ ...chosen, ...orderParameters(next) }),
        })
      : html`<p class="soft">${t("audience.noGroupsInPeriod")}</p>`;
  return html`<div class="list-head"><h2>${title}</h2>${choice}</div>${table}${notes(session, audience)}`;
}

/** How many campaigns and recipients the table covers, and why not more. */
function notes({ organization, locale }: WebSession, audience: Audience): HtmlValue {
  const { t, format } = locale;
  const { rows, withheldRecipients, campaigns, total } = audience;
  const shown = rows.reduce((sum, row) => sum + row.total.recipients, 0);
  const all = shown + withheldRecipients;
  const texts = [
    t("audience.scope", { campaigns, of: total.settledCampaigns }),
    all > 0 &&
      t("audience.coverage", {
        shown,
        all,
        share: format.rate(shown / all),
        min: organization.minGroup,
        isPartial: shown < all,
      }),
    t("audience.recipientsNote"),
    leftOutText(locale, total),
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
