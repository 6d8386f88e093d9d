// The campaigns of the list as CSV, read from the database while it is sent: its columns, order and filters, and the numbers
// of the traffic that it shows.

import { type Selection, selectCampaigns } from "../../../listing/numbers/select.ts";
import { sortSelection } from "../../../listing/numbers/sort-selection.ts";
import { findCampaigns } from "../../../storage/campaigns/campaigns.ts";
import { paths } from "../../paths.ts";
import { toNumbersFilter } from "../filters/filters.ts";
import type { Page, WebSession } from "../page.ts";
import { csvFile } from "../ui/csv-file.ts";
import type { WebContext } from "../web-context.ts";
import { csvCells, csvHeader, sortColumnOf } from "./campaign-columns.ts";
import { inOrder } from "./campaigns-list.ts";
import { type CampaignsRequest, readCampaignsRequest } from "./campaigns-url.ts";

/** Rows per query: writing their lines takes a few milliseconds. */
const batchSize = 250;

/** All campaigns of the list, not only those of its page. */
export function campaignsFile(context: WebContext): Page {
  return {
    path: paths.web.campaignsCsv,
    role: "viewer",
    async show(session, { query }) {
      const { request, defaults, numbers } = await readCampaignsRequest(context, session, query);
      const selection = selectCampaigns(numbers, toNumbersFilter(request.filters, defaults));
      const shown = shownWith(session, request);
      const batches = rowBatches(context, session, request, selection);
      return csvFile("campaigns.csv", csvHeader(request.columns, shown), batches);
    },
  };
}

function shownWith({ locale, organization }: WebSession, { filters }: CampaignsRequest) {
  return { locale, timeZone: organization.timeZone, traffic: filters.traffic };
}

async function* rowBatches(
  { database, shutdownSignal: signal }: WebContext,
  session: WebSession,
  request: CampaignsRequest,
  selection: Selection,
): AsyncGenerator<unknown[][]> {
  const shown = shownWith(session, request);
  const { traffic } = request.filters;
  const entries = sortSelection(selection, traffic, {
    ...{ column: sortColumnOf(request.sort), isAscending: request.isAscending },
    ...{ offset: 0, limit: selection.size },
  });
  for (let from = 0; from < entries.length; from += batchSize) {
    signal?.throwIfAborted();
    const ids = entries.slice(from, from + batchSize).map(({ id }) => id);
    const found = await database.query((queries) => findCampaigns(queries, session.organization.id, ids));
    yield inOrder(found, ids).map((stored) => csvCells(request.columns, stored, shown));
  }
}
