// Authentication for providers that sign nothing: the webhook URL is hard to guess, and the source may also have a
// secret, which the provider sends in the Authorization header.

import { constantTimeEqual } from "../access/constant-time-equal.ts";
import { AppError } from "../errors.ts";
import type { WebhookRequest } from "./provider.ts";

/** @throws AppError `unauthorized` if the source has a secret and the header contains neither it as password nor as token */
export function checkAuthorizationHeader({ headers, secret }: WebhookRequest): undefined {
  if (secret === undefined) return undefined;
  if (constantTimeEqual(parseCredential(headers.authorization ?? ""), secret)) return undefined;
  throw new AppError(
    "unauthorized",
    "The Authorization header does not contain the secret of this source. Send the secret as the Basic password or as the Bearer token.",
  );
}

/** The Bearer token or the Basic password (RFC 6750, RFC 7617); empty for anything else. */
function parseCredential(authorization: string): string {
  const [, token] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
  return token ?? parseBasicCredentials(authorization)?.password ?? "";
}

/** Undefined if the header has no Basic credentials. */
export function parseBasicCredentials(authorization: string): { user: string; password: string } | undefined {
  const [, encoded = ""] = /^basic +(\S+) *$/i.exec(authorization) ?? [];
  const [, user, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, "base64").toString()) ?? [];
  return user === undefined || password === undefined ? undefined : { user, password };
}
