// The links page at `/links`: the most clicked links of the campaigns that match the filters.

import type { TrafficFilter } from "../../../campaign/events/traffic.ts";
import { newestCounted } from "../../../listing/numbers/newest.ts";
import {
  type MostClickedLinks,
  MostClickedLinksReader,
} from "../../../listing/reports/most-clicked-links.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import { gettingStarted } from "../campaigns/getting-started.ts";
import { filteredCampaigns } from "../filters/filtered-campaigns.ts";
import type { Locale } from "../locale.ts";
import type { Page } from "../page.ts";
import { emptyState } from "../ui/empty-state.ts";
import { numberOrDash } from "../ui/number-or-dash.ts";
import { outsideLink } from "../ui/outside-link.ts";
import { results } from "../ui/results.ts";
import {
  barCell,
  cellLabel,
  numberCell,
  numberColumnHeader,
  renderTable,
  textColumnHeader,
} from "../ui/table.ts";
import type { WebContext } from "../web-context.ts";

/** Older campaigns are left out: reading all would take too long. */
const maxCampaigns = 1_000;

export function linksPage(context: WebContext): Page {
  const reader = new MostClickedLinksReader(context.database);
  return {
    path: paths.web.links,
    role: "viewer",
    async show(session, request) {
      const { organization, user, locale } = session;
      const { strings } = locale;
      const { title } = strings.links;
      const found = await filteredCampaigns(context, session, request, { path: paths.web.links });
      if (found.isEmpty) return { title, body: gettingStarted(locale, user.role) };
      const { filters } = found.page;
      const { ids, of } = newestCounted(found.selection, maxCampaigns);
      const links = await reader.read(organization, ids);
      const problem =
        found.problem !== undefined && html`<p class="problem" role="alert">${found.problem}</p>`;
      const content =
        links.links.length === 0
          ? emptyState({ icon: "links", title: strings.links.none, text: strings.links.noneHint })
          : linksTable(locale, { ...links, of }, filters.traffic);
      return {
        title,
        lead: strings.links.lead,
        printedScope: found.printedScope,
        hasResults: true,
        body: html`${problem}${found.toolbar}${results(strings.links.caption(links.links.length), content)}`,
        ...(found.problem !== undefined && { status: 400 }),
      };
    },
  };
}

function linksTable(
  locale: Locale,
  { links, others, total, campaigns, of }: MostClickedLinks & { of: number },
  traffic: TrafficFilter,
): Html {
  const { strings, format } = locale;
  const { link, clicks, share, campaigns: inCampaigns, caption, othersNote, scope } = strings.links;
  const sorted = links.toSorted((a, b) => b[traffic] - a[traffic]);
  const most = sorted[0]?.[traffic] || 1;
  const rows = sorted.map(
    (each) =>
      html`<tr><th scope="row" class="text">${outsideLink(each.url)}</th>${barCell(each[traffic] / most, format.count(each[traffic]), clicks)}<td class="number"${cellLabel(share)}>${numberOrDash(locale, "rate", total[traffic] > 0 ? each[traffic] / total[traffic] : null)}</td>${numberCell(locale, each.campaigns, inCampaigns)}</tr>\n`,
  );
  const headers = [textColumnHeader(link), ...[clicks, share, inCampaigns].map(numberColumnHeader)];
  return html`<div class="list-table">${renderTable(caption(links.length), headers, rows, { isStacked: true, hasRowLinks: true })}</div>
<p class="soft small">${others > 0 && othersNote(others)} ${scope(campaigns, of)}</p>`;
}
