// Device tokens: a browser proves that a user signed in from it before. See OWASP, "Slow Down Online Guessing Attacks with
// Device Cookies".

import { createHmac } from "node:crypto";
import { constantTimeEqual } from "./constant-time-equal.ts";

export interface KnownDevice {
  organizationId: number;
  userId: number;
}

const tokenPattern = /^([1-9]\d{0,14})\.([1-9]\d{0,14})\.[\w-]{43}$/;

/** @param secret of the organization and the user: it ends with the user's password and second factor */
export function makeDeviceToken(organizationId: number, userId: number, secret: string): string {
  const body = `${organizationId}.${userId}`;
  return `${body}.${signatureOf(body, secret)}`;
}

/** The device that a token names, which is proved only if {@link isGenuineDeviceToken}; undefined if it is no token. */
export function parseDeviceToken(token: string): KnownDevice | undefined {
  const [, organizationId, userId] = tokenPattern.exec(token) ?? [];
  if (userId === undefined) return undefined;
  return { organizationId: Number(organizationId), userId: Number(userId) };
}

/** Whether the token was made with this secret. */
export function isGenuineDeviceToken(token: string, secret: string): boolean {
  const end = token.lastIndexOf(".");
  return constantTimeEqual(token.slice(end + 1), signatureOf(token.slice(0, end), secret));
}

function signatureOf(body: string, secret: string): string {
  // The prefix separates these signatures from other uses of the secret.
  return createHmac("sha256", secret).update(`device\n${body}`).digest("base64url");
}
