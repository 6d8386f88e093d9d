// The command `recount`: holds the numbers of counted campaigns against what their recipients have done.

import type { Command } from "commander";
import { recountCampaign } from "../../counting/events/recount.ts";
import type { Database, Queries } from "../../storage/database.ts";
import { findOpenLedgers } from "../../storage/ledgers.ts";
import { listOrganizations } from "../../storage/organizations.ts";
import { counted, type Output, printRows } from "../output.ts";
import { progressBar } from "../progress-bar.ts";
import { needOrganization, outputOf, parseId, type Shell, takeOrganization, withDatabase } from "../shell.ts";

export function addRecountCommand(command: Command, shell: Shell, exit: (code: number) => void): void {
  command
    .description("Count every counted campaign again; exit 1 when a number has drifted and was not repaired")
    .option("--organization <ID>", "only its campaigns", parseId)
    .option("--repair", "put right what has drifted")
    .action(async (options: RecountOptions, running: Command) => {
      await withDatabase(shell, async (database) => {
        const { drifted, unreadable } = await recountAll(database, outputOf(shell, running), {
          ...options,
          now: shell.now,
        });
        exit(unreadable > 0 || (drifted > 0 && !options.repair) ? 1 : 0);
      });
    });
}

interface RecountOptions {
  organization?: number;
  repair?: boolean;
}

/** Campaign by campaign, so that nobody waits for all of them, and a damaged one does not hide the others. */
async function recountAll(
  database: Database,
  output: Output,
  { organization: only, repair: isRepaired = false, now }: RecountOptions & { now: () => number },
): Promise<{ drifted: number; unreadable: number }> {
  const organizations = await database.snapshot(async (queries) =>
    only === undefined ? listOrganizations(queries) : [await needOrganization(queries, only)],
  );
  const drifts: object[] = [];
  const unreadable: string[] = [];
  let campaigns = 0;
  for (const { id } of organizations) {
    const open = await database.snapshot((queries) => findOpenLedgers(queries, id));
    const bar = progressBar(output);
    for (const [index, { campaignId }] of open.entries()) {
      bar.show(index / open.length, `organization ${id}, campaign ${campaignId}`);
      const recount = (repair: boolean) => async (queries: Queries) => {
        const organization = await (repair ? takeOrganization : needOrganization)(queries, id);
        return recountCampaign(queries, organization, campaignId, { isRepaired: repair, now: now() });
      };
      try {
        let found = await database.snapshot(recount(false));
        // Only where there is something to repair does anybody have to wait.
        if (isRepaired && found.length > 0) found = await database.transaction(recount(true));
        drifts.push(...found.map((drift) => ({ organization: id, ...drift })));
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        unreadable.push(`organization ${id}, campaign ${campaignId}`);
      }
    }
    bar.clear();
    campaigns += open.length;
  }
  const recounted = `Recounted ${counted(campaigns, "campaign")}`;
  const allRight =
    campaigns === 0 ? "No campaign is open and counted." : `${recounted}: every number is right.`;
  if (drifts.length > 0 || unreadable.length === 0) printRows(output, drifts, allRight);
  if (drifts.length > 0 && !output.json) {
    const what = isRepaired ? "repaired" : 'wrong; run "email-analytics recount --repair"';
    output.stderr.write(`${recounted}: ${counted(drifts.length, "number")} ${what}.\n`);
  }
  for (const campaign of unreadable) {
    output.stderr.write(
      `error: ${campaign}: what a recipient has done cannot be read; the database is damaged\n`,
    );
  }
  return { drifted: drifts.length, unreadable: unreadable.length };
}
