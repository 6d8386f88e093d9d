// The command `recount`: compares the numbers of counted campaigns with their recipients.

import type { Command } from "commander";
import { pluralize } from "../../campaign/pluralize.ts";
import { recountCampaign } from "../../counting/events/recount.ts";
import type { Database, Queries } from "../../storage/database.ts";
import { findOpenLedgers } from "../../storage/ledgers.ts";
import { findOrganization, listOrganizations, lockOrganization } from "../../storage/organizations.ts";
import { organizationOption, parseIdOption } from "../options.ts";
import { type Output, printRows } from "../output.ts";
import { progressBar } from "../progress-bar.ts";
import { outputOf, recordCommand, requireOrganization, type Shell, withDatabase } from "../shell.ts";

export function addRecountCommand(command: Command, shell: Shell, setExitCode: (code: number) => void): void {
  command
    .option(organizationOption[0], "recount only the campaigns of this organization", parseIdOption)
    .option("--repair", "correct the numbers that have drifted")
    .action(async ({ organization: only, repair: isRepaired = false }: RecountOptions, running: Command) => {
      const output = outputOf(shell, running);
      const found = await withDatabase(shell, (database) =>
        recountAll(database, output, { only, isRepaired, now: shell.now }),
      );
      printFindings(output, found, isRepaired);
      const { drifts, unreadable } = found;
      setExitCode(unreadable.length > 0 || (drifts.length > 0 && !isRepaired) ? 1 : 0);
    });
}

interface RecountOptions {
  organization?: number;
  repair?: boolean;
}

interface Findings {
  /** How many campaigns were recounted. */
  campaigns: number;
  drifts: object[];
  /** Names of campaigns whose recipients cannot be read. */
  unreadable: string[];
}

/** One transaction for each campaign, so that writers do not wait for all of them, and damage in one hides no other. */
async function recountAll(
  database: Database,
  output: Output,
  { only, isRepaired, now }: { only: number | undefined; isRepaired: boolean; now: () => number },
): Promise<Findings> {
  const organizations = await database.snapshot(async (queries) =>
    only === undefined ? listOrganizations(queries) : [await requireOrganization(queries, only)],
  );
  const found: Findings = { campaigns: 0, drifts: [], unreadable: [] };
  const bar = progressBar(output);
  try {
    for (const { id } of organizations) {
      const open = await database.snapshot((queries) => findOpenLedgers(queries, id));
      for (const [index, { campaignId }] of open.entries()) {
        const name = `organization ${id}, campaign ${campaignId}`;
        bar.show(index / open.length, name);
        const options = { organizationId: id, campaignId, isRepaired, now: now() };
        const drifts = await recountOne(database, options);
        if (drifts) found.drifts.push(...drifts);
        else found.unreadable.push(name);
      }
      found.campaigns += open.length;
    }
  } finally {
    bar.clear();
  }
  return found;
}

/** @returns the numbers that have drifted, none if the organization was deleted; undefined if a recipient cannot be read */
async function recountOne(
  database: Database,
  {
    organizationId,
    campaignId,
    isRepaired,
    now,
  }: { organizationId: number; campaignId: number; isRepaired: boolean; now: number },
): Promise<object[] | undefined> {
  const recount = (repair: boolean) => async (queries: Queries) => {
    const organization = await (repair ? lockOrganization : findOrganization)(queries, organizationId);
    if (!organization) return [];
    const drifts = await recountCampaign(queries, organization, campaignId, { isRepaired: repair, now });
    if (repair && drifts.length > 0) {
      const shell = { now: () => now };
      await recordCommand(queries, shell, organizationId, "numbers.repair", `campaign ${campaignId}`);
    }
    return drifts;
  };
  try {
    let found = await database.snapshot(recount(false));
    // Only a campaign that needs a repair is locked.
    if (isRepaired && found.length > 0) found = await database.transaction(recount(true));
    return found.map((drift) => ({ organization: organizationId, ...drift }));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function printFindings(
  output: Output,
  { campaigns, drifts, unreadable }: Findings,
  isRepaired: boolean,
): void {
  const recounted = `Recounted ${pluralize(campaigns, "campaign")}`;
  const allCorrect =
    campaigns === 0 ? "There are no open counted campaigns." : `${recounted}: all numbers are correct.`;
  if (drifts.length > 0 || unreadable.length === 0) printRows(output, drifts, allCorrect);
  if (drifts.length > 0 && !output.json) {
    const outcome = isRepaired ? "repaired" : 'wrong; run "email-analytics recount --repair"';
    output.stderr.write(`${recounted}: ${pluralize(drifts.length, "number")} ${outcome}.\n`);
  }
  for (const name of unreadable) {
    output.stderr.write(`error: ${name}: a recipient is unreadable; the database is damaged\n`);
  }
}
