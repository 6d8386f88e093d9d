// Webhooks of Amazon SES, which arrive through SNS: signed with a test key, and by Amazon itself in the messages that the
// tests of the AWS SDK for Java contain.

import assert from "node:assert/strict";
import { randomBytes, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { AppError } from "../../../../src/errors.ts";
import { ses } from "../../../../src/providers/ses.ts";
import { randomCases } from "../../../support/random-cases.ts";
import { accepted, summarizeQuarantined } from "../../../support/sending.ts";
import { countsOfCampaign, serveSource } from "../../../support/webhooks.ts";

const fixture = (name: string) => readFileSync(join(import.meta.dirname, "fixtures", name));
const certificate = fixture("ses-test-certificate.pem");
const key = fixture("ses-test-key.pem");
const amazonCertificate = fixture("ses-amazon-certificate.pem");
const amazonMessages = JSON.parse(fixture("ses-amazon-messages.json").toString()) as Message[];

type Message = Record<string, string>;

const topic = "arn:aws:sns:us-east-1:123456789012:ses-events";
const mail = {
  commonHeaders: {
    from: ["sender@example.com"],
    messageId: "EXAMPLE7c191be45-e9aedb9a-02f9-4d12-a87d-dd0099a07f8a-000000",
    subject: "Message sent from Amazon SES",
    to: ["recipient@example.com"],
  },
  destination: ["recipient@example.com"],
  headers: [
    { name: "X-SES-CONFIGURATION-SET", value: "ConfigSet" },
    { name: "X-SES-MESSAGE-TAGS", value: "myCustomTag1=myCustomValue1, campaign_id=1" },
    { name: "From", value: "sender@example.com" },
    { name: "Subject", value: "Message sent from Amazon SES" },
  ],
  headersTruncated: false,
  messageId: "EXAMPLE7c191be45-e9aedb9a-02f9-4d12-a87d-dd0099a07f8a-000000",
  sendingAccountId: "123456789012",
  source: "sender@example.com",
  tags: {
    myCustomTag1: ["myCustomValue1"],
    campaign_id: ["1"],
    "ses:caller-identity": ["ses-user"],
    "ses:configuration-set": ["ConfigSet"],
    "ses:from-domain": ["example.com"],
    "ses:source-ip": ["192.0.2.0"],
  },
  timestamp: "2026-06-15T11:00:49.927Z",
};

/** The examples of docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-examples.html, with a campaign. */
const open = {
  eventType: "Open",
  mail,
  open: {
    ipAddress: "192.0.2.1",
    timestamp: "2026-06-15T11:05:19.652Z",
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 10_3_3 like Mac OS X) AppleWebKit/603.3.8 (KHTML, like Gecko) Mobile/14G60",
  },
};
const click = {
  eventType: "Click",
  click: {
    ipAddress: "192.0.2.1",
    link: "http://docs.aws.amazon.com/ses/latest/DeveloperGuide/send-email-smtp.html",
    linkTags: { samplekey0: ["samplevalue0"], samplekey1: ["samplevalue1"] },
    timestamp: "2026-06-15T11:06:25.570Z",
    userAgent:
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/60.0.3112.90 Safari/537.36",
  },
  mail,
};

/** All signed fields in alphabetical order (docs.aws.amazon.com/sns). */
const signedNames = [
  "Message",
  "MessageId",
  "Subject",
  "SubscribeURL",
  "Timestamp",
  "Token",
  "TopicArn",
  "Type",
];

/** Signs a message as Amazon does. */
function signed(message: Message): Message {
  const text = signedNames.map((name) => (name in message ? `${name}\n${message[name]}\n` : "")).join("");
  const algorithm = message.SignatureVersion === "2" ? "sha256" : "sha1";
  return { ...message, Signature: sign(algorithm, Buffer.from(text), key).toString("base64") };
}

/** A fake of Amazon with its own certificate URL, because certificates are cached by URL. */
function makeAmazon(given: Buffer = certificate) {
  const name = randomBytes(16).toString("hex");
  const certificateUrl = `https://sns.us-east-1.amazonaws.com/SimpleNotificationService-${name}.pem`;
  const amazon = {
    certificateUrl,
    /** The URLs that were fetched, in order. */
    fetched: [] as string[],
    isDown: false,
    fetch: async (url: string) => {
      amazon.fetched.push(url);
      if (amazon.isDown) throw new AppError("unavailable", "The request to Amazon failed. Try again.");
      return url === certificateUrl ? given : Buffer.from("<ConfirmSubscriptionResponse/>");
    },
    notification: (event: unknown, more: Message = {}) =>
      signed({
        Type: "Notification",
        MessageId: "9d2c5580-b61d-550c-8583-37a582870907",
        TopicArn: topic,
        Subject: "Amazon SES Email Event Notification",
        Message: typeof event === "string" ? event : JSON.stringify(event),
        Timestamp: "2026-06-15T11:05:20.893Z",
        SignatureVersion: "1",
        SigningCertURL: certificateUrl,
        UnsubscribeURL: "https://sns.us-east-1.amazonaws.com/?Action=Unsubscribe",
        ...more,
      }),
    confirmation: (more: Message = {}) =>
      signed({
        Type: "SubscriptionConfirmation",
        MessageId: "f3f2fc87-c426-4c2f-9044-b55890c0939c",
        Token: "2336412f37fb687f5d51e6e2425929f52e8e353134fe72d5",
        TopicArn: topic,
        Message: `You have chosen to subscribe to the topic ${topic}.\nTo confirm the subscription, visit the SubscribeURL included in this message.`,
        SubscribeURL: `https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topic}&Token=2336412f`,
        Timestamp: "2026-06-15T11:01:32.895Z",
        SignatureVersion: "1",
        SigningCertURL: certificateUrl,
        ...more,
      }),
  };
  return amazon;
}

const asSent = { "content-type": "text/plain; charset=UTF-8", "x-amz-sns-message-type": "Notification" };

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
  assert.equal(opened.status, 200);
  assert.deepEqual(opened.body, accepted(1));
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

test("Amazon SES: reads the campaign from a message tag, a header or a field of the mail", async (t) => {
  const amazon = makeAmazon();
  const campaignField = "ses:configuration-set";
  const source = await serveSource(t, "ses", {
    fetchUrl: amazon.fetch,
    campaignField,
    register: { external_id: "ConfigSet" },
  });
  await source.deliver(amazon.notification(open));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
  const headers = [null, { name: 7 }, { name: "X-Campaign", value: "from-header" }];
  const campaignIn = (field: string, given = {}) =>
    ses.convertEvent({ ...open, mail: { ...mail, headers, ...given } }, field)[0]?.campaign_id;
  assert.equal(campaignIn("x-campaign"), "from-header");
  assert.equal(campaignIn("x-campaign", { tags: { "x-campaign": ["7"] } }), 7);
  assert.equal(campaignIn("source"), "sender@example.com");
  assert.equal(campaignIn("x-campaign", { headers: "none" }), undefined);
});

test("Amazon SES: ignores an event of a message to several recipients", async (t) => {
  const amazon = makeAmazon();
  const source = await serveSource(t, "ses", { fetchUrl: amazon.fetch });
  const destination = ["ann@example.com", "bob@example.com"];
  const answer = await source.deliver(amazon.notification({ ...open, mail: { ...mail, destination } }));
  assert.deepEqual([answer.status, answer.body], [200, accepted(0)]);
  assert.deepEqual(await summarizeQuarantined(source), []);
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
});

test("Amazon SES: acknowledges and ignores other event types, other mail and the connection notice", async (t) => {
  const amazon = makeAmazon();
  const source = await serveSource(t, "ses", { fetchUrl: amazon.fetch });
  for (const other of [
    { ...open, eventType: "Delivery" },
    { ...open, eventType: undefined, notificationType: "Open" },
    { notificationType: "AmazonSnsSubscriptionSucceeded", message: "You have successfully subscribed" },
    { ...open, mail: { ...mail, tags: {} } },
    "Successfully validated SNS topic for Amazon SES event publishing.",
  ]) {
    const answer = await source.deliver(amazon.notification(other));
    assert.deepEqual([answer.status, answer.body], [200, accepted(0)], JSON.stringify(other));
  }
  assert.deepEqual(await summarizeQuarantined(source), []);
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

test("Amazon SES: refuses a message without a valid signature and counts nothing", async (t) => {
  const amazon = makeAmazon();
  const source = await serveSource(t, "ses", { fetchUrl: amazon.fetch });
  const message = amazon.notification(open);
  const signature = message.Signature as string;
  for (const change of [
    { Message: JSON.stringify(click) },
    { Signature: signature.slice(0, -8) },
    { Signature: "%%%" },
    { Signature: "" },
    { Signature: undefined },
    { Signature: [signature] },
    { Signature: amazonMessages[0]?.Signature },
    { SignatureVersion: "2" },
    { SignatureVersion: "3", Signature: amazon.notification(open, { SignatureVersion: "2" }).Signature },
    { SignatureVersion: 1 },
    { SignatureVersion: undefined },
    { Subject: undefined },
    { Subject: 7 },
    { Timestamp: undefined },
    { MessageId: null },
    { TopicArn: ["a"] },
    { Type: "UnsubscribeConfirmation" },
    { Type: "SubscriptionConfirmation", SubscribeURL: "https://sns.us-east-1.amazonaws.com/", Token: "t" },
    { Type: "constructor" },
    { Type: undefined },
  ]) {
    const answer = await source.deliver({ ...message, ...change });
    assert.equal(answer.status, 401, JSON.stringify(change));
    assert.equal(answer.body.error, "unauthorized");
  }
  const text = JSON.stringify(message);
  for (const body of [text.slice(0, -1), "", "null", "[]", JSON.stringify(open), Buffer.from([0xff, 0xfe])]) {
    const answer = await source.deliver(body);
    assert.equal(answer.status, 401, String(body));
    assert.match(answer.body.error_message, /^The body is not an Amazon SNS message/);
  }
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
  assert.deepEqual(await summarizeQuarantined(source), []);
  assert.ok(amazon.fetched.every((url) => url === amazon.certificateUrl));
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

test("Amazon SES: accepts only the ARN of a topic as secret", () => {
  const { format } = ses.secret;
  assert.match(format?.description ?? "", /^the ARN of an SNS topic/);
  for (const text of [
    topic,
    "arn:aws-us-gov:sns:us-gov-west-1:123456789012:a",
    "arn:aws-cn:sns:cn-north-1:123456789012:A_b-1",
  ]) {
    assert.equal(format?.isValid(text), true);
  }
  for (const text of [
    "",
    "secret",
    topic.replace("sns", "sqs"),
    `${topic}:sub`,
    `${topic}.fifo`,
    ` ${topic}`,
  ]) {
    assert.equal(format?.isValid(text), false, text);
  }
});

test("Amazon SES: confirms a subscription only after verifying the signature of its message", async (t) => {
  const amazon = makeAmazon();
  const source = await serveSource(t, "ses", { fetchUrl: amazon.fetch, secret: topic });
  const message = amazon.confirmation();
  const answer = await source.deliver(message, asSent);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { status: "confirmed" });
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
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { status: "unsubscribed" });
  assert.deepEqual(amazon.fetched, [amazon.certificateUrl]);
});

test("Amazon SES: quarantines signed but unreadable events instead of refusing them", async (t) => {
  const amazon = makeAmazon();
  const source = await serveSource(t, "ses", { fetchUrl: amazon.fetch });
  for (const event of [JSON.stringify(open).slice(0, -20), "Hello world", "", "null", "[]", '"text"']) {
    const answer = await source.deliver(amazon.notification(event));
    assert.deepEqual([answer.status, answer.body.quarantined], [200, 1], event);
  }
  assert.throws(() => ses.parseBody?.(Buffer.from('{"Message":7}')));
  const unread = async (event: object) =>
    (await source.deliver(amazon.notification(event))).body.problems[0]?.message ?? "";
  const opened = (given: object) => ({ ...open, open: { ...open.open, ...given } });
  const sent = (given: object) => ({ ...open, mail: { ...mail, ...given } });
  assert.match(await unread(opened({ timestamp: "yesterday" })), /^at: "yesterday" is not an ISO-8601 time/);
  assert.match(await unread({ ...open, open: null }), /^at: is missing/);
  assert.match(await unread(sent({ messageId: undefined })), /^id: is missing/);
  assert.match(await unread(sent({ messageId: 7 })), /^id: 7 is not text/);
  assert.match(await unread(sent({ destination: [] })), /^recipient: /);
  assert.match(await unread({ ...click, click: { ...click.click, link: "" } }), /^url: "" is not text/);
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
});

test("Amazon SES: refuses any invalid message with an AppError, and converts any document without throwing", async () => {
  const amazon = makeAmazon();
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>("Open", "2", amazon.certificateUrl, "Notification"),
  );
  const changesOf = (example: object) =>
    fc.dictionary(fc.constantFrom(...Object.keys(example), "__proto__"), value);
  const event = fc
    .tuple(changesOf(open), changesOf(mail), changesOf(open.open))
    .map(([outer, sent, opened]) => ({
      ...open,
      mail: { ...mail, ...sent },
      open: { ...open.open, ...opened },
      ...outer,
    }));
  const message = amazon.notification(open);
  const envelope = fc.tuple(changesOf(message), event).map(([change, given]) => ({
    ...amazon.notification(given),
    ...change,
  }));
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), event, envelope), async (given) => {
      await Promise.resolve(authenticate(given, amazon.fetch)).catch((error) =>
        assert.ok(error instanceof AppError),
      );
      for (const each of ses.listEvents(given) ?? []) {
        for (const field of ["campaign_id", "__proto__", ""]) {
          assert.ok(ses.convertEvent(each as Record<string, unknown>, field).length <= 1);
        }
      }
    }),
    { numRuns: randomCases(200) },
  );
});
