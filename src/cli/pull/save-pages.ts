// Saves the pages of a pull in one transaction.

import { removeCampaign } from "../../counting/campaigns/remove-campaign.ts";
import { FileResult, ImportTotal } from "../../counting/import/import-total.ts";
import { ignoreRollback, Rollback } from "../../counting/import/rollback.ts";
import { saveEntries } from "../../counting/import/save-entries.ts";
import { AppError } from "../../errors.ts";
import { readAllCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { recordCommand, requireOrganizationForUpdate, type Shell, withDatabase } from "../shell/shell.ts";
import type { PageSequence } from "./page-sequence.ts";

/** A service that suddenly has fewer campaigns is more often broken, or the key of another account. */
const maxPrunedShare = 0.1;

export interface PullOptions {
  organization: number;
  /** The base URL of the hosted service. */
  from: URL;
  key: string;
  /** The time as the hosted service takes it; undefined for no limit. */
  sentAfter?: string;
  lastDays?: number;
  /** Whether to delete campaigns that the hosted service does not have. */
  prune?: true;
  /** Whether to delete them even if they are more than a tenth. */
  pruneMany?: true;
  dryRun?: true;
  /** Whether to list all warnings. */
  verbose?: true;
}

interface SaveOptions extends PullOptions {
  /** The campaigns before this time were requested. Milliseconds since 1970. */
  sentBefore: number;
}

interface SavedPages {
  total: ImportTotal;
  /** How many campaigns were pruned. */
  deleted: number;
}

/**
 * Saves nothing if a record has an error, or in a dry run. Pruned campaigns have no recipients, so it does not wipe the
 * database afterwards, which would block writers.
 *
 * @throws AppError `conflict` if it would delete more than the share, unless `pruneMany`
 */
export function savePages(shell: Shell, options: SaveOptions, pages: PageSequence): Promise<SavedPages> {
  return withDatabase(shell, async (database) => {
    let saved: SavedPages = { total: new ImportTotal(), deleted: 0 };
    const saving = database.transactionOf(options.organization, async (scope) => {
      saved = await saveIn(scope, shell.now(), options, pages);
      const { added, changed } = saved.total.outcomes;
      // With --every, most pulls change nothing.
      if (added + changed + saved.deleted > 0) {
        const target = `${options.from.host}: ${added} added, ${changed} changed, ${saved.deleted} deleted`;
        await recordCommand(scope, shell, "campaigns.pull", target);
      }
      if (options.dryRun || saved.total.errorCount > 0) throw new Rollback();
    });
    await saving.catch(ignoreRollback);
    return saved;
  });
}

async function saveIn(
  scope: Scope,
  now: number,
  { sentBefore, prune, pruneMany, dryRun }: SaveOptions,
  pages: PageSequence,
): Promise<SavedPages> {
  const total = new ImportTotal();
  const result = new FileResult(total.warnings);
  const organization = await requireOrganizationForUpdate(scope);
  await saveEntries(scope, organization, pages.entries(), { now, result });
  total.add(result, "");
  if (!prune || total.errorCount > 0) return { total, deleted: 0 };
  // Later campaigns were not requested, and counted ones were never pulled.
  const gone: number[] = [];
  let before = -total.outcomes.added;
  for await (const { campaign, counting } of readAllCampaigns(scope)) {
    if (counting !== null || campaign.sentAt > sentBefore) continue;
    before += 1;
    if (!pages.has(campaign.id)) gone.push(campaign.id);
  }
  if (gone.length > before * maxPrunedShare && !pruneMany && !dryRun) {
    throw new AppError(
      "conflict",
      `--prune would delete ${gone.length} of ${before} campaigns, more than a tenth. Check --from and the key, or add --prune-many. Nothing was saved.`,
    );
  }
  for (const id of gone) await removeCampaign(scope, id, now);
  return { total, deleted: gone.length };
}
