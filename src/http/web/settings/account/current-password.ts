// Asks for the current password before a change of how a user signs in.

import { verifyPassword } from "../../../../access/password.ts";
import { AppError } from "../../../../errors.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { findPasswordHash } from "../../../../storage/users/passwords.ts";
import type { AttemptLimit } from "../../frame/attempt-limit.ts";
import type { Actor } from "../../frame/page.ts";
import { userAsCaller } from "../../sign-in/known-device.ts";
import { inputField } from "../../ui/forms/field.ts";

/** @param name of the field, unique on the page */
export function currentPasswordField({ t }: Locale, problem: string | undefined, name = "password"): Html {
  const attributes = html` type="password" autocomplete="current-password" required`;
  return inputField({ problem }, { name, label: t("account.currentPassword") }, attributes);
}

/**
 * Checks the password, and returns `actor.transaction`, which then refuses if the password was changed meanwhile.
 *
 * @throws AppError `bad_request` if it is wrong, `too_many_requests`
 */
export async function withPassword(
  attemptLimit: AttemptLimit,
  actor: Actor,
  entered: string | null,
): Promise<Actor["transaction"]> {
  const { user, t } = actor;
  const current = await actor.query((scope) => findPasswordHash(scope, user));
  await checkPassword(attemptLimit, actor, entered ?? "", current);
  return (work, audit) =>
    actor.transaction(async (scope, organization) => {
      // An admin may have reset it since it was compared.
      if ((await findPasswordHash(scope, user)) !== current) {
        throw new AppError("conflict", t("account.passwordChangedMeanwhile"));
      }
      return work(scope, organization);
    }, audit);
}

/** Rate-limited like sign-in, to stop password guesses at an unattended browser. */
async function checkPassword(
  attemptLimit: AttemptLimit,
  { hash: session, user, t, format }: Actor,
  enteredPassword: string,
  current: string | undefined,
): Promise<void> {
  const attempt = attemptLimit.startPasswordCheck(session);
  if (typeof attempt === "number") {
    throw new AppError(
      "too_many_requests",
      t("signIn.tooManyAttempts", { wait: format.relativeTime(attempt) }),
    );
  }
  let isRight: boolean;
  try {
    isRight = await verifyPassword(enteredPassword, current, userAsCaller(user));
  } catch (error) {
    attempt.undo();
    throw error;
  }
  if (!isRight) throw new AppError("bad_request", t("account.wrongPassword"));
  attempt.succeeded();
}
