// The command `init`: adds the first organization and its first admin, as the set-up page does.

import type { Command } from "commander";
import { AppError } from "../../errors.ts";
import { inviteNewUser } from "../../storage/manage-users.ts";
import { addOrganization, listOrganizations } from "../../storage/organizations.ts";
import { parseName } from "../options.ts";
import { recordCommand, type Shell, withDatabase } from "../shell.ts";
import { parseTimeZone } from "./organization.ts";
import { messages, printInvite } from "./user.ts";

export function addInitCommand(command: Command, shell: Shell): void {
  command
    .requiredOption("--name <NAME>", "name of the organization", parseName)
    .requiredOption("--email <EMAIL>", "email address of its first admin")
    .option("--time-zone <IANA>", "its time zone, such as Europe/Berlin", parseTimeZone, "UTC")
    .action(
      async ({ name, email, timeZone }: { name: string; email: string; timeZone: string }, own: Command) => {
        const { user, secret } = await withDatabase(
          shell,
          (database) =>
            database.transaction(async (queries) => {
              const [existing] = await listOrganizations(queries);
              if (existing) {
                throw new AppError(
                  "conflict",
                  `organization ${existing.id} (${existing.name}) exists; "organization add" and "user add" add more`,
                );
              }
              const now = shell.now();
              const { id } = await addOrganization(queries, { name, timeZone, now });
              await recordCommand(queries, shell, id, "organization.add", name);
              const wanted = { organizationId: id, email, role: "admin", now, messages } as const;
              const invited = await inviteNewUser(queries, wanted);
              await recordCommand(queries, shell, id, "user.invite", `${invited.user.email}, admin`);
              return invited;
            }),
          { mayCreate: true },
        );
        printInvite(shell, own, user, secret);
      },
    );
}
