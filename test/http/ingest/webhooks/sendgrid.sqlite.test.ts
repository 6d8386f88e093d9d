// What only webhooks of Twilio SendGrid do: published signatures, and no limit on the age of a request.

import assert from "node:assert/strict";
import test from "node:test";
import { AppError } from "../../../../src/errors.ts";
import { sendgrid } from "../../../../src/providers/sendgrid.ts";
import {
  open,
  published,
  sendgridExample,
  signatureHeader,
  signed,
  timestampHeader,
} from "../../../support/providers/sendgrid.ts";
import { accepted } from "../../../support/serve-sender.ts";
import { serveSource } from "../../../support/webhooks.ts";

const { secret } = sendgridExample;

test("SendGrid: accepts published signatures and refuses every change of them", () => {
  const [one, other] = published;
  assert.ok(one && other);
  const authenticate = (body: string, headers: Record<string, string>, key: string | undefined) =>
    sendgrid.authenticate({ headers, body: Buffer.from(body), url: "", secret: key, fetch: assert.fail });
  const isUnauthorized = (error: unknown) => error instanceof AppError && error.code === "unauthorized";
  for (const { key, signature, timestamp, body } of published) {
    const headers = { [signatureHeader]: signature, [timestampHeader]: timestamp };
    assert.equal(authenticate(body, headers, key), undefined);
    const changes: [string, object, string | undefined][] = [
      ["payload", {}, key],
      [body.trimEnd() === body ? `${body}\n` : body.trimEnd(), {}, key],
      [body, { [timestampHeader]: "timestamp" }, key],
      [body, { [timestampHeader]: `${timestamp} ` }, key],
      [body, { [signatureHeader]: signature.replace("ME", "MF") }, key],
      // A signature of zeros.
      [body, { [signatureHeader]: "MAYCAQACAQA=" }, key],
      [body, {}, key === one.key ? other.key : one.key],
      [body, {}, secret],
      [body, {}, undefined],
    ];
    for (const [text, changed, withKey] of changes) {
      assert.throws(() => authenticate(text, { ...headers, ...changed }, withKey), isUnauthorized);
    }
  }
});

test("SendGrid: accepts a batch that arrives a day late", async (t) => {
  const source = await serveSource(t, "sendgrid", { secret });
  const { body, headers } = signed(JSON.stringify([open]), { timestamp: "1781434800" });
  assert.deepEqual((await source.deliver(body, headers)).body, accepted(1));
});
