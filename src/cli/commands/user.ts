// The commands `user add|list|change|delete`: the people who may sign in to the web application.

import { type Command, Option } from "commander";
import { type Role, roleNouns, roles } from "../../access/role.ts";
import { formatSentAt } from "../../campaign/calendar/sent-at.ts";
import { AppError } from "../../errors.ts";
import { listeningUrl } from "../../http/start.ts";
import {
  addPerson,
  changePersonsRole,
  type EmailWords,
  removePerson,
  resetPerson,
} from "../../http/web/settings/membership.ts";
import { invitationUrl } from "../../http/web/sign-in/choose-password.ts";
import type { Queries } from "../../storage/database.ts";
import { findUser, listUsers, type User } from "../../storage/users.ts";
import { printDone, printRows } from "../output.ts";
import {
  needOrganization,
  outputOf,
  parseId,
  type Shell,
  settingsOf,
  takeOrganization,
  withDatabase,
} from "../shell.ts";

const roleHelp =
  "viewer: sees numbers, tags, and comments without names; admin: also keeps keys and people, and changes things";

const taken = (email: string) =>
  `email: ${email} is taken by somebody who may sign in already; an email leads to one person only`;
const words: EmailWords = {
  none: (email) => `email: ${email} is not an email address, such as ada@example.com`,
  here: taken,
  elsewhere: taken,
};

export function addUserCommands(group: Command, shell: Shell): void {
  group
    .command("add")
    .description("Let a person sign in; prints the address at which they choose a password, this once")
    .requiredOption("--organization <ID>", "whose numbers they see", parseId)
    .requiredOption("--email <EMAIL>", "what they sign in with")
    .addOption(new Option("--role <ROLE>", roleHelp).choices(roles).default("viewer"))
    .action(async (options: { organization: number; email: string; role: Role }, command: Command) => {
      const { organization: organizationId, email, role } = options;
      const { user, secret } = await withDatabase(shell, (database) =>
        database.transaction(async (queries) => {
          await takeOrganization(queries, organizationId);
          return addPerson(queries, { organizationId, email, role, now: shell.now(), words });
        }),
      );
      printInvitation(shell, command, user, secret);
    });

  group
    .command("list")
    .description("List the people who may sign in")
    .requiredOption("--organization <ID>", "to whose numbers", parseId)
    .action(async ({ organization: id }: { organization: number }, command: Command) => {
      const rows = await withDatabase(shell, (database) =>
        database.snapshot(async (queries) => {
          const { timeZone } = await needOrganization(queries, id);
          return (await listUsers(queries, id)).map((user) => listedRow(user, timeZone, shell.now()));
        }),
      );
      printRows(outputOf(shell, command), rows, "Nobody may sign in to the organization yet.");
    });

  addChangeCommand(group, shell);

  group
    .command("delete")
    .description("Let a person sign in no more; their sessions end at once")
    .requiredOption("--organization <ID>", "whose user", parseId)
    .requiredOption("--id <ID>", "which user", parseId)
    .action(async ({ organization, id }: { organization: number; id: number }, command: Command) => {
      const user = await withDatabase(shell, (database) =>
        database.transaction(async (queries) => {
          const found = await needUser(queries, organization, id);
          await removePerson(queries, found);
          return found;
        }),
      );
      printDone(
        outputOf(shell, command),
        rowOf(user),
        `Deleted user ${id}: ${user.email} may not sign in any more.`,
      );
    });
}

interface ChangeOptions {
  organization: number;
  id: number;
  role?: Role;
  resetPassword?: boolean;
}

function addChangeCommand(group: Command, shell: Shell): void {
  group
    .command("change")
    .description("Give a user another role, or a new address to choose a password at")
    .requiredOption("--organization <ID>", "whose user", parseId)
    .requiredOption("--id <ID>", "which user", parseId)
    .addOption(new Option("--role <ROLE>", roleHelp).choices(roles))
    .option(
      "--reset-password",
      "end the password and all sessions, and print an address to choose a new one at",
    )
    .action(async ({ organization, id, role, resetPassword }: ChangeOptions, command: Command) => {
      if (role === undefined && !resetPassword) {
        command.error("error: say what to change: --role or --reset-password");
      }
      const { user, secret } = await withDatabase(shell, (database) =>
        database.transaction(async (queries) => {
          const found = await needUser(queries, organization, id);
          if (role !== undefined) await changePersonsRole(queries, found, role);
          return {
            user: { ...found, role: role ?? found.role },
            secret: resetPassword ? await resetPerson(queries, found, shell.now()) : undefined,
          };
        }),
      );
      if (secret !== undefined) printInvitation(shell, command, user, secret);
      else
        printDone(
          outputOf(shell, command),
          rowOf(user),
          `Changed user ${id}: ${user.email} is ${roleNouns[user.role]}.`,
        );
    });
}

async function needUser(queries: Queries, organizationId: number, id: number): Promise<User> {
  await takeOrganization(queries, organizationId);
  const user = await findUser(queries, organizationId, id);
  if (user) return user;
  throw new AppError(
    "not_found",
    `organization ${organizationId} has no user ${id}; see "email-analytics user list"`,
  );
}

function printInvitation(shell: Shell, command: Command, user: User, secret: string): void {
  const { PUBLIC_URL, HOST, PORT } = settingsOf(shell);
  const url = invitationUrl(PUBLIC_URL || listeningUrl(HOST, PORT), user.organizationId, secret);
  printDone(
    outputOf(shell, command),
    { ...rowOf(user), url },
    `${url}\nThere ${user.email} (user ${user.id}, ${roleNouns[user.role]}) chooses a password, once, within seven days. The address is never shown again.`,
  );
}

function rowOf({ id, email, role }: User) {
  return { id, email, role };
}

function listedRow(user: User, timeZone: string, now: number) {
  const { hasPassword, inviteExpiresAt = 0, lastVisitAt } = user;
  const password = inviteExpiresAt > now ? "invited" : hasPassword ? "chosen" : "none";
  const lastVisit = lastVisitAt === undefined ? "never" : formatSentAt(lastVisitAt, timeZone);
  return { ...rowOf(user), password, last_visit: lastVisit };
}
