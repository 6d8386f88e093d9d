// The command `recipient forget`.

import type { Command } from "commander";
import { forgetRecipient } from "../counting/forget-recipient.ts";
import { printDone } from "./output.ts";
import { needOrganization, outputOf, parseId, type Shell, withDatabase } from "./shell.ts";

export function addRecipientCommands(group: Command, shell: Shell): void {
  group
    .command("forget")
    .description("Forget a recipient in every campaign; the numbers stay, and later events are ignored there")
    .argument("<ADDRESS>", "the address or id, as it stands in events")
    .requiredOption("--organization <ID>", "in whose campaigns", parseId)
    .action(async (address: string, { organization: id }: { organization: number }, command: Command) => {
      await withDatabase(shell, async (database) => {
        const { campaigns, setAside } = await database.write(async (queries) =>
          forgetRecipient(queries, await needOrganization(queries, id), address),
        );
        const isGone = await database.shrink();
        printDone(
          outputOf(shell, command),
          { campaigns, set_aside: setAside, is_gone: isGone },
          `Forgotten in ${campaigns.length} ${campaigns.length === 1 ? "campaign" : "campaigns"}; ${setAside} waiting events dropped.${isGone ? "" : " Readers hold up the last step: traces may stay in the -wal file until it is written anew; run the command again."}`,
        );
      });
    });
}
