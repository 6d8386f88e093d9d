// The second factor of a user, in columns of the table `users`: the secret of an authenticator app, and recovery codes.

import { hashRecoveryCode } from "../../access/recovery-codes.ts";
import { stepOfCode } from "../../access/totp.ts";
import type { Scope } from "../queries/scope.ts";
import { saveUser, type Who } from "./users.ts";

export interface SecondFactor {
  secret: string;
  /** The last step of the app's codes that was accepted. */
  step: number;
  /** The hashes of the codes that were not used yet. */
  recoveryHashes: readonly string[];
}

/** Undefined if the user has none. */
export async function findSecondFactor(scope: Scope, { id }: Who): Promise<SecondFactor | undefined> {
  const row = await scope
    .from("users")
    .select(["totp_secret", "totp_step", "recovery_hashes"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row || row.totp_secret === null) return undefined;
  const recoveryHashes = JSON.parse(row.recovery_hashes ?? "[]") as string[];
  return { secret: row.totp_secret, step: row.totp_step ?? 0, recoveryHashes };
}

/** What a user proves to sign in, as text. It changes with the password and with the app of the second factor. */
export async function findCredentials(scope: Scope, { id }: Who): Promise<string> {
  const row = await scope
    .from("users")
    .select(["password", "totp_secret"])
    .where("id", "=", id)
    .executeTakeFirst();
  return `${row?.password}\n${row?.totp_secret}`;
}

export async function saveSecondFactor(
  scope: Scope,
  user: Who,
  { secret, step, recoveryHashes }: SecondFactor,
): Promise<void> {
  const recovery = JSON.stringify(recoveryHashes);
  await saveUser(scope, user, { totp_secret: secret, totp_step: step, recovery_hashes: recovery });
}

export async function removeSecondFactor(scope: Scope, user: Who): Promise<void> {
  await saveUser(scope, user, { totp_secret: null, totp_step: null, recovery_hashes: null });
}

/**
 * Uses up a code of the app, or a recovery code. The organization must be locked: two sign-ins with one code would both find
 * it unused.
 *
 * @returns how many recovery codes are left if the code was one of them; undefined if the code is wrong or was used
 */
export async function useSecondFactor(
  scope: Scope,
  user: Who,
  code: string,
  now: number,
): Promise<{ recoveryCodesLeft?: number } | undefined> {
  const factor = await findSecondFactor(scope, user);
  if (!factor) return undefined;
  const step = stepOfCode(factor.secret, code.replaceAll(/\s/g, ""), { now, after: factor.step });
  if (step !== undefined) {
    await saveSecondFactor(scope, user, { ...factor, step });
    return {};
  }
  const hashed = hashRecoveryCode(code);
  const left = factor.recoveryHashes.filter((each) => each !== hashed);
  if (left.length === factor.recoveryHashes.length) return undefined;
  await saveSecondFactor(scope, user, { ...factor, recoveryHashes: left });
  return { recoveryCodesLeft: left.length };
}
