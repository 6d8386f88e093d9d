// The command `init`: adds the first organization and its first admin, as the set-up page does.

import type { Command } from "commander";
import { AppError } from "../../errors.ts";
import { Scope } from "../../storage/queries/scope.ts";
import { addFirstOrganization } from "../../storage/users/manage-users.ts";
import { parseName } from "../shell/options.ts";
import { recordCommand, type Shell, withDatabase } from "../shell/shell.ts";
import { parseTimeZone } from "./manage/organization.ts";
import { messages, printInvite } from "./manage/user.ts";

export function addTo(command: Command, shell: Shell): void {
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
              const wanted = { name, timeZone, email, now: shell.now(), messages };
              const invited = await addFirstOrganization(queries, wanted);
              if (!invited) {
                throw new AppError(
                  "conflict",
                  'there is an organization already; "organization add" and "user add" add more',
                );
              }
              const { organizationId, email: admin } = invited.user;
              const scope = new Scope(queries, organizationId);
              await recordCommand(scope, shell, "organization.add", name);
              await recordCommand(scope, shell, "user.invite", `${admin}, admin`);
              return invited;
            }),
          { mayCreate: true },
        );
        printInvite(shell, own, user, secret);
      },
    );
}
