// The commands `user add|list|change|delete`: the users of the web application.

import { type Command, Option } from "commander";
import { type Role, roleNouns, roles } from "../../../access/role.ts";
import { formatSentAt } from "../../../campaign/calendar/sent-at.ts";
import { inviteLink } from "../../../http/web/sign-in/choose-password.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import {
  changeUserRole,
  inviteNewUser,
  removeUser,
  resetSecondFactor,
  resetUserPassword,
  type UserMessages,
} from "../../../storage/users/manage-users.ts";
import { listUsers, type User } from "../../../storage/users/users.ts";
import { findNamed, parseIdOrName } from "../../shell/options.ts";
import { addListCommand, organizationCommand, writing } from "../../shell/organization-command.ts";
import { printResult } from "../../shell/output.ts";
import { publicUrlOf, warnWithoutPublicUrl } from "../../shell/public-url.ts";
import { outputOf, type Shell, writeOfOrganization } from "../../shell/shell.ts";

export function addTo(group: Command, shell: Shell): void {
  defineAdd(group, shell);
  addListCommand(group, shell, {
    description: "List the users of an organization",
    read: async (scope, { timeZone }) =>
      (await listUsers(scope)).map((user) => listedRow(user, timeZone, shell.now())),
    whenEmpty: "The organization has no users.",
  });
  defineChange(group, shell);
  defineDelete(group, shell);
}

const roleHelp =
  "viewer: sees numbers, tags, and comments without names; admin: also manages keys, users and settings";

const takenMessage = (email: string) =>
  `email: a user with the email ${email} already exists; an email belongs to one user only`;
export const messages: UserMessages = {
  invalid: (email) => `email: ${email} is not an email address, such as ada@example.com`,
  taken: takenMessage,
  takenElsewhere: takenMessage,
  lastAdmin: (email) => `${email} is the last admin. Make another user an admin first.`,
};

function defineAdd(group: Command, shell: Shell): void {
  organizationCommand(group, "add", "Add a user and print their invite link. It is shown only once.")
    .requiredOption("--email <EMAIL>", "email address of the user")
    .addOption(new Option("--role <ROLE>", roleHelp).choices(roles).default("viewer"))
    .action(async (options: { organization: number; email: string; role: Role }, command: Command) => {
      const { organization: organizationId, email, role } = options;
      const { user, secret } = await writeOfOrganization(shell, organizationId, async (scope, record) => {
        const wanted = { email, role, now: shell.now(), messages };
        const invited = await inviteNewUser(scope, wanted);
        const target = `${invited.user.email}, ${role}`;
        await record("user.invite", target);
        return invited;
      });
      printInvite(shell, command, user, secret);
    });
}

interface ChangeUserOptions {
  organization: number;
  id: number | string;
  role?: Role;
  resetPassword?: boolean;
  resetSecondFactor?: boolean;
}

function defineChange(group: Command, shell: Shell): void {
  organizationCommand(group, "change", "Change the role of a user, or reset their password or second factor")
    .requiredOption("--id <ID|EMAIL>", "the user", parseIdOrName)
    .addOption(new Option("--role <ROLE>", roleHelp).choices(roles))
    .option("--reset-password", "delete the password, end all sessions and print a new invite link")
    .option(
      "--reset-second-factor",
      "remove the authenticator app and the recovery codes, and end all sessions",
    )
    .action(async (options: ChangeUserOptions, command: Command) => {
      const { organization, id, role, resetPassword } = options;
      if (role === undefined && !resetPassword && !options.resetSecondFactor) {
        command.error("error: nothing to change; pass --role, --reset-password or --reset-second-factor");
      }
      const { user, secret } = await writeOfOrganization(shell, organization, async (scope, record) => {
        const user = await requireUser(scope, id);
        if (role !== undefined) {
          await changeUserRole(scope, user, role, messages);
          await record("user.change", `${user.email}, ${role}`);
        }
        if (options.resetSecondFactor) {
          await resetSecondFactor(scope, user);
          await record("second-factor.reset", user.email);
        }
        if (resetPassword) await record("user.reset", user.email);
        return {
          user: { ...user, role: role ?? user.role },
          secret: resetPassword ? await resetUserPassword(scope, user, shell.now()) : undefined,
        };
      });
      if (secret !== undefined) return printInvite(shell, command, user, secret);
      const sentence = `Changed user ${user.id}: ${user.email} is ${roleNouns[user.role]}.`;
      printResult(outputOf(shell, command), rowOf(user), sentence);
    });
}

function defineDelete(group: Command, shell: Shell): void {
  organizationCommand(group, "delete", "Delete a user. Their sessions end immediately.")
    .requiredOption("--id <ID|EMAIL>", "the user", parseIdOrName)
    .action(
      writing(shell, async (scope, { id }: { organization: number; id: number | string }, record) => {
        const user = await requireUser(scope, id);
        await removeUser(scope, user, messages);
        await record("user.delete", user.email);
        return [rowOf(user), `Deleted user ${user.id}: ${user.email} can no longer sign in.`];
      }),
    );
}

async function requireUser(scope: Scope, wanted: number | string): Promise<User> {
  const all = (await listUsers(scope)).map((user) => ({ ...user, name: user.email }));
  return findNamed(all, wanted, { what: "user", organization: scope.organizationId });
}

export function printInvite(shell: Shell, command: Command, user: User, secret: string): void {
  const url = inviteLink(publicUrlOf(shell), user.organizationId, secret);
  printResult(
    outputOf(shell, command),
    { ...rowOf(user), url },
    url,
    `Send this invite link to ${user.email} (user ${user.id}, ${roleNouns[user.role]}), who chooses a password with it. It works once, within seven days, and is not shown again.`,
  );
  warnWithoutPublicUrl(shell, "invite link", "users");
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
