// Group commit: runs several jobs in one transaction, so that they share one sync to disk.

import { AppError } from "../../errors.ts";
import { lockOrganization, type Organization } from "../../storage/organizations/organizations.ts";
import type { Queries } from "../../storage/queries/queries.ts";
import { Scope } from "../../storage/queries/scope.ts";
import { ingestBatches } from "../events/ingest-events.ts";
import type { PreparedEvents, PreparedJob } from "./jobs.ts";

/** Counting the jobs together would give one of them another result than running it alone. */
class CannotShareCommit extends Error {}

/**
 * Runs jobs one after the other in one transaction.
 *
 * @returns the result of each job, in their order
 * @throws AppError of a job that fails. After any error, the caller has to run each job alone
 */
export async function groupCommit(queries: Queries, jobs: readonly PreparedJob[]): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const run of groupRuns(jobs)) {
    const [first] = run as [PreparedJob, ...PreparedJob[]];
    const scope = new Scope(queries, first.organizationId);
    const organization = await lockOrganization(scope);
    if (!organization) throw new AppError("unauthorized", "The organization was deleted.");
    const events = run.flatMap((job) => job.events ?? []);
    if (events.length === 0) results.push(await first.write?.(scope, organization));
    else results.push(...(await ingestTogether(scope, organization, events)));
  }
  return results;
}

/** Groups consecutive jobs of one organization that only ingest events. */
function groupRuns(jobs: readonly PreparedJob[]): PreparedJob[][] {
  const runs: PreparedJob[][] = [];
  for (const job of jobs) {
    const previous = runs.at(-1)?.at(-1);
    const isSameRun = previous?.events && job.events && previous.organizationId === job.organizationId;
    if (isSameRun) runs.at(-1)?.push(job);
    else runs.push([job]);
  }
  return runs;
}

async function ingestTogether(
  scope: Scope,
  organization: Organization,
  events: readonly PreparedEvents[],
): Promise<unknown[]> {
  const batches = events.map(({ classify }) => classify(organization));
  const { options } = events.at(-1) as PreparedEvents;
  const counts = await ingestBatches(scope, organization, batches, options);
  // One job fills the quarantine; the others must not be refused for it.
  if (counts.length > 1 && counts.some(({ refused }) => refused > 0)) throw new CannotShareCommit();
  const results: unknown[] = [];
  for (const [index, each] of counts.entries()) results.push(await events[index]?.finish(scope, each));
  return results;
}
