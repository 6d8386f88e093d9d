// What only webhooks of Resend do: a signature with a time, ids of requests, and display names.

import assert from "node:assert/strict";
import test from "node:test";
import { AppError } from "../../../../src/errors.ts";
import { resend } from "../../../../src/providers/resend.ts";
import { open, openedAs, resendExample, signed } from "../../../support/providers/resend.ts";
import { accepted } from "../../../support/serve-sender.ts";
import { countsOfCampaign, serveSource } from "../../../support/webhooks.ts";

const { secret } = resendExample;

test("Resend: counts an event once, under whichever request id it is sent", async (t) => {
  const source = await serveSource(t, "resend", { secret });
  for (const event of [open, resendExample.click]) {
    for (const [index, id] of ["msg_1", "msg_1", "msg_2"].entries()) {
      const { body, headers } = signed(JSON.stringify(event), { id });
      const expected = index === 0 ? accepted(1) : { ...accepted(0), repeated: 1 };
      assert.deepEqual((await source.deliver(body, headers)).body, expected);
    }
  }
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
});

test("Resend: removes display names around email addresses", () => {
  for (const [to, expected] of [
    [['"Ann, of Acme" <ann@example.com>'], "ann@example.com"],
    ["Ann <ann@example.com> ", "ann@example.com"],
    [["<>"], "<>"],
    [[], undefined],
    [[7], 7],
    [undefined, undefined],
  ] as const) {
    const [event] = resend.convertEvent(openedAs({ to }), "campaign_id");
    assert.deepEqual(event?.recipient, expected, JSON.stringify(to));
  }
});

test("Resend: accepts the published signature within five minutes, under either name of the headers", (t) => {
  const body = '{"test": 2432232314}';
  const headers = (prefix: string, signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=") => ({
    [`${prefix}-id`]: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    [`${prefix}-timestamp`]: "1614265330",
    [`${prefix}-signature`]: signature,
  });
  const authenticate = (text: string, given: Record<string, string>) =>
    resend.authenticate({ headers: given, body: Buffer.from(text), url: "", secret, fetch: assert.fail });
  const isUnauthorized = (error: unknown) => error instanceof AppError && error.code === "unauthorized";
  t.mock.timers.enable({ apis: ["Date"], now: 1_614_265_330_000 });
  assert.equal(authenticate(body, headers("svix")), undefined);
  assert.equal(authenticate(body, headers("webhook")), undefined);
  assert.throws(() => authenticate(`${body} `, headers("svix")), isUnauthorized);
  const others = "v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= v2,g0hM9SsE v1 x";
  const right = headers("svix")["svix-signature"];
  assert.equal(authenticate(body, headers("svix", `${others} ${right}`)), undefined);
  assert.throws(() => authenticate(body, headers("svix", others)), isUnauthorized);

  for (const [ms, isAccepted] of [
    [300_000, true],
    [301_000, false],
    [-300_000, true],
    [-301_000, false],
  ] as const) {
    t.mock.timers.setTime(1_614_265_330_000 + ms);
    if (isAccepted) assert.equal(authenticate(body, headers("svix")), undefined, `${ms}`);
    else assert.throws(() => authenticate(body, headers("svix")), isUnauthorized, `${ms}`);
  }
});
