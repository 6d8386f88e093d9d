// Passwords: which ones are taken, and the slow hash that is kept of one.

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { AppError } from "../errors.ts";
import { limitConcurrency } from "../limits/limit-concurrency.ts";

/** Characters, as people count them. */
export const passwordLength = { min: 12, max: 200 } as const;

/** What a new hash costs: some 32 MiB and a tenth of a second or more. Each hash carries its own, so that these can be raised. */
const cost = { log2N: 15, r: 8, p: 3 } as const;
type Cost = { log2N: number; r: number; p: number };
const saltBytes = 16;
const hashBytes = 32;

/** Nobody types more, and what is longer is not even looked at. */
const unitsMax = 1_000;

/** Of the commonest passwords those that are long enough to be taken otherwise, in lower case. */
const commonest = new Set(
  `123456789012 1234567890123 12345678901234 123456789012345 1234567890123456 12345678910a 123123123123 012345678910
111222333444 1q2w3e4r5t6y 1qaz2wsx3edc 1qaz2wsx3edc4rfv q1w2e3r4t5y6 qwertyuiop12 qwertyuiop123 qwertyuiop[] qwerty123456
qwerty1234567 qwertyqwerty qwertyuiopasdf abcdefghijkl abcd12345678 abc123abc123 abcdefg12345 password1234 password12345
password123456 passwordpassword password123! p@ssw0rd1234 passw0rd1234 mypassword123 iloveyou1234 iloveyouiloveyou
administrator administrator1 admin1234567 admin12345678 adminadminadmin welcome12345 welcome123456 letmein12345
letmeinletmein changeme1234 changemechangeme changeme12345 secret123456 trustno1trustno1 correcthorsebatterystaple
email-analytics emailanalytics`.split(/\s+/),
);

/** How a password is compared: the same however the keyboard puts its letters together. */
function normalize(password: string): string {
  return password.slice(0, unitsMax).toWellFormed().normalize("NFC");
}

/**
 * Refuses a new password that is easily guessed. It is never quoted.
 *
 * @param field its name in the form
 * @throws Refusal `bad_request`
 */
export function checkPasswordStrength(password: string, email: string, field = "New password"): void {
  const refuse = (why: string) => {
    throw new AppError("bad_request", `${field}: ${why}`);
  };
  const { min, max } = passwordLength;
  const text = normalize(password);
  const length = [...text].length;
  if (length < min) refuse(`it has ${length} characters; ${min} to ${max} are accepted.`);
  if (length > max || password.length > unitsMax) {
    refuse(`it has more than ${max} characters; ${min} to ${max} are accepted.`);
  }
  const plain = text.toLowerCase();
  if (plain.trim() === email) refuse("it is the email address; choose something that nobody knows.");
  if (commonest.has(plain) || new Set(plain).size === 1) {
    refuse("it is one of the first that anybody would try; choose another one.");
  }
}

/** Hashes take memory and a processor: two at once in the process, and whoever comes while so many wait is sent away. */
const takeTurn = limitConcurrency({
  atOnce: 2,
  waitingMax: 20,
  whenFull: "Too many people are signing in at this moment. Try again shortly.",
});

/** @throws Refusal `unavailable` while too many others wait */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hashed = await slowHash(password, salt, cost);
  const { log2N, r, p } = cost;
  return ["scrypt", log2N, r, p, salt.toString("base64url"), hashed.toString("base64url")].join("$");
}

/**
 * Whether it is the password of which the hash is kept. It takes as long where there is none, so that nobody learns who
 * may sign in.
 *
 * @throws Refusal `unavailable` while too many others wait
 */
export async function verifyPassword(password: string, kept: string | undefined): Promise<boolean> {
  const parsed = parseHash(kept);
  const { salt, wanted, ...its } = parsed ?? { ...cost, salt: Buffer.alloc(saltBytes), wanted: undefined };
  const hashed = await slowHash(password, salt, its);
  return wanted !== undefined && wanted.length === hashed.length && timingSafeEqual(hashed, wanted);
}

function parseHash(kept: string | undefined): (Cost & { salt: Buffer; wanted: Buffer }) | undefined {
  const [, log2N, r, p, salt = "", wanted = ""] =
    /^scrypt\$(\d\d)\$(\d\d?)\$(\d\d?)\$([\w-]+)\$([\w-]+)$/.exec(kept ?? "") ?? [];
  if (log2N === undefined) return undefined;
  const read = { log2N: Number(log2N), r: Number(r), p: Number(p) };
  return { ...read, salt: Buffer.from(salt, "base64url"), wanted: Buffer.from(wanted, "base64url") };
}

function slowHash(password: string, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** log2N, r, p, maxmem: 256 * 2 ** log2N * r };
  return takeTurn(
    () =>
      new Promise((resolve, reject) => {
        const done = (error: Error | null, hashed: Buffer) => (error ? reject(error) : resolve(hashed));
        scrypt(normalize(password), salt, hashBytes, options, done);
      }),
  );
}
