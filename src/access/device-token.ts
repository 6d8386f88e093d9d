// Device tokens: a browser proves that a user signed in from it before. See OWASP, "Slow Down Online Guessing Attacks with
// Device Cookies".

import { createHmac, randomBytes } from "node:crypto";
import { constantTimeEqual } from "./constant-time-equal.ts";

export interface KnownDevice {
  organizationId: number;
  userId: number;
  /** Random. */
  id: string;
}

const tokenPattern = /^([1-9]\d{0,14})\.([1-9]\d{0,14})\.([\w-]{22})\.[\w-]{43}$/;

/** @param secret of the organization */
export function makeDeviceToken(organizationId: number, userId: number, secret: string): string {
  const body = `${organizationId}.${userId}.${randomBytes(16).toString("base64url")}`;
  return `${body}.${signatureOf(body, secret)}`;
}

/** The device that a token names, which is proved only if {@link isGenuineDeviceToken}; undefined if it is no token. */
export function parseDeviceToken(token: string): KnownDevice | undefined {
  const [, organizationId, userId, id] = tokenPattern.exec(token) ?? [];
  if (id === undefined) return undefined;
  return { organizationId: Number(organizationId), userId: Number(userId), id };
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
