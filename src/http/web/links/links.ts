// The links page at `/links`: the most clicked links of the campaigns that match the filters.

import { paths, urlWithQuery } from "../../../paths.ts";
import { gettingStarted } from "../campaigns/list/getting-started.ts";
import { filteredCampaigns, filteredPage } from "../filters/filtered-campaigns.ts";
import type { Page } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { emptyState } from "../ui/lists/empty-state.ts";
import { linksFile } from "./links-csv.ts";
import { linksTable } from "./links-table.ts";
import { readLinks } from "./read-links.ts";

/** The page, and its links as CSV. */
export function linksPages(context: WebContext): Page[] {
  return [linksPage(context), linksFile(context)];
}

function linksPage(context: WebContext): Page {
  return {
    path: paths.web.links,
    role: "viewer",
    async show(session, request) {
      const { user, locale } = session;
      const { t } = locale;
      const options = { path: paths.web.links, read: readLinks };
      const { found, content: links } = await filteredCampaigns(context, session, request, options);
      if (found.isEmpty) return { title: t("links.title"), body: gettingStarted(locale, user.role) };
      const content =
        links.links.length === 0
          ? emptyState({ icon: "links", title: t("links.none"), text: t("links.noneHint") })
          : linksTable(locale, found.page, links);
      const about = {
        title: t("links.title"),
        lead: t("links.lead"),
        csv: urlWithQuery(paths.web.linksCsv, found.page.queryOf({})),
        summary: t("links.caption", { links: links.links.length }),
      };
      return filteredPage(session, found, about, content);
    },
  };
}
