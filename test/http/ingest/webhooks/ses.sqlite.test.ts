// What only webhooks of Amazon SES do: SNS signs them with a certificate that must be fetched, and confirms a subscription.
// They are signed with a test key, and by Amazon itself in messages that the tests of the AWS SDK for Java contain.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import test from "node:test";
import fc from "fast-check";
import { AppError } from "../../../../src/errors.ts";
import { ses } from "../../../../src/providers/ses.ts";
import { changedDocument } from "../../../support/changed-document.ts";
import {
  amazonCertificate,
  amazonMessages,
  asSent,
  certificate,
  click,
  mail,
  makeAmazon,
  open,
  sesExample,
  signed,
  signedNames,
  topic,
} from "../../../support/providers/ses.ts";
import { randomCases } from "../../../support/random-cases.ts";
import { accepted } from "../../../support/serve-sender.ts";
import { countsOfCampaign, serveSource } from "../../../support/webhooks.ts";

const authenticate = (message: unknown, fetch: (url: string) => Promise<Buffer>) =>
  ses.authenticate({
    headers: {},
    body: Buffer.from(JSON.stringify(message)),
    url: "",
    secret: undefined,
    fetch,
  });

test("Amazon SES: counts an open and a click under both signature versions", async (t) => {
  const amazon = makeAmazon();
  const source = await serveSource(t, "ses", { fetchUrl: amazon.fetch });
  const opened = await source.deliver(amazon.notification(open), asSent);
  assert.deepEqual([opened.status, opened.body], [200, accepted(1)]);
  const { Subject: _, ...unsigned } = amazon.notification(click, { SignatureVersion: "2" });
  // A subject of null counts as none.
  const withNone = { ...signed(unsigned), Subject: null };
  assert.deepEqual((await source.deliver(withNone, asSent)).body, accepted(1));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
  assert.deepEqual(await source.numbers("desktop_open_rate", "mobile_open_rate"), [0, 100]);
  assert.deepEqual(amazon.fetched, [amazon.certificateUrl]);
});

test("Amazon SES: counts an event once, even under another SNS message id, and a second open as another", async (t) => {
  const amazon = makeAmazon();
  const source = await serveSource(t, "ses", { fetchUrl: amazon.fetch });
  await source.deliver(amazon.notification(open));
  const again = { ...accepted(0), repeated: 1 };
  assert.deepEqual((await source.deliver(amazon.notification(open))).body, again);
  assert.deepEqual((await source.deliver(amazon.notification(open, { MessageId: "another" }))).body, again);
  const later = { ...open, open: { ...open.open, timestamp: "2026-06-15T11:05:19.653Z" } };
  await source.deliver(amazon.notification(later));
  await source.deliver(amazon.notification(click));
  const other = { ...click, click: { ...click.click, link: "https://example.com" } };
  await source.deliver(amazon.notification(other));
  await source.deliver(amazon.notification({ ...open, mail: { ...mail, messageId: "other" } }));
  assert.deepEqual(await countsOfCampaign(source), [1, 2, 1, 1]);
});

test("Amazon SES: accepts messages signed by Amazon and refuses every change of them", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: Date.UTC(2026, 2, 6, 21) });
  const fetched: string[] = [];
  const fetch = async (url: string) => {
    fetched.push(url);
    return amazonCertificate;
  };
  assert.equal(amazonMessages.length, 5);
  for (const message of amazonMessages) {
    await assert.doesNotReject(async () => authenticate(message, fetch), message.Message);
    for (const name of signedNames.filter((each) => each in message)) {
      const changed = { ...message, [name]: `${message[name]} ` };
      await assert.rejects(async () => authenticate(changed, fetch), { code: "unauthorized" }, name);
    }
  }
  const url = amazonMessages[0]?.SigningCertURL;
  assert.deepEqual(fetched, [
    url,
    amazonMessages.find((each) => each.Type?.startsWith("Subs"))?.SubscribeURL,
  ]);
});

test("Amazon SES: refuses a certificate that has expired or is not valid yet", async (t) => {
  const amazon = makeAmazon(amazonCertificate);
  const message = { ...amazonMessages[0], SigningCertURL: amazon.certificateUrl };
  const authenticateAt = async (now: number) => {
    t.mock.timers.setTime(now);
    return authenticate(message, amazon.fetch);
  };
  t.mock.timers.enable({ apis: ["Date"] });
  await assert.doesNotReject(authenticateAt(Date.UTC(2026, 9, 14, 23, 59, 59)));
  for (const now of [Date.UTC(2026, 9, 15), Date.UTC(2025, 10, 9, 23, 59, 59)]) {
    await assert.rejects(authenticateAt(now), {
      code: "unauthorized",
      message: /has expired or is not valid yet/,
    });
  }
});

test("Amazon SES: fetches certificates only from URLs that customers of Amazon cannot control", async () => {
  const amazon = makeAmazon();
  const { pathname } = new URL(amazon.certificateUrl);
  for (const url of [
    `http://sns.us-east-1.amazonaws.com${pathname}`,
    `https://sns.us-east-1.amazonaws.com:8443${pathname}`,
    `https://user:password@sns.us-east-1.amazonaws.com${pathname}`,
    `https://sns.us-east-1.amazonaws.com.evil.example${pathname}`,
    `https://sns.us-east-1.amazonaws.com@evil.example${pathname}`,
    `https://evil.example/https://sns.us-east-1.amazonaws.com${pathname}`,
    `https://sns.s3-us-west-2.amazonaws.com${pathname}`,
    `https://sns.s3.us-west-2.amazonaws.com${pathname}`,
    `https://sns.us-east-1.elb.amazonaws.com${pathname}`,
    `https://evil.us-east-1.amazonaws.com${pathname}`,
    `https://sns.us-east-1.amazonaws.com.co${pathname}`,
    `https://sns.eusc-de-east-1.amazonaws.eu.com${pathname}`,
    `https://sns.eusc-de-east-1.amazonaws.eu.cn${pathname}`,
    `https://sns.us-east-1.amazonaws.com/?Action=GetEndpointAttributes&x=${pathname}`,
    `https://sns.us-east-1.amazonaws.com${pathname}?Action=GetEndpointAttributes`,
    `https://sns.us-east-1.amazonaws.com${pathname}#other`,
    `https://sns.us-east-1.amazonaws.com/other.pem`,
    "sns.us-east-1.amazonaws.com",
    "",
  ]) {
    const message = amazon.notification(open, { SigningCertURL: url });
    const refused = { code: "unauthorized", message: /^SigningCertURL: .* is not a URL of Amazon SNS\.$/ };
    await assert.rejects(async () => authenticate(message, amazon.fetch), refused, url);
  }
  assert.deepEqual(amazon.fetched, []);
  for (const host of [
    "us-gov-west-1.amazonaws.com",
    "ap-southeast-5.amazonaws.com",
    "cn-north-1.amazonaws.com.cn",
    "eusc-de-east-1.amazonaws.eu",
  ]) {
    const url = `https://sns.${host}/SimpleNotificationService-${randomBytes(16).toString("hex")}.pem`;
    const fetch = async () => certificate;
    await assert.doesNotReject(
      async () => authenticate(amazon.notification(open, { SigningCertURL: url }), fetch),
      host,
    );
  }
});

test("Amazon SES: refuses raw message delivery, which is unsigned", async (t) => {
  const amazon = makeAmazon();
  const source = await serveSource(t, "ses", { fetchUrl: amazon.fetch });
  const answer = await source.deliver(open, { "x-amz-sns-rawdelivery": "true" });
  assert.equal(answer.status, 401);
  assert.match(answer.body.error_message, /raw message delivery is on\. Turn it off/);
});

test("Amazon SES: refuses messages and confirmations of another topic than the secret", async (t) => {
  const amazon = makeAmazon();
  const source = await serveSource(t, "ses", { fetchUrl: amazon.fetch, secret: topic });
  for (const TopicArn of [`${topic}2`, "arn:aws:sns:us-east-1:999999999999:ses-events"]) {
    const answer = await source.deliver(amazon.notification(open, { TopicArn }));
    assert.equal(answer.status, 401);
    assert.match(answer.body.error_message, /^TopicArn: "arn:.*" is not the topic of this source\.$/);
    assert.equal((await source.deliver(amazon.confirmation({ TopicArn }))).status, 401);
  }
  assert.deepEqual(amazon.fetched, []);
  assert.equal((await source.deliver(amazon.notification(open))).status, 200);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("Amazon SES: confirms a subscription only after verifying the signature of its message", async (t) => {
  const amazon = makeAmazon();
  const source = await serveSource(t, "ses", { fetchUrl: amazon.fetch, secret: topic });
  const message = amazon.confirmation();
  const answer = await source.deliver(message, asSent);
  assert.deepEqual([answer.status, answer.body], [200, { status: "confirmed" }]);
  assert.deepEqual(amazon.fetched, [amazon.certificateUrl, message.SubscribeURL]);
  assert.equal((await source.deliver({ ...message, Token: "other" })).status, 401);
  for (const SubscribeURL of ["https://evil.example/", "http://sns.us-east-1.amazonaws.com/", "none"]) {
    assert.equal((await source.deliver(amazon.confirmation({ SubscribeURL }))).status, 401);
  }
  assert.equal(amazon.fetched.length, 2);
});

test("Amazon SES: answers 503 while the certificate cannot be fetched, and accepts the retry", async (t) => {
  const amazon = makeAmazon();
  const source = await serveSource(t, "ses", { fetchUrl: amazon.fetch });
  amazon.isDown = true;
  assert.equal((await source.deliver(amazon.notification(open))).status, 503);
  amazon.isDown = false;
  assert.equal((await source.deliver(amazon.notification(open))).status, 200);
  amazon.isDown = true;
  assert.equal((await source.deliver(amazon.notification(click))).status, 200);
  assert.equal((await source.deliver(amazon.confirmation())).status, 503);
  amazon.isDown = false;
  assert.equal((await source.deliver(amazon.confirmation())).status, 200);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
});

test("Amazon SES: does not cache a response that is not a certificate", async () => {
  const amazon = makeAmazon(Buffer.from("<html>"));
  for (let time = 1; time <= 2; time++) {
    await assert.rejects(async () => authenticate(amazon.notification(open), amazon.fetch), {
      code: "unavailable",
    });
    assert.equal(amazon.fetched.length, time);
  }
});

test("Amazon SES: fetches a certificate once for concurrent messages, and limits how many are cached", async () => {
  const amazon = makeAmazon();
  const message = amazon.notification(open);
  await Promise.all([1, 2, 3].map(() => authenticate(message, amazon.fetch)));
  assert.equal(amazon.fetched.length, 1);
  for (let other = 0; other < 100; other++) {
    const { notification, fetch } = makeAmazon();
    await authenticate(notification(open), fetch);
  }
  await authenticate(message, amazon.fetch);
  assert.equal(amazon.fetched.length, 2);
});

test("Amazon SES: does not subscribe again after an unsubscribe", async (t) => {
  const amazon = makeAmazon();
  const source = await serveSource(t, "ses", { fetchUrl: amazon.fetch });
  const answer = await source.deliver(amazon.confirmation({ Type: "UnsubscribeConfirmation" }));
  assert.deepEqual([answer.status, answer.body], [200, { status: "unsubscribed" }]);
  assert.deepEqual(amazon.fetched, [amazon.certificateUrl]);
});

test("Amazon SES: names the reason for refusing a body that is not a message, and quarantines a message without text", async (t) => {
  const source = await serveSource(t, "ses");
  const text = JSON.stringify(makeAmazon().notification(open));
  for (const body of [text.slice(0, -1), "", "null", "[]", JSON.stringify(open), Buffer.from([0xff, 0xfe])]) {
    const answer = await source.deliver(body);
    assert.equal(answer.status, 401, String(body));
    assert.match(answer.body.error_message, /^The body is not an Amazon SNS message/);
  }
  assert.throws(() => ses.parseBody?.(Buffer.from('{"Message":7}')));
});

test("Amazon SES: refuses any changed message with an AppError", async () => {
  const amazon = makeAmazon();
  const messages = changedDocument(amazon.notification(open), sesExample.oddities ?? []);
  const property = fc.asyncProperty(messages, async (message) => {
    await Promise.resolve(authenticate(message, amazon.fetch)).catch((error) =>
      assert.ok(error instanceof AppError),
    );
  });
  await fc.assert(property, { numRuns: randomCases(200) });
});
