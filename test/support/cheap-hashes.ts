// Hashes of passwords with a thousandth of their cost, in the processes of a test run. With the usual one, those that sign in
// would spend 20 s of CPU time on it. `--import` loads it before the program takes the function.

import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/** Set it for a test that measures the cost. */
export const fullCostVariable = "TEST_FULL_HASH_COST";

const { scrypt, scryptSync } = crypto;
const cheap = ({ N = 2 ** 14, ...rest }: crypto.ScryptOptions = {}): crypto.ScryptOptions =>
  process.env[fullCostVariable] ? { N, ...rest } : { N: Math.max(N >> 10, 2), ...rest };

type Arguments = Parameters<typeof scryptSync>;
type Done = (error: Error | null, hash: Buffer) => void;

Object.assign(crypto, {
  scrypt: (...[password, salt, length, options, done]: [...Required<Arguments>, Done]) =>
    scrypt(password, salt, length, cheap(options), done),
  scryptSync: (...[password, salt, length, options]: Arguments) =>
    scryptSync(password, salt, length, cheap(options)),
});
syncBuiltinESMExports();
