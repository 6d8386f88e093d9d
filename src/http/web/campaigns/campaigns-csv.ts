// The campaigns that match the filters as CSV, read from the database while it is sent. The numbers are those of the list,
// with the traffic that it shows.

import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { TrafficFilter } from "../../../campaign/events/traffic.ts";
import { csvLine } from "../../../formats/csv.ts";
import { type Selection, selectCampaigns } from "../../../listing/numbers/select.ts";
import { findCampaigns } from "../../../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { paths } from "../../paths.ts";
import { toNumbersFilter } from "../filters/filters.ts";
import type { Page } from "../page.ts";
import type { WebContext } from "../web-context.ts";
import { csvCells, csvHeader } from "./campaign-columns.ts";
import { inOrder } from "./campaigns-list.ts";
import { readCampaignsRequest } from "./campaigns-url.ts";

/** Rows per query: writing their lines takes a few milliseconds. */
const batchSize = 250;

/** All campaigns of the list and all of its columns, newest first. */
export function campaignsFile(context: WebContext): Page {
  const { database, shutdownSignal: signal } = context;
  return {
    path: paths.web.campaignsCsv,
    role: "viewer",
    async show(session, { query }) {
      const { request, defaults, numbers } = await readCampaignsRequest(context, session, query);
      const selection = selectCampaigns(numbers, toNumbersFilter(request.filters, defaults));
      const find = (ids: number[]) =>
        database.query((queries) => findCampaigns(queries, session.organization.id, ids));
      const lines = csvLines(selection, request.filters.traffic, find, signal);
      return { file: "campaigns.csv", type: "text/csv; charset=utf-8", body: Readable.from(lines) };
    },
  };
}

async function* csvLines(
  selection: Selection,
  traffic: TrafficFilter,
  find: (ids: number[]) => Promise<StoredCampaign[]>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  yield csvLine(csvHeader);
  for (const ids of newestFirst(selection)) {
    signal?.throwIfAborted();
    const campaigns = inOrder(await find(ids), ids);
    yield campaigns.map((stored) => csvLine(csvCells(stored, traffic))).join("");
    await nextTurn();
  }
}

function* newestFirst({ parts }: Selection): Generator<number[]> {
  for (const { chunk, positions } of parts.toReversed()) {
    const ids = Array.from(positions, (position) => chunk.ids[position] as number).reverse();
    for (let from = 0; from < ids.length; from += batchSize) yield ids.slice(from, from + batchSize);
  }
}
