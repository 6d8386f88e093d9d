// Providers that sign nothing: the address is what nobody can guess, and a password or token may stand in the header
// `Authorization` as well.

import { AppError } from "../errors.ts";
import { isSameText } from "./fields.ts";
import type { Webhook } from "./provider.ts";

/** @throws Refusal `unauthorized` where there is a secret, and it is neither the password nor the bearer token */
export function admitByAuthorization({ headers, secret }: Webhook): undefined {
  if (secret === undefined || isSameText(credentialOf(headers.authorization ?? ""), secret)) return undefined;
  throw new AppError(
    "unauthorized",
    "The header Authorization has not the secret of this source, neither as Basic password nor as Bearer token.",
  );
}

function credentialOf(authorization: string): string {
  const [, scheme = "", rest = ""] = /^(\S+) +(\S+) *$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === "bearer") return rest;
  if (scheme.toLowerCase() !== "basic") return "";
  return /^[^:]*:(.*)$/s.exec(Buffer.from(rest, "base64").toString())?.[1] ?? "";
}
