// One pull: fetches all pages of a hosted service, and then saves all of them or nothing.

import { dayMs } from "../../campaign/calendar/durations.ts";
import type { ImportTotal } from "../../counting/import/import-total.ts";
import { AppError } from "../../errors.ts";
import type { Organization } from "../../storage/organizations.ts";
import { describeOutcomes, printErrors, printWarnings } from "../import/print-imported-campaigns.ts";
import { type Output, printResult } from "../output.ts";
import { readOfOrganization, type Shell } from "../shell.ts";
import { checkTimeZone } from "./check-time-zone.ts";
import { HostedService } from "./hosted-service.ts";
import { isoSeconds } from "./iso-seconds.ts";
import { PageSequence } from "./page-sequence.ts";
import { PullProgress } from "./pull-progress.ts";
import type { RequestBudget } from "./request-budget.ts";
import { savePages } from "./save-pages.ts";

export interface PullOptions {
  organizationId: number;
  /** The base URL of the hosted service. */
  from: URL;
  key: string;
  /** As the hosted service takes it; undefined for no limit. */
  sentAfter: string | undefined;
  lastDays: number | undefined;
  /** Of all pulls of this process. */
  budget: RequestBudget;
  /** Whether to delete campaigns that the hosted service does not have. */
  isPruned: boolean;
  dryRun: boolean;
  /** Whether to list all warnings. */
  verbose: boolean;
}

const perPage = "100";

/**
 * @param signal stops the pull
 * @returns the exit code
 * @throws AppError if nothing was saved; the message says why and what to do
 */
export async function pullCampaigns(
  shell: Shell,
  output: Output,
  options: PullOptions,
  signal: AbortSignal,
): Promise<number> {
  const { organizationId, sentAfter, lastDays } = options;
  const organization = await readOfOrganization(shell, organizationId, async (_queries, found) => found);
  const now = shell.now();
  const after = lastDays === undefined ? sentAfter : isoSeconds(now - lastDays * dayMs);
  // Fixed, so that pages do not shift when a campaign is sent.
  const query = { sent_before: isoSeconds(now), ...(after !== undefined && { sent_after: after }) };
  const progress = new PullProgress(output, shell.now);
  const onWait = (why: string, until: number) => progress.showWait(why, until);
  const service = new HostedService({ ...options, shell, signal, onWait });
  const pages = new PageSequence();
  try {
    const run = { ...options, shell, output, organization, query, pages, service, progress };
    const warning = await fetchPages(run).catch((error) => {
      throw nothingSaved(error, signal);
    });
    progress.showSaving();
    const saved = await savePages(shell, { ...options, sentBefore: Date.parse(query.sent_before) }, pages);
    if (warning !== undefined) saved.total.warnings.addNotice(warning);
    progress.clear();
    printPulled(output, options, { ...saved, requests: service.requests });
    return saved.total.errorCount > 0 ? 1 : 0;
  } finally {
    progress.clear();
  }
}

function nothingSaved(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof AppError) {
    // A conflict says so itself.
    if (error.code === "conflict") return error;
    return new AppError(error.code, `${error.message} Nothing was saved.`, error.cause);
  }
  return signal.aborted ? new AppError("unavailable", "The pull was stopped. Nothing was saved.") : error;
}

interface PullRun {
  shell: Shell;
  output: Output;
  organization: Organization;
  query: Record<string, string>;
  pages: PageSequence;
  service: HostedService;
  budget: RequestBudget;
  progress: PullProgress;
}

/** @returns a warning */
async function fetchPages(run: PullRun): Promise<string | undefined> {
  const { output, organization, pages, service, progress } = run;
  const first = await fetchNext(run);
  const check = await checkTimeZone(first, organization.timeZone, (window) => service.page(window));
  if (check && !output.json) {
    progress.clear();
    output.stderr.write(`${check.note}\n`);
  }
  while (!pages.isComplete) await fetchNext(run);
  return check?.warning;
}

async function fetchNext({ shell, query, pages, service, budget, progress }: PullRun): Promise<unknown[]> {
  const page = await service.page({ ...query, per_page: perPage, page: String(pages.pages + 1) });
  const emails = pages.add(page);
  const left = budget.timeFor(pages.totalPages - pages.pages, service.requestMs, shell.now());
  progress.showPages(pages.pages, pages.totalPages, left);
  return emails;
}

function printPulled(
  output: Output,
  { dryRun, isPruned, verbose }: { dryRun: boolean; isPruned: boolean; verbose: boolean },
  { total, deleted, requests }: { total: ImportTotal; deleted: number; requests: number },
): void {
  printErrors(output, total, "nothing was saved");
  const isSaved = total.errorCount === 0;
  const row = {
    ...total.outcomes,
    deleted: isSaved ? deleted : 0,
    requests,
    warnings: total.warnings.sentences(),
  };
  const verb = dryRun ? "Validated, nothing written" : "Pulled";
  const pruned = isPruned ? `, ${row.deleted} deleted` : "";
  printResult(output, row, `${verb}: ${describeOutcomes(total)}${pruned}.`);
  printWarnings(output, total, verbose);
}
