// Challenges for passkeys (WebAuthn): signed, so that only the service can make one, and with the time at which it was made.

import { randomBytes } from "node:crypto";
import { minuteMs } from "../campaign/calendar/durations.ts";
import { openToken, signToken } from "./signed-token.ts";

const lifetimeMs = 5 * minuteMs;

interface ChallengeKey {
  secret: string;
  /** What the challenge is for, and the browser that it was made for. */
  purpose: string;
}

export function makeChallenge(now: number, { secret, purpose }: ChallengeKey): Uint8Array<ArrayBuffer> {
  const text = `${now}.${randomBytes(16).toString("base64url")}`;
  return new Uint8Array(Buffer.from(signToken(text, { secret, purpose: `passkey ${purpose}` })));
}

/**
 * When a challenge was made; undefined if it was not made with this key, or more than five minutes ago.
 *
 * @param challenge in base64url, as browsers return it
 */
export function challengeTime(
  challenge: string,
  now: number,
  { secret, purpose }: ChallengeKey,
): number | undefined {
  const token = Buffer.from(challenge, "base64url").toString();
  const text = openToken(token, { secret, purpose: `passkey ${purpose}` });
  const time = text === undefined ? Number.NaN : Number.parseInt(text, 10);
  return time <= now && now - time < lifetimeMs ? time : undefined;
}
