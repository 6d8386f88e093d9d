// The command `recipient forget`: erases a recipient, and keeps the numbers.

import { type Command, InvalidArgumentError } from "commander";
import { normalizeRecipient } from "../../../campaign/events/parse-event.ts";
import { pluralize } from "../../../campaign/fields/pluralize.ts";
import { forgetRecipient } from "../../../counting/campaigns/forget-recipient.ts";
import { finishDeleting } from "../../shell/finish-deleting.ts";
import { confirmOption, organizationOption } from "../../shell/options.ts";
import { printResult } from "../../shell/output.ts";
import {
  outputOf,
  recordCommand,
  requireOrganizationForUpdate,
  type Shell,
  withDatabase,
} from "../../shell/shell.ts";

interface ForgetOptions {
  organization: number;
  yes?: boolean;
}

export function addRecipientCommands(group: Command, shell: Shell): void {
  group
    .command("forget")
    .description(
      "Forget a recipient in all campaigns. The numbers stay, and later events of the recipient are ignored.",
    )
    .argument("<ADDRESS>", "the email address or ID, as in your events", parseRecipient)
    .addOption(organizationOption)
    .option(...confirmOption)
    .action(async (address: string, { organization: id, yes }: ForgetOptions, command: Command) => {
      if (!yes) {
        command.error(
          "error: this deletes the recipient's address, comments and answers; add --yes to confirm",
        );
      }
      await withDatabase(shell, async (database) => {
        const { campaigns, quarantined, wasInDirectory } = await database.transactionOf(id, async (scope) => {
          const organization = await requireOrganizationForUpdate(scope);
          const forgotten = await forgetRecipient(scope, organization, address, shell.now());
          // The entry leaves the address out, because the audit log would keep it.
          const target = pluralize(forgotten.campaigns.length, "campaign");
          await recordCommand(scope, shell, "recipient.forget", target);
          return forgotten;
        });
        const warning = await finishDeleting(database);
        const sentence =
          campaigns.length + quarantined === 0 && !wasInDirectory
            ? "No data of this recipient was found. Check that the address is written as in your events."
            : `Forgotten in ${pluralize(campaigns.length, "campaign")}; ${pluralize(quarantined, "quarantined event")} deleted${wasInDirectory ? ", removed from the directory" : ""}.`;
        const row = { campaigns, quarantined, directory: wasInDirectory, is_gone: warning === "" };
        printResult(outputOf(shell, command), row, sentence + warning);
      });
    });
}

function parseRecipient(text: string): string {
  if (normalizeRecipient(text) !== "") return text;
  throw new InvalidArgumentError("An address or ID must not be blank.");
}
