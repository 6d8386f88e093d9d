// The actions of the people page: add and remove users, change roles, and reset passwords.

import { type Role, roleNouns, roles } from "../../../access/role.ts";
import { parseId } from "../../../campaign/parse-id.ts";
import { AppError } from "../../../errors.ts";
import type { Queries } from "../../../storage/database.ts";
import {
  changeUserRole,
  type EmailMessages,
  inviteNewUser,
  removeUser,
  resetUserPassword,
} from "../../../storage/manage-users.ts";
import { findUser, type User } from "../../../storage/users.ts";
import { html } from "../../html.ts";
import type { AttemptLimit } from "../attempt-limit.ts";
import type { Action, Actor, PageContent } from "../page.ts";
import { inviteLink } from "../sign-in/choose-password.ts";
import { peopleStrings } from "../strings/people.ts";
import { uiStrings } from "../strings/ui.ts";
import { copyButton } from "../ui/copyable.ts";
import { readField, rejectField } from "../ui/form.ts";
import { waitText } from "../ui/wait-text.ts";
import type { WebContext } from "../web-context.ts";

const path = "/settings/people";

/** @returns the actions by the value of the form field `action` */
export function peopleActions(context: WebContext, attemptLimit: AttemptLimit): Record<string, Action> {
  return {
    add: addAction(context, attemptLimit),
    role: roleAction,
    reset: resetAction(context),
    remove: removeAction,
  };
}

const messages: EmailMessages = {
  invalid: peopleStrings.invalidEmail,
  taken: peopleStrings.emailTakenHere,
  takenElsewhere: peopleStrings.emailTakenElsewhere,
};

function addAction(context: WebContext, attemptLimit: AttemptLimit): Action {
  return {
    role: "admin",
    async run(actor, form) {
      const options = {
        organizationId: actor.organization.id,
        email: readField(form, "email"),
        role: readRole(form),
        now: context.now(),
        messages,
      };
      const { user, secret } = await limitConflicts(attemptLimit, actor.organization.id, () =>
        actor.transaction((queries) => inviteNewUser(queries, options)),
      );
      return invitePage(context, user, secret);
    },
  };
}

/** Limits the conflicts of an organization: each tells whether an email belongs to a user of the deployment. */
async function limitConflicts<Result>(
  attemptLimit: AttemptLimit,
  organizationId: number,
  add: () => Promise<Result>,
): Promise<Result> {
  const attempt = attemptLimit.startAddingUser(organizationId);
  if (typeof attempt === "number") {
    throw new AppError("too_many_requests", peopleStrings.tooManyTaken(waitText(attempt)));
  }
  try {
    const result = await add();
    attempt.undo();
    return result;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") attempt.undo();
    throw error;
  }
}

const roleAction: Action = {
  role: "admin",
  async run(actor, form) {
    const role = readRole(form);
    const { id, email } = await withUser(actor, form, async (queries, user) => {
      await changeUserRole(queries, user, role);
      return user;
    });
    // Admins who give up their own role lose access to this page.
    const losesAccess = id === actor.user.id && role !== "admin";
    const notice = peopleStrings.roleChanged(email, roleNouns[role]);
    return { notice, redirectTo: losesAccess ? "/settings/account" : path };
  },
};

function resetAction(context: WebContext): Action {
  return {
    role: "admin",
    async run(actor, form) {
      const { user, secret } = await withUser(actor, form, async (queries, found) => {
        // It would end the session in which the invite link is shown.
        if (found.id === actor.user.id) throw new AppError("conflict", peopleStrings.resetOwn);
        return { user: found, secret: await resetUserPassword(queries, found, context.now()) };
      });
      return invitePage(context, user, secret);
    },
  };
}

const removeAction: Action = {
  role: "admin",
  async run(actor, form) {
    const { email } = await withUser(actor, form, async (queries, user) => {
      await removeUser(queries, user, { keepsLast: true });
      return user;
    });
    return { notice: peopleStrings.removed(email), redirectTo: path };
  },
};

/** Runs a transaction with the user that the form names. @throws AppError `not_found` */
function withUser<Result>(
  actor: Actor,
  form: URLSearchParams,
  work: (queries: Queries, user: User) => Promise<Result>,
): Promise<Result> {
  return actor.transaction(async (queries) => {
    const id = parseId(readField(form, "user"));
    const user = id === undefined ? undefined : await findUser(queries, actor.organization.id, id);
    if (!user) throw new AppError("not_found", peopleStrings.notFound);
    return work(queries, user);
  });
}

/** Shows an invite link, once: only a hash of its secret is stored. */
function invitePage({ publicUrl }: WebContext, { organizationId, email }: User, secret: string): PageContent {
  const body = html`<section class="card">
<p>${peopleStrings.inviteIntro}</p>
<p><output id="invitation" class="code">${inviteLink(publicUrl(), organizationId, secret)}</output></p>
<div class="row">${copyButton("invitation", peopleStrings.inviteLabel)}
<a href="${path}">${peopleStrings.backToPeople}</a></div></section>`;
  return { title: peopleStrings.inviteTitle(email), body };
}

function readRole(form: URLSearchParams): Role {
  const text = readField(form, "role");
  return roles.find((each) => each === text) ?? rejectField(peopleStrings.role, text, uiStrings.oneOf(roles));
}
