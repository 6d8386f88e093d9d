// Random secrets.

import assert from "node:assert/strict";
import test from "node:test";
import { generateSecret } from "../../src/access/secret.ts";

test("generates different secrets of 32 bytes in hex", () => {
  const secrets = Array.from({ length: 100 }, generateSecret);
  assert.equal(new Set(secrets).size, 100);
  for (const secret of secrets) assert.match(secret, /^[0-9a-f]{64}$/);
});
