// Amazon SNS messages: signature verification and subscription confirmation
// (docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message-verify-message-signature.html).
//
// sns-payload-validator and sns-validator are not used: they fetch the certificate without a limit on time and size, and
// from hosts that a customer can own (a bucket named sns was sns.s3-us-west-2.amazonaws.com).

import { verify, type X509Certificate } from "node:crypto";
import { constantTimeEqual } from "../access/constant-time-equal.ts";
import { quote } from "../campaign/fields/quote.ts";
import { AppError } from "../errors.ts";
import { type JsonObject, ownProperty, toJsonObject, tryParseJson } from "./json-object.ts";
import type { SecretFormat, ValidationResponse, WebhookRequest } from "./provider.ts";
import { loadSnsCertificate } from "./sns-certificates.ts";

/**
 * Verifies the signature of a message, and confirms the subscription if that is what the message asks for.
 *
 * @throws AppError `unauthorized`; `unavailable` if Amazon does not respond, so that SNS retries
 */
export async function authenticateSnsMessage({
  headers,
  body,
  secret: topic,
  fetch,
}: WebhookRequest): Promise<ValidationResponse | undefined> {
  if (headers["x-amz-sns-rawdelivery"] !== undefined) {
    throw new AppError(
      "unauthorized",
      "The message has no signature, because raw message delivery is on. Turn it off for this subscription in Amazon SNS.",
    );
  }
  const message = parseMessage(body);
  const messageTopic = ownProperty(message, "TopicArn");
  if (topic !== undefined && !(typeof messageTopic === "string" && constantTimeEqual(messageTopic, topic))) {
    throw new AppError("unauthorized", `TopicArn: ${quote(messageTopic)} is not the topic of this source.`);
  }
  await verifySignature(message, fetch);
  const { Type: type, SubscribeURL: url } = message;
  if (type === "Notification") return undefined;
  // Someone unsubscribed on purpose, and fetching the SubscribeURL would undo that.
  if (type === "UnsubscribeConfirmation") return { body: { status: "unsubscribed" } };
  if (!snsOrigin.test(parseUrl(url)?.origin ?? "")) throw foreignUrl("SubscribeURL", url);
  await fetch(url as string);
  return { body: { status: "confirmed" } };
}

export const topicArnFormat: SecretFormat = {
  description: "the ARN of an SNS topic, such as arn:aws:sns:us-east-1:123456789012:ses-events",
  isValid: (secret) => /^arn:aws[a-z-]*:sns:[a-z\d-]+:\d{12}:[\w-]{1,256}$/.test(secret),
};

const confirmationFields = ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];
/** The signed fields of each message type, in this order. */
const signedFields = new Map<unknown, readonly string[]>([
  ["Notification", ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]],
  ["SubscriptionConfirmation", confirmationFields],
  ["UnsubscribeConfirmation", confirmationFields],
]);

/** The algorithms by `SignatureVersion`. */
const algorithms = new Map<unknown, string>([
  ["1", "RSA-SHA1"],
  ["2", "RSA-SHA256"],
]);

/** @throws AppError `unauthorized` if the body is not an SNS message */
function parseMessage(body: Buffer): JsonObject {
  const message = toJsonObject(tryParseJson(body));
  if (signedFields.has(ownProperty(message, "Type"))) return message;
  throw new AppError(
    "unauthorized",
    "The body is not an Amazon SNS message. Subscribe this webhook URL to the topic with the protocol HTTPS.",
  );
}

/** @throws AppError `unauthorized` if Amazon did not sign the message */
async function verifySignature(message: JsonObject, fetch: WebhookRequest["fetch"]): Promise<void> {
  const { SignatureVersion: version, Signature: signature, SigningCertURL: certificateUrl } = message;
  const algorithm = algorithms.get(version);
  const text = signedTextOf(message);
  if (algorithm === undefined || text === undefined || typeof signature !== "string") {
    throw new AppError("unauthorized", "The message has no Amazon SNS signature of version 1 or 2.");
  }
  const url = parseUrl(certificateUrl);
  // The same host serves other content that a customer controls, so the path must be a certificate's.
  const isCertificate =
    url && snsOrigin.test(url.origin) && certificatePath.test(url.pathname + url.search + url.hash);
  if (!isCertificate) throw foreignUrl("SigningCertURL", certificateUrl);
  const certificate = await loadSnsCertificate(url.href, fetch);
  if (!isValidNow(certificate)) {
    throw new AppError("unauthorized", "SigningCertURL: the certificate has expired or is not valid yet.");
  }
  if (!verify(algorithm, Buffer.from(text), certificate.publicKey, Buffer.from(signature, "base64"))) {
    throw new AppError("unauthorized", "The message has no valid Amazon SNS signature.");
  }
}

function signedTextOf(message: JsonObject): string | undefined {
  let text = "";
  for (const name of signedFields.get(message.Type) ?? []) {
    const value = ownProperty(message, name);
    if (name === "Subject" && (value === undefined || value === null)) continue;
    if (typeof value !== "string") return undefined;
    text += `${name}\n${value}\n`;
  }
  return text;
}

function isValidNow({ validFromDate, validToDate }: X509Certificate): boolean {
  const now = Date.now();
  return now >= validFromDate.getTime() && now <= validToDate.getTime();
}

/**
 * Any region, such as us-gov-west-1, also of China and of the European Sovereign Cloud, whose domain is amazonaws.eu
 * (github.com/boto/botocore, endpoints.json); the default port. Customers cannot own these names.
 */
const snsOrigin = /^https:\/\/sns\.[a-z]{2,4}(-[a-z]+)+-\d{1,2}\.amazonaws\.(com(\.cn)?|eu)$/;
const certificatePath = /^\/SimpleNotificationService-[\dA-Za-z]{32}\.pem$/;

/** Undefined if the value is not a URL, or contains a user name or password. */
function parseUrl(value: unknown): URL | undefined {
  const url = typeof value === "string" ? URL.parse(value) : null;
  return url && url.username === "" && url.password === "" ? url : undefined;
}

const foreignUrl = (field: string, value: unknown) =>
  new AppError("unauthorized", `${field}: ${quote(value)} is not a URL of Amazon SNS.`);
