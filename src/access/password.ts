// Passwords: strength rules, and the slow hash that the database stores.

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { type Caller, limitFairly } from "../limits/limit-fairly.ts";

/** The length in Unicode characters. */
export const passwordLength = { min: 12, max: 200 } as const;

/** The scrypt cost of new hashes: about 32 MiB and 0.1 s. Every hash stores its own cost, so this can be raised. */
const cost = { log2N: 15, r: 8, p: 3 } as const;
type Cost = { log2N: number; r: number; p: number };
const saltBytes = 16;
const hashBytes = 32;

/** Only this many UTF-16 units of a password are ever processed. */
const maxUnits = 1_000;

/** Common passwords of at least the minimum length, in lower case. */
const commonPasswords = new Set(
  `123456789012 1234567890123 12345678901234 123456789012345 1234567890123456 12345678910a 123123123123 012345678910
111222333444 1q2w3e4r5t6y 1qaz2wsx3edc 1qaz2wsx3edc4rfv q1w2e3r4t5y6 qwertyuiop12 qwertyuiop123 qwertyuiop[] qwerty123456
qwerty1234567 qwertyqwerty qwertyuiopasdf abcdefghijkl abcd12345678 abc123abc123 abcdefg12345 password1234 password12345
password123456 passwordpassword password123! p@ssw0rd1234 passw0rd1234 mypassword123 iloveyou1234 iloveyouiloveyou
administrator administrator1 admin1234567 admin12345678 adminadminadmin welcome12345 welcome123456 letmein12345
letmeinletmein changeme1234 changemechangeme changeme12345 secret123456 trustno1trustno1 correcthorsebatterystaple
email-analytics emailanalytics`.split(/\s+/),
);

/** NFC, so that a password matches no matter how a keyboard composes its letters. */
function normalize(password: string): string {
  return password.slice(0, maxUnits).toWellFormed().normalize("NFC");
}

/** Why a new password is too weak: its length, it is the email address, or it is common. */
type PasswordWeakness = "short" | "long" | "email" | "common";

/** Returns why a new password is too weak, and its length in Unicode characters; undefined if it is strong enough. */
export function findPasswordWeakness(
  password: string,
  email: string,
): { weakness: PasswordWeakness; length: number } | undefined {
  const text = normalize(password);
  const length = [...text].length;
  const weakness = weaknessOf(text, { length, isCut: password.length > maxUnits, email });
  return weakness && { weakness, length };
}

function weaknessOf(
  text: string,
  { length, isCut, email }: { length: number; isCut: boolean; email: string },
): PasswordWeakness | undefined {
  if (length < passwordLength.min) return "short";
  if (length > passwordLength.max || isCut) return "long";
  const lowerCase = text.toLowerCase();
  if (lowerCase.trim() === email) return "email";
  return commonPasswords.has(lowerCase) || new Set(lowerCase).size === 1 ? "common" : undefined;
}

/** Each hash takes memory and a core, so few run at once. A full queue takes about 5 seconds. */
const limitHashing = limitFairly({
  concurrency: 2,
  maxWaiting: 100,
  fullMessage: "Too many people are signing in right now. Try again in a moment.",
});

/** @throws AppError `unavailable` if too many hashes are waiting */
export async function hashPassword(password: string, caller: Caller): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await slowHash(password, salt, cost, caller);
  const { log2N, r, p } = cost;
  return ["scrypt", log2N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/**
 * Whether the password matches the stored hash. Without a stored hash it takes just as long, so that the response time
 * does not reveal which users exist.
 *
 * @throws AppError `unavailable` if too many hashes are waiting
 */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
  caller: Caller,
): Promise<boolean> {
  const parsed = parseHash(stored);
  const { salt, expected, ...ownCost } = parsed ?? {
    ...cost,
    salt: Buffer.alloc(saltBytes),
    expected: undefined,
  };
  const hash = await slowHash(password, salt, ownCost, caller);
  return expected !== undefined && expected.length === hash.length && timingSafeEqual(hash, expected);
}

function parseHash(stored: string | undefined): (Cost & { salt: Buffer; expected: Buffer }) | undefined {
  const [, log2N, r, p, salt = "", expected = ""] =
    /^scrypt\$(\d\d)\$(\d\d?)\$(\d\d?)\$([\w-]+)\$([\w-]+)$/.exec(stored ?? "") ?? [];
  if (log2N === undefined) return undefined;
  return {
    log2N: Number(log2N),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, "base64url"),
    expected: Buffer.from(expected, "base64url"),
  };
}

function slowHash(password: string, salt: Buffer, { log2N, r, p }: Cost, caller: Caller): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** log2N, r, p, maxmem: 256 * 2 ** log2N * r };
  return limitHashing(
    caller,
    () =>
      new Promise((resolve, reject) => {
        const done = (error: Error | null, hash: Buffer) => (error ? reject(error) : resolve(hash));
        scrypt(normalize(password), salt, hashBytes, options, done);
      }),
  );
}
