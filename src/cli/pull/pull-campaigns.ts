// One pull: fetches all pages of a hosted service, and then saves all of them or nothing.

import { join } from "node:path";
import { dayMs } from "../../campaign/calendar/durations.ts";
import { AppError } from "../../errors.ts";
import { lockFile } from "../../storage/file-lock.ts";
import type { Organization } from "../../storage/organizations.ts";
import type { Output } from "../output.ts";
import { readOfOrganization, type Shell } from "../shell.ts";
import { checkTimeZone } from "./check-time-zone.ts";
import { HostedService } from "./hosted-service.ts";
import { isoSeconds } from "./iso-seconds.ts";
import { printPulled } from "./print-pulled.ts";
import { openPullFolder, pullIdentity } from "./pull-folder.ts";
import { PullProgress } from "./pull-progress.ts";
import { PulledPages } from "./pulled-pages.ts";
import { RequestBudget } from "./request-budget.ts";
import { savePages } from "./save-pages.ts";

export interface PullOptions {
  organizationId: number;
  /** The base URL of the hosted service. */
  from: URL;
  key: string;
  /** Whether the service may have a private IP address. */
  allowsPrivate: boolean;
  /** As the hosted service takes it; undefined for no limit. */
  sentAfter: string | undefined;
  lastDays: number | undefined;
  requestsPerHour: number;
  /** Whether to delete campaigns that the hosted service does not have. */
  isPruned: boolean;
  dryRun: boolean;
}

const perPage = "100";

/**
 * @param signal stops the pull. The pages that it has fetched are kept.
 * @returns the exit code
 * @throws AppError if nothing was saved; the message says why and what to do
 */
export async function pullCampaigns(
  shell: Shell,
  output: Output,
  options: PullOptions,
  signal: AbortSignal,
): Promise<number> {
  const { organizationId } = options;
  const organization = await readOfOrganization(shell, organizationId, async (_queries, found) => found);
  const folder = openPullFolder(shell, organization);
  const lock = join(folder, "lock");
  const unlock = lockFile(lock);
  if (!unlock) {
    throw new AppError(
      "conflict",
      `another pull of organization ${organizationId} is running; it has locked ${lock}`,
    );
  }
  const progress = new PullProgress(output, shell.now);
  try {
    const budget = new RequestBudget(join(folder, "requests"), options.requestsPerHour, shell.now());
    const pages = await openPages(folder, organization, options, shell.now());
    const onWait = (why: string, until: number) => progress.showWait(why, until);
    const service = new HostedService({ ...options, budget, shell, signal, onWait });
    const run = { shell, output, organization, pages, service, budget, progress, signal };
    const warnings = await fetchPages(run).finally(() => service.close());
    progress.showSaving();
    const saved = await savePages(shell, options, pages);
    for (const warning of warnings) saved.total.warnings.addNotice(warning);
    if (!options.dryRun || saved.total.errorCount > 0) await pages.discard();
    progress.clear();
    printPulled(output, options, { ...saved, requests: service.requests });
    return saved.total.errorCount > 0 ? 1 : 0;
  } finally {
    progress.clear();
    unlock();
  }
}

function openPages(
  folder: string,
  organization: Organization,
  { from, key, sentAfter, lastDays }: PullOptions,
  now: number,
): Promise<PulledPages> {
  const after = lastDays === undefined ? sentAfter : isoSeconds(now - lastDays * dayMs);
  return PulledPages.open(folder, {
    identity: pullIdentity(organization, JSON.stringify([from.href, key, sentAfter, lastDays])),
    startedAt: now,
    query: { sent_before: isoSeconds(now), ...(after !== undefined && { sent_after: after }) },
  });
}

interface PullRun {
  shell: Shell;
  output: Output;
  organization: Organization;
  pages: PulledPages;
  service: HostedService;
  budget: RequestBudget;
  progress: PullProgress;
  signal: AbortSignal;
}

/**
 * Fetches the pages that are missing.
 *
 * @returns warnings
 */
async function fetchPages(run: PullRun): Promise<string[]> {
  const { pages, signal } = run;
  try {
    return await fetchMissing(run);
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict") {
      await pages.discard();
      throw error;
    }
    const { pages: fetched, totalPages } = pages.sequence;
    const kept = `The pages so far (${fetched} of ${totalPages}) are kept for a day: run pull again to continue.`;
    const outcome = `Nothing was saved.${fetched === 0 ? "" : ` ${kept}`}`;
    if (error instanceof AppError) throw new AppError(error.code, `${error.message} ${outcome}`, error.cause);
    if (signal.aborted) throw new AppError("unavailable", `The pull was stopped. ${outcome}`);
    throw error;
  }
}

async function fetchMissing(run: PullRun): Promise<string[]> {
  const { output, pages } = run;
  const { sequence } = pages;
  if (pages.isResumed && sequence.pages > 0 && !output.json) {
    output.stderr.write(`Continuing after page ${sequence.pages} of ${sequence.totalPages}.\n`);
  }
  for (let number = 1; number <= sequence.pages || !sequence.isComplete; number++) {
    if (number > sequence.pages) await fetchNext(run);
    await verifyTimeZone(run, number);
  }
  return pages.checked?.warning === undefined ? [] : [pages.checked.warning];
}

async function fetchNext({ shell, pages, service, budget, progress }: PullRun): Promise<void> {
  const { sequence, query } = pages;
  await pages.add(await service.page({ ...query, per_page: perPage, page: String(sequence.pages + 1) }));
  const totalPages = sequence.totalPages ?? 0;
  const left = budget.timeFor(totalPages - sequence.pages, service.requestMs, shell.now());
  progress.showPages(sequence.pages, totalPages, left);
}

async function verifyTimeZone(
  { output, organization, pages, service, progress }: PullRun,
  number: number,
): Promise<void> {
  const { timeZone } = organization;
  // Again if the organization has another time zone than when the pages were fetched.
  const before = pages.checked?.timeZone === timeZone ? pages.checked : undefined;
  if (before?.warning !== undefined) return;
  const seasons = before?.seasons ?? [];
  const emails = await pages.emails(number);
  const check = await checkTimeZone(emails, timeZone, seasons, (window) => service.page(window));
  if (seasons.length === 0 && check.note !== undefined && !output.json) {
    progress.clear();
    output.stderr.write(`${check.note}\n`);
  }
  if (before && check.seasons.length === seasons.length) return;
  await pages.saveChecked({ timeZone, warning: check.warning, seasons: check.seasons });
}
