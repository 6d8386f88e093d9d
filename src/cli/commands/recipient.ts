// The command `recipient forget`.

import { type Command, InvalidArgumentError } from "commander";
import { normalizeRecipient } from "../../campaign/events/event.ts";
import { forgetRecipient } from "../../counting/campaigns/forget-recipient.ts";
import { counted, printDone } from "../output.ts";
import { outputOf, parseId, type Shell, takeOrganization, withDatabase } from "../shell.ts";
import { finishDeleting } from "./vacuum.ts";

export function addRecipientCommands(group: Command, shell: Shell): void {
  group
    .command("forget")
    .description("Forget a recipient in every campaign; the numbers stay, and later events are ignored there")
    .argument("<ADDRESS>", "the address or id, as it stands in events", parseRecipient)
    .requiredOption("--organization <ID>", "in whose campaigns", parseId)
    .action(async (address: string, { organization: id }: { organization: number }, command: Command) => {
      await withDatabase(shell, async (database) => {
        const { campaigns, quarantined } = await database.transaction(async (queries) =>
          forgetRecipient(queries, await takeOrganization(queries, id), address, shell.now()),
        );
        const rest = await finishDeleting(database);
        const forgotten =
          campaigns.length + quarantined === 0
            ? "Nothing is known of that recipient; is it written as in the events?"
            : `Forgotten in ${counted(campaigns.length, "campaign")}; ${counted(quarantined, "waiting event")} dropped.`;
        const row = { campaigns, quarantined, is_gone: rest === "" };
        printDone(outputOf(shell, command), row, forgotten + rest);
      });
    });
}

function parseRecipient(text: string): string {
  if (normalizeRecipient(text) !== "") return text;
  throw new InvalidArgumentError("An address or id is not blank.");
}
