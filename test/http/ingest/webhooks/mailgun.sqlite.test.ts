// What only webhooks of Mailgun do: the signature covers a token, and subaccounts have the one of their parent too.

import assert from "node:assert/strict";
import test from "node:test";
import { AppError } from "../../../../src/errors.ts";
import { mailgun } from "../../../../src/providers/mailgun.ts";
import { mailgunExample, open, signatureOf, signedWith } from "../../../support/providers/mailgun.ts";
import { accepted } from "../../../support/serve-sender.ts";
import { countsOfCampaign, serveSource } from "../../../support/webhooks.ts";

test("Mailgun: counts a repeated event once, even with another token", async (t) => {
  const source = await serveSource(t, "mailgun", { secret: mailgunExample.secret });
  const [timestamp, token] = ["1781522101", "f".repeat(50)];
  const { body } = signedWith(open, {
    timestamp,
    token,
    signature: signatureOf(timestamp, mailgunExample.secret, token),
  });
  await source.deliver(mailgunExample.send(open, "").body);
  assert.deepEqual((await source.deliver(body)).body, { ...accepted(0), repeated: 1 });
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("Mailgun: accepts a published signature with the timestamp as text or number, and one of the parent account", () => {
  // Published as an example by a library for Mailgun webhooks.
  const published = {
    timestamp: "1597313511",
    token: "a78fb97c20322f7ee7c2f2da9d606db9ab7152b138a0ffc1e2",
    signature: "6831675fc6ad003ec9b2262f046c3ac350ffdd662a85261b14252a8180fdedfb",
  };
  const ofSubaccount = {
    ...published,
    signature: "12d99f5a15355c180971bed7494d578b093c958f57766f3fe750761baed12345",
    "parent-signature": published.signature,
  };
  const authenticate = (signature: object, secret = "MY_SIGNING_KEY") =>
    mailgun.authenticate({
      headers: {},
      body: Buffer.from(signedWith(open, signature).body),
      url: "",
      secret,
      fetch: assert.fail,
    });
  for (const right of [published, { ...published, timestamp: 1_597_313_511 }, ofSubaccount]) {
    assert.equal(authenticate(right), undefined);
  }
  const isUnauthorized = (error: unknown) => error instanceof AppError && error.code === "unauthorized";
  for (const wrong of [
    { ...ofSubaccount, "parent-signature": "" },
    ...[
      { timestamp: "1597313512" },
      { token: published.token.slice(1) },
      { signature: published.signature.slice(0, -1) },
      { signature: published.signature.replace("6", "7") },
    ].map((change) => ({ ...published, ...change })),
  ]) {
    assert.throws(() => authenticate(wrong), isUnauthorized);
  }
  for (const other of ["MY_SIGNING_KEX", ""]) {
    assert.throws(() => authenticate(published, other), isUnauthorized);
  }
});
