// Tokens that clients keep and send back: signed, so that only the service can make or change one.

import { createHmac } from "node:crypto";
import { constantTimeEqual } from "./constant-time-equal.ts";

interface TokenKey {
  /** The secret of the organization: a token works for no other one. */
  secret: string;
  /** What the token is for: it works for nothing else. */
  purpose: string;
}

/** 132 bits in base64url. */
const signatureLength = 22;

/** The text and its signature (HMAC-SHA256), joined by a dot. */
export function signToken(text: string, { secret, purpose }: TokenKey): string {
  const hmac = createHmac("sha256", secret).update(`${purpose}\n${text}`);
  return `${text}.${hmac.digest("base64url").slice(0, signatureLength)}`;
}

/** The text of a token. Undefined if it was not signed with this key. */
export function openToken(token: string, key: TokenKey): string | undefined {
  const text = token.slice(0, token.lastIndexOf("."));
  return constantTimeEqual(token, signToken(text, key)) ? text : undefined;
}
