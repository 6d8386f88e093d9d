// Recovery codes: for users who lost their authenticator app. Each works once.

import { hash, randomInt } from "node:crypto";

const recoveryCodeCount = 10;

/** The alphabet lacks letters and digits that are easily mistaken for each other. */
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";

/** `xxxx-xxxx-xxxx-xxxx`: 79 random bits, too many to try against a stolen hash. */
export function newRecoveryCodes(): string[] {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join("");
  return Array.from({ length: recoveryCodeCount }, () => Array.from({ length: 4 }, group).join("-"));
}

/** Returns the code as it is stored: SHA-256 in hex. Case, spaces and dashes make no difference. */
export function hashRecoveryCode(code: string): string {
  return hash("sha256", code.toLowerCase().replaceAll(/[^0-9a-z]/g, ""));
}
