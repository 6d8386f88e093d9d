// One pull: fetches all pages of a hosted service, and then saves all of them or nothing.

import { dayMs, secondMs } from "../../campaign/calendar/durations.ts";
import { AppError } from "../../errors.ts";
import { printImportedCampaigns } from "../import/print-imported-campaigns.ts";
import type { Output } from "../shell/output.ts";
import { progressBar } from "../shell/progress-bar.ts";
import { readOfOrganization, type Shell } from "../shell/shell.ts";
import { checkTimeZone } from "./check-time-zone.ts";
import { HostedService } from "./hosted-service.ts";
import { isoSeconds } from "./iso-seconds.ts";
import { PageSequence } from "./page-sequence.ts";
import { type PullOptions, savePages } from "./save-pages.ts";

const perPage = "100";
/** Shorter waits get no line. */
const longWaitMs = 10 * secondMs;

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
  const { sentAfter, lastDays, prune } = options;
  const { timeZone } = await readOfOrganization(shell, options.organization, async (_, found) => found);
  const now = shell.now();
  const after = lastDays === undefined ? sentAfter : isoSeconds(now - lastDays * dayMs);
  // Fixed, so that pages do not shift when a campaign is sent.
  const query = { sent_before: isoSeconds(now), ...(after !== undefined && { sent_after: after }) };
  const bar = progressBar(output);
  const pages = new PageSequence();
  const show = (note = "") => {
    const { totalPages } = pages;
    const share = totalPages === 0 ? 0 : pages.pages / totalPages;
    bar.show(share, `${totalPages === 0 ? "first page" : `page ${pages.pages} of ${totalPages}`}${note}`);
  };
  const onWait = (why: string, ms: number) => {
    const wait = `waiting until ${isoSeconds(shell.now() + ms)}: ${why}`;
    show(`; ${wait}`);
    if (!output.stderr.isTTY && ms >= longWaitMs) output.stderr.write(`After page ${pages.pages}, ${wait}\n`);
  };
  const service = new HostedService({ ...options, shell, signal, onWait });
  try {
    const fetchNext = async () => {
      const page = await service.page({ ...query, per_page: perPage, page: String(pages.pages + 1) });
      const emails = pages.add(page);
      show();
      return emails;
    };
    const fetchAll = async () => {
      const found = await checkTimeZone(await fetchNext(), timeZone, (window) => service.page(window));
      while (!pages.isComplete) await fetchNext();
      return found;
    };
    const check = await fetchAll().catch((error) => {
      throw nothingSaved(error, signal);
    });
    bar.show(1, "saving");
    const { total, deleted } = await savePages(
      shell,
      { ...options, sentBefore: Date.parse(query.sent_before) },
      pages,
    );
    if (check?.warning !== undefined) total.warnings.addNotice(check.warning);
    bar.clear();
    printImportedCampaigns(output, options, total, {
      verb: "Pulled",
      consequence: "nothing was saved",
      row: { deleted, requests: service.requests },
      more: prune ? `, ${deleted} deleted` : "",
      note: check?.note,
    });
    return total.errorCount > 0 ? 1 : 0;
  } finally {
    bar.clear();
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
