// The links of a request as CSV, or the campaigns of one link, in the order of the page.

import { readReleased } from "../../../listing/find-released.ts";
import { paths } from "../../../paths.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import { filteredCampaigns } from "../filters/filtered-campaigns.ts";
import { linkOf } from "../filters/link-url.ts";
import { csvFile } from "../frame/csv-file.ts";
import type { Page } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { campaignColumns } from "./link-campaigns.ts";
import { linksColumns } from "./links-table.ts";
import { type FoundLink, type FoundLinks, readLink, readLinks } from "./read-links.ts";

export function linksFile(context: WebContext): Page {
  return {
    path: paths.web.linksCsv,
    role: "viewer",
    async show(session, request) {
      const url = linkOf(request.query);
      const { found, content } = await filteredCampaigns(context, session, request, {
        path: paths.web.links,
        isFile: true,
        read: (scope, filtered): Promise<FoundLinks | FoundLink> =>
          url === "" ? readLinks(scope, filtered) : readLink(scope, filtered, url),
      });
      const { locale, organization } = session;
      const { page } = found;
      const { filters } = page;
      if ("links" in content)
        return csvFile(csvFileName("links", filters), linksColumns(locale, page, content), [content.links]);
      const ids = content.clicks.map(({ campaignId }) => campaignId);
      const campaigns = readReleased(context.database, organization, ids, context.shutdownSignal);
      return csvFile(csvFileName("link", filters), campaignColumns(session, page, content), campaigns);
    },
  };
}
