// The campaigns of the list as CSV, read from the database while it is sent: its columns, order and filters, and the numbers
// of the traffic that it shows.

import type { CoveredRateName } from "../../../campaign/sum-rates.ts";
import type { NumbersTable } from "../../../listing/numbers/numbers-table.ts";
import { type Selection, selectCampaigns } from "../../../listing/numbers/select.ts";
import { type SortedEntry, sortSelection } from "../../../listing/numbers/sort-selection.ts";
import { usualRatesOf } from "../../../listing/numbers/usual-rates.ts";
import { findCampaigns } from "../../../storage/campaigns/campaigns.ts";
import { paths } from "../../paths.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import { toNumbersFilter } from "../filters/filters.ts";
import type { Page, WebSession } from "../page.ts";
import { csvFile } from "../ui/csv-file.ts";
import type { WebContext } from "../web-context.ts";
import { comparedRates, csvCells, csvHeader, type ShownWith, sortKeyOf } from "./campaign-columns.ts";
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
      const header = csvHeader(request.columns, shownWith(session, request, noUsual));
      const file = csvFileName("campaigns", request.filters);
      return csvFile(file, header, rowBatches(context, session, request, { numbers, selection }));
    },
  };
}

function shownWith(
  { locale, organization }: WebSession,
  { filters }: CampaignsRequest,
  usual: ShownWith["usual"],
): ShownWith {
  return { locale, timeZone: organization.timeZone, traffic: filters.traffic, usual };
}

const noUsual = { of: () => null };

async function* rowBatches(
  { database, shutdownSignal: signal }: WebContext,
  session: WebSession,
  request: CampaignsRequest,
  { numbers, selection }: { numbers: NumbersTable; selection: Selection },
): AsyncGenerator<unknown[][]> {
  const { traffic } = request.filters;
  const entries = sortSelection(selection, traffic, {
    by: await sortKeyOf(request.sort, { numbers, selection, traffic }),
    isAscending: request.isAscending,
    ...{ offset: 0, limit: selection.size },
  });
  const usual = new Map<CoveredRateName, Float64Array>();
  for (const name of comparedRates(request.columns)) {
    usual.set(name, await usualRatesOf(numbers, selection, traffic, name));
  }
  for (let from = 0; from < entries.length; from += batchSize) {
    signal?.throwIfAborted();
    const batch = entries.slice(from, from + batchSize);
    const ids = batch.map(({ id }) => id);
    const found = await database.query((queries) => findCampaigns(queries, session.organization.id, ids));
    const shown = shownWith(session, request, usualIn(batch, usual));
    yield inOrder(found, ids).map((stored) => csvCells(request.columns, stored, shown));
  }
}

/** @param usual of each selected campaign */
function usualIn(
  batch: readonly SortedEntry[],
  usual: ReadonlyMap<CoveredRateName, Float64Array>,
): ShownWith["usual"] {
  const indexes = new Map(batch.map(({ id, index }) => [id, index]));
  return {
    of(id, name) {
      const rate = usual.get(name)?.[indexes.get(id) ?? -1];
      return rate === undefined || Number.isNaN(rate) ? null : rate;
    },
  };
}
