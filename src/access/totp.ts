// Codes of an authenticator app: TOTP (RFC 6238) with SHA-1, six digits and steps of 30 seconds, which all apps know.

import { Secret, TOTP } from "otpauth";

const stepMs = 30_000;

/** 160 random bits in base32, as RFC 4226 recommends. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

export const isTotpSecret = (text: string): boolean => /^[A-Z2-7]{32}$/.test(text);

/** The URI that an app reads from a QR code. */
export function totpUri(secret: string, { issuer, label }: { issuer: string; label: string }): string {
  return new TOTP({ secret, issuer, label }).toString();
}

/**
 * The step of a code, one before and one after the current one included: clocks of phones are off. Each step is accepted
 * once, so that someone who watched a code being typed cannot use it.
 *
 * @param after the last step that was accepted
 * @returns undefined if the code is wrong or its step is not later than `after`
 */
export function stepOfCode(
  secret: string,
  code: string,
  { now, after }: { now: number; after: number },
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = new TOTP({ secret }).validate({ token: code, timestamp: now, window: 1 });
  if (delta === null) return undefined;
  const step = Math.floor(now / stepMs) + delta;
  return step > after ? step : undefined;
}
