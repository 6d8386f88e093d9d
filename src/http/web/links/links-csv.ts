// The links of a request as CSV, in the order of the page.

import { AppError } from "../../../errors.ts";
import type { MostClickedLinksReader } from "../../../listing/reports/most-clicked-links.ts";
import { paths } from "../../paths.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import { filteredCampaigns } from "../filters/filtered-campaigns.ts";
import type { Page } from "../page.ts";
import { csvFile, csvNumber, csvTitle, csvUnits } from "../ui/csv-file.ts";
import type { WebContext } from "../web-context.ts";
import { readLinks } from "./read-links.ts";

export function linksFile(context: WebContext, reader: MostClickedLinksReader): Page {
  return {
    path: paths.web.linksCsv,
    role: "viewer",
    async show(session, request) {
      const { organization, locale } = session;
      const { link, clicks, share, campaigns } = locale.strings.links;
      const found = await filteredCampaigns(context, session, request, { path: paths.web.links });
      if (found.problem !== undefined) throw new AppError("bad_request", found.problem);
      const { filters } = found.page;
      const { traffic } = filters;
      const { links, total } = await readLinks(reader, organization, found);
      const rows = links.map((each) => {
        const rate = total[traffic] > 0 ? each[traffic] / total[traffic] : null;
        return [each.url, each[traffic], csvNumber("rate", rate), each.campaigns];
      });
      const header = [link, clicks, csvTitle(share, csvUnits.rate), campaigns];
      return csvFile(csvFileName("links", filters), header, [rows]);
    },
  };
}
