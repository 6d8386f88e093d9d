// The campaigns of the list as CSV, read from the database while it is sent: its columns, order and filters, and the numbers
// of the traffic that it shows.

import { readReleased } from "../../../../listing/find-released.ts";
import { sortCampaigns } from "../../../../listing/sums/campaign-values.ts";
import { sumsFilterOf } from "../../../../listing/sums/page-filters.ts";
import { paths } from "../../../../paths.ts";
import { csvFileName } from "../../filters/csv-file-name.ts";
import { csvFile } from "../../frame/csv-file.ts";
import type { Page } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { sortKeyOf } from "../campaign-columns.ts";
import { readCampaignsRequest } from "../campaigns-url.ts";
import { csvColumns } from "./csv-columns.ts";

/** All campaigns of the list, not only those of its page. */
export function campaignsFile(context: WebContext): Page {
  return {
    path: paths.web.campaignsCsv,
    role: "viewer",
    show(session, { query }) {
      const { id } = session.organization;
      return context.database.snapshotOf(id, async (scope) => {
        const { request, defaults } = await readCampaignsRequest(scope, session, query, context.now());
        const filter = await sumsFilterOf(scope, request.filters, defaults);
        const order = { by: sortKeyOf(request.sort), isAscending: request.isAscending };
        const sorted = await sortCampaigns(scope, filter, order);
        const { locale, organization } = session;
        const shown = { locale, timeZone: organization.timeZone, traffic: filter.traffic };
        const ids = sorted.map((each) => each.id);
        const campaigns = readReleased(context.database, organization, ids, context.shutdownSignal);
        const file = csvFileName("campaigns", request.filters);
        return csvFile(file, csvColumns(request.columns, shown), campaigns);
      });
    },
  };
}
