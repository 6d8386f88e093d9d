// Writes what several jobs bring within one transaction.

import { AppError } from "../../errors.ts";
import type { Queries } from "../../storage/database.ts";
import { lockOrganization, type Organization } from "../../storage/organizations.ts";
import { ingestBatches } from "../events/ingest-events.ts";
import type { PreparedJob, Result } from "./jobs.ts";

/** Several jobs that were written like one would have gone other ways alone. */
class NotTogether extends Error {}

/**
 * Does several jobs, one after the other, within one transaction.
 *
 * @returns what became of each
 * @throws Refusal that one of them gives, or an error where each has to be tried alone
 */
export async function groupCommit(queries: Queries, works: readonly PreparedJob[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const some of inRow(works)) {
    const [first] = some as [PreparedJob, ...PreparedJob[]];
    const organization = await lockOrganization(queries, first.organizationId);
    if (!organization) throw new AppError("unauthorized", "The organization was deleted.");
    if (some.length === 1) results.push(await first.write(queries, organization));
    else results.push(...(await writeEvents(queries, organization, some)));
  }
  return results;
}

/** Jobs of one organization that do nothing but bring events stay together. */
function inRow(works: readonly PreparedJob[]): PreparedJob[][] {
  const rows: PreparedJob[][] = [];
  for (const work of works) {
    const before = rows.at(-1)?.at(-1);
    const isAlike = before?.events && work.events && before.organizationId === work.organizationId;
    if (isAlike) rows.at(-1)?.push(work);
    else rows.push([work]);
  }
  return rows;
}

async function writeEvents(
  queries: Queries,
  organization: Organization,
  works: readonly PreparedJob[],
): Promise<Result[]> {
  const events = works.flatMap((work) => work.events ?? []);
  const batches = events.map(({ arrivals }) => arrivals(organization));
  const { options } = events.at(-1) as NonNullable<PreparedJob["events"]>;
  const results = await ingestBatches(queries, organization, batches, options);
  // What fills the quota is one job's fault, and not that of the others.
  if (results.some(({ refused }) => refused > 0)) throw new NotTogether();
  for (const [place, result] of results.entries()) await events[place]?.finish(queries, result);
  return results.map((result, place) => events[place]?.toResult(result) as Result);
}
