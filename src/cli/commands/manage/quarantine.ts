// The commands `quarantine list|replay|discard`: events that could not be counted.

import { type Command, Option } from "commander";
import { describeQuarantined } from "../../../access/audit-actions.ts";
import type { CampaignReference } from "../../../campaign/events/event.ts";
import { pluralize } from "../../../campaign/fields/pluralize.ts";
import { problems } from "../../../counting/events/problems.ts";
import { replayQuarantined } from "../../../counting/events/replay.ts";
import { deleteQuarantined } from "../../../storage/quarantine/delete-quarantined.ts";
import type { QuarantineFilter } from "../../../storage/quarantine/quarantine-filter.ts";
import { parseReference } from "../../quarantine/campaign-reference.ts";
import { readEach, readSummary } from "../../quarantine/read-quarantine.ts";
import { confirmed, organizationCommand, writing } from "../../shell/organization-command.ts";
import { printRows } from "../../shell/output.ts";
import { outputOf, readOfOrganization, type Shell } from "../../shell/shell.ts";

interface QuarantineCommandOptions {
  organization: number;
  campaign?: CampaignReference;
  reason?: QuarantineFilter["reason"];
}

export function addTo(group: Command, shell: Shell): void {
  defineList(group, shell);
  defineReplay(group, shell);
  defineDiscard(group, shell);
}

function defineList(group: Command, shell: Shell): void {
  defineFiltered(group, "list", "List quarantined events by campaign and reason")
    .option("--each", "list every event with its error message")
    .action(async ({ each, ...options }: QuarantineCommandOptions & { each?: boolean }, command: Command) => {
      const output = outputOf(shell, command);
      const read = each ? readEach : readSummary;
      const rows = await readOfOrganization(shell, options.organization, (scope, organization) =>
        read(scope, organization, filterOf(options), output),
      );
      printRows(output, rows, "There are no quarantined events.");
    });
}

function defineReplay(group: Command, shell: Shell): void {
  const description = "Count the quarantined events that can be counted now. The others stay quarantined.";
  defineFiltered(group, "replay", description).action(
    writing(shell, async (scope, options: QuarantineCommandOptions, record, organization) => {
      await record("quarantine.replay", describeQuarantined(filterOf(options)));
      const replayed = await replayQuarantined(scope, organization, filterOf(options), shell.now());
      const { accepted, repeated, quarantined, ignored } = replayed;
      return [
        { accepted, repeated, quarantined, ignored },
        `Replayed: ${accepted} counted, ${repeated} already counted, ${ignored} ignored (campaign closed or recipient forgotten), ${quarantined} still quarantined.`,
      ];
    }),
  );
}

function defineDiscard(group: Command, shell: Shell): void {
  const command = defineFiltered(group, "discard", "Delete quarantined events without counting them");
  confirmed(command, "this deletes events that were never counted").action(
    writing(shell, async (scope, options: QuarantineCommandOptions, record) => {
      await record("quarantine.discard", describeQuarantined(filterOf(options)));
      const discarded = await deleteQuarantined(scope, filterOf(options));
      return [{ discarded }, `Discarded ${pluralize(discarded, "event")}.`];
    }),
  );
}

const reasons = Object.entries(problems).flatMap(([name, { isQuarantined }]) => (isQuarantined ? name : []));

/** A command for the quarantined events of an organization, or for some of them. */
function defineFiltered(group: Command, name: string, description: string): Command {
  return organizationCommand(group, name, description)
    .option(
      "--campaign <ID>",
      "only this campaign: its ID, or its external ID in double quotes",
      parseReference,
    )
    .addOption(new Option("--reason <REASON>", "only this reason").choices(reasons));
}

function filterOf({ campaign, reason }: QuarantineCommandOptions): QuarantineFilter {
  return { campaigns: campaign === undefined ? undefined : [campaign], reason };
}
