// The command `recipient forget`: erases a recipient, and keeps the numbers.

import type { Command } from "commander";
import { normalizeRecipient } from "../../../campaign/events/parse-event.ts";
import { pluralize } from "../../../campaign/fields/pluralize.ts";
import { forgetRecipient } from "../../../counting/campaigns/forget-recipient.ts";
import { finishDeleting } from "../../shell/finish-deleting.ts";
import { accepting } from "../../shell/options.ts";
import { confirmed, organizationCommand } from "../../shell/organization-command.ts";
import { printResult } from "../../shell/output.ts";
import { outputOf, type Shell, withDatabase, writeOfOrganization } from "../../shell/shell.ts";

export function addTo(group: Command, shell: Shell): void {
  const command = organizationCommand(
    group,
    "forget",
    "Forget a recipient in all campaigns. The numbers stay, and later events of the recipient are ignored.",
  ).argument("<ADDRESS>", "the email address or ID, as in your events", parseRecipient);
  confirmed(command, "this deletes the recipient's address, comments and answers").action(
    async (address: string, { organization: id }: { organization: number }) => {
      const result = await writeOfOrganization(shell, id, async (scope, record, organization) => {
        const forgotten = await forgetRecipient(scope, organization, address, shell.now());
        // The entry leaves the address out, because the audit log would keep it.
        await record("recipient.forget", pluralize(forgotten.campaigns.length, "campaign"));
        return forgotten;
      });
      const warning = await withDatabase(shell, finishDeleting);
      const { campaigns, quarantined, wasInDirectory } = result;
      const sentence =
        campaigns.length + quarantined === 0 && !wasInDirectory
          ? "No data of this recipient was found. Check that the address is written as in your events."
          : `Forgotten in ${pluralize(campaigns.length, "campaign")}; ${pluralize(quarantined, "quarantined event")} deleted${wasInDirectory ? ", removed from the directory" : ""}.`;
      const row = { campaigns, quarantined, directory: wasInDirectory, is_gone: warning === "" };
      printResult(outputOf(shell, command), row, sentence + warning);
    },
  );
}

const parseRecipient = accepting(
  (text) => normalizeRecipient(text) !== "",
  "An address or ID must not be blank.",
);
