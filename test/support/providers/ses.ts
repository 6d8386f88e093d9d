// Webhooks of Amazon SES, which arrive through SNS.

import { randomBytes, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../../src/errors.ts";
import { changeBody, type ProviderExample, type SentRequest } from "./provider-example.ts";

export type Message = Record<string, string>;

const folder = join(import.meta.dirname, "..", "..", "http", "ingest", "webhooks", "fixtures");
const fixture = (name: string) => readFileSync(join(folder, name));
export const certificate = fixture("ses-test-certificate.pem");
const key = fixture("ses-test-key.pem");
export const amazonCertificate = fixture("ses-amazon-certificate.pem");
/** Messages that Amazon signed, from the tests of the AWS SDK for Java. */
export const amazonMessages = JSON.parse(fixture("ses-amazon-messages.json").toString()) as Message[];

export const topic = "arn:aws:sns:us-east-1:123456789012:ses-events";
export const mail = {
  commonHeaders: { subject: "Message sent from Amazon SES", to: ["recipient@example.com"] },
  destination: ["recipient@example.com"],
  headers: [
    { name: "X-SES-CONFIGURATION-SET", value: "ConfigSet" },
    { name: "X-SES-MESSAGE-TAGS", value: "myCustomTag1=myCustomValue1, campaign_id=1" },
    { name: "From", value: "sender@example.com" },
    { name: "Subject", value: "Message sent from Amazon SES" },
  ],
  messageId: "EXAMPLE7c191be45-e9aedb9a-02f9-4d12-a87d-dd0099a07f8a-000000",
  source: "sender@example.com",
  tags: {
    myCustomTag1: ["myCustomValue1"],
    campaign_id: ["1"],
    "ses:caller-identity": ["ses-user"],
    "ses:configuration-set": ["ConfigSet"],
  },
  timestamp: "2026-06-15T11:00:49.927Z",
};

/** The examples of docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-examples.html, with a campaign. */
export const open = {
  eventType: "Open",
  mail,
  open: {
    ipAddress: "192.0.2.1",
    timestamp: "2026-06-15T11:05:19.652Z",
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 10_3_3 like Mac OS X) AppleWebKit/603.3.8 (KHTML, like Gecko) Mobile/14G60",
  },
};
export const click = {
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
export const signedNames = "Message MessageId Subject SubscribeURL Timestamp Token TopicArn Type".split(" ");

/** Signs a message as Amazon does. */
export function signed(message: Message): Message {
  const text = signedNames.map((name) => (name in message ? `${name}\n${message[name]}\n` : "")).join("");
  const algorithm = message.SignatureVersion === "2" ? "sha256" : "sha1";
  return { ...message, Signature: sign(algorithm, Buffer.from(text), key).toString("base64") };
}

/** A fake of Amazon with its own certificate URL, because certificates are cached by URL. */
export function makeAmazon(given: Buffer = certificate) {
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

const amazon = makeAmazon();
export const asSent = {
  "content-type": "text/plain; charset=UTF-8",
  "x-amz-sns-message-type": "Notification",
};
const send = (message: unknown): SentRequest => ({ body: JSON.stringify(message), headers: asSent });

const openedAs = (given: object) => ({ ...open, open: { ...open.open, ...given } });
const openOf = (given: object) => ({ ...open, mail: { ...mail, ...given } });
const headers = [null, { name: 7 }, { name: "X-Campaign", value: "from-header" }];

export const sesExample: ProviderExample = {
  secret: topic,
  otherSecret: `${topic}2`,
  fetchUrl: amazon.fetch,
  isBatch: false,
  send: (event, _url, TopicArn = topic) => send(amazon.notification(event, { TopicArn })),
  open,
  click,
  read: {
    open: { at: open.open.timestamp, ip: "192.0.2.1" },
    click: { at: click.click.timestamp, url: click.click.link },
  },
  later: openedAs({ timestamp: "2026-06-15T11:05:19.653Z" }),
  address: (event, recipient) => ({
    ...event,
    mail: { ...mail, messageId: recipient, destination: [recipient] },
  }),
  distinct: [
    open,
    click,
    openedAs({ timestamp: "2026-06-15T11:05:19.653Z" }),
    { ...click, click: { ...click.click, link: "https://example.com" } },
    openOf({ messageId: "other" }),
  ],
  clients: [
    [open, "mobile"],
    [click, "desktop"],
  ],
  campaigns: [
    ["x-campaign", openOf({ headers }), "from-header"],
    ["x-campaign", openOf({ headers, tags: { "x-campaign": ["7"] } }), 7],
    ["source", open, "sender@example.com"],
    ["x-campaign", openOf({ headers: "none" }), undefined],
  ],
  external: { campaignField: "ses:configuration-set", event: open, external_id: "ConfigSet" },
  ignored: [
    { ...open, eventType: "Send" },
    { ...open, eventType: undefined, notificationType: "Open" },
    { notificationType: "AmazonSnsSubscriptionSucceeded", message: "You have successfully subscribed" },
    openOf({ tags: {} }),
    "Successfully validated SNS topic for Amazon SES event publishing.",
    // Nobody knows which of the recipients opened.
    openOf({ destination: ["ann@example.com", "bob@example.com"] }),
  ],
  unreadable: [JSON.stringify(open).slice(0, -20), "Hello world", "", "null", "[]", '"text"'],
  invalid: [
    [openedAs({ timestamp: "yesterday" }), /^at: "yesterday" is not an ISO-8601 time/],
    [{ ...open, open: null }, /^at: is missing/],
    [openOf({ messageId: undefined }), /^id: is missing/],
    [openOf({ messageId: 7 }), /^id: 7 is not text/],
    [openOf({ destination: [] }), /^recipient: /],
    [{ ...click, click: { ...click.click, link: "" } }, /^url: "" is not text/],
  ],
  forgeries(right) {
    const message = JSON.parse(right.body) as Message;
    const signature = message.Signature as string;
    return [
      ...[
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
        {
          Type: "SubscriptionConfirmation",
          SubscribeURL: "https://sns.us-east-1.amazonaws.com/",
          Token: "t",
        },
        { Type: "constructor" },
        { Type: undefined },
      ].map((change) => send({ ...message, ...change })),
      ...changeBody(right, JSON.stringify(open), "\u00ff\u00fe").filter(
        ({ body }) => body.trim() !== right.body,
      ),
    ];
  },
  refusal: /./,
  secretFormat: {
    description: /^the ARN of an SNS topic/,
    right: [
      topic,
      "arn:aws-us-gov:sns:us-gov-west-1:123456789012:a",
      "arn:aws-cn:sns:cn-north-1:123456789012:A_b-1",
    ],
    wrong: ["", "secret", topic.replace("sns", "sqs"), `${topic}:sub`, `${topic}.fifo`, ` ${topic}`],
  },
  oddities: ["Open", "2", amazon.certificateUrl, "Notification"],
};
