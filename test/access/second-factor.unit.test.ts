// Codes of authenticator apps and recovery codes.

import assert from "node:assert/strict";
import test from "node:test";
import { hashRecoveryCode, newRecoveryCodes } from "../../src/access/recovery-codes.ts";
import { isTotpSecret, newTotpSecret, stepOfCode, totpUri } from "../../src/access/totp.ts";

/** The secret of RFC 6238, appendix B, in base32: "12345678901234567890". */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test("accepts the codes of RFC 6238, one step early and late, and no step twice", () => {
  for (const [seconds, code] of [
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ] as const) {
    const step = Math.floor(seconds / 30);
    const at = (steps: number) =>
      stepOfCode(secret, code, { now: (seconds + 30 * steps) * 1000, after: step - 1 });
    assert.deepEqual([-2, -1, 0, 1, 2].map(at), [undefined, step, step, step, undefined], code);
    assert.equal(stepOfCode(secret, code, { now: seconds * 1000, after: step }), undefined);
  }
  for (const code of ["", "28708", "2870820", "28708a", "\u0662\u0668\u0667\u0660\u0668\u0662"]) {
    assert.equal(stepOfCode(secret, code, { now: 59_000, after: 0 }), undefined, code);
  }
});

test("makes secrets of 160 bits, and a URI that names organization and user", () => {
  assert.ok(isTotpSecret(newTotpSecret()));
  assert.notEqual(newTotpSecret(), newTotpSecret());
  for (const text of ["", "A", secret.toLowerCase(), `${secret}A`, secret.replace("G", "1")]) {
    assert.equal(isTotpSecret(text), false, text);
  }
  assert.equal(
    totpUri(secret, { issuer: "Acme & Söhne", label: "ada@example.com" }),
    `otpauth://totp/Acme%20%26%20S%C3%B6hne:ada%40example.com?issuer=Acme%20%26%20S%C3%B6hne&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  );
});

test("makes ten different recovery codes, whose case, spaces and dashes make no difference", () => {
  const codes = newRecoveryCodes();
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) {
    assert.match(code, /^(?:[2-9a-hjkmnp-z]{4}-){3}[2-9a-hjkmnp-z]{4}$/);
    assert.equal(hashRecoveryCode(` ${code.toUpperCase().replaceAll("-", " ")}`), hashRecoveryCode(code));
  }
});
