// The links of a request as CSV, in the order of the page.

import { paths } from "../../../paths.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import { filteredCampaigns } from "../filters/filtered-campaigns.ts";
import { csvFile } from "../frame/csv-file.ts";
import type { Page } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { linksColumns } from "./links-table.ts";
import { readLinks } from "./read-links.ts";

export function linksFile(context: WebContext): Page {
  return {
    path: paths.web.linksCsv,
    role: "viewer",
    async show(session, request) {
      const options = { path: paths.web.links, isFile: true, read: readLinks };
      const { found, content } = await filteredCampaigns(context, session, request, options);
      const { filters } = found.page;
      const columns = linksColumns(session.locale, filters, content);
      return csvFile(csvFileName("links", filters), columns, [content.links]);
    },
  };
}
