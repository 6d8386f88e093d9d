// The campaigns of the list as CSV, read from the database while it is sent: its columns, order and filters, and the numbers
// of the traffic that it shows.

import { findReleased, inOrder } from "../../../../listing/find-released.ts";
import { sortCampaigns } from "../../../../listing/sums/campaign-values.ts";
import { findTeamAverages } from "../../../../listing/sums/team-averages.ts";
import { paths } from "../../../../paths.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import { findValues } from "../../../../storage/sums/find-values.ts";
import { csvFileName } from "../../filters/csv-file-name.ts";
import { csvFile } from "../../frame/csv-file.ts";
import type { Page, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { comparedRates, sortKeyOf } from "../campaign-columns.ts";
import { findListFilter, readCampaignsRequest } from "../campaigns-url.ts";
import { csvCells, csvHeader } from "./csv-columns.ts";

/** Rows per query: writing their lines takes a few milliseconds. */
const batchSize = 250;

/** All campaigns of the list, not only those of its page. */
export function campaignsFile(context: WebContext): Page {
  return {
    path: paths.web.campaignsCsv,
    role: "viewer",
    show(session, { query }) {
      const { id } = session.organization;
      return context.database.snapshotOf(id, async (scope) => {
        const { request, defaults } = await readCampaignsRequest(scope, session, query, context.now());
        const filter = await findListFilter(scope, request, defaults);
        const order = { by: sortKeyOf(request.sort), isAscending: request.isAscending };
        const sorted = await sortCampaigns(scope, filter, order);
        const options = { names: comparedRates(request.columns), traffic: filter.traffic };
        const isCompared = options.names.length > 0;
        const teams = isCompared ? await findValues<string | null>(scope, filter, "team") : [];
        const compared = teams.map(({ value, ...campaign }) => ({ ...campaign, team: value }));
        const { locale, organization } = session;
        const shown = {
          locale,
          timeZone: organization.timeZone,
          traffic: filter.traffic,
          averages: await findTeamAverages(scope, compared, options),
        };
        const header = csvHeader(request.columns, shown);
        const ids = sorted.map((each) => each.id);
        const rows = rowBatches(context, session, ids, (stored) => csvCells(request.columns, stored, shown));
        return csvFile(csvFileName("campaigns", request.filters), header, rows);
      });
    },
  };
}

async function* rowBatches(
  { database, shutdownSignal: signal }: WebContext,
  session: WebSession,
  ids: readonly number[],
  toCells: (stored: StoredCampaign) => unknown[],
): AsyncGenerator<unknown[][]> {
  for (let from = 0; from < ids.length; from += batchSize) {
    signal?.throwIfAborted();
    const batch = ids.slice(from, from + batchSize);
    const campaigns = await database.queryOf(session.organization.id, (scope) =>
      findReleased(scope, session.organization, batch),
    );
    yield inOrder(campaigns, batch).map(toCells);
  }
}
