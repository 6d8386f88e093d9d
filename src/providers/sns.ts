// Messages of Amazon SNS: who signed them, and the subscription that it wants confirmed
// (docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message-verify-message-signature.html).
//
// By node:crypto, and not by sns-payload-validator or sns-validator: those fetch the certificate by themselves, without
// a bound on time and size and with no other way to ask, and from hosts that may be anybody's (a bucket of the name sns
// was sns.s3-us-west-2.amazonaws.com).

import { verify, X509Certificate } from "node:crypto";
import { quote } from "../campaign/quote.ts";
import { AppError } from "../errors.ts";
import { fieldOf, fieldsOf, isSameText, parseJson } from "./fields.ts";
import type { Fields, Handshake, Webhook } from "./provider.ts";

/** @throws Refusal `unauthorized`; `unavailable` where Amazon does not answer, so that it sends again */
export async function admitFromTopic(webhook: Webhook): Promise<Handshake | undefined> {
  const { headers, body, secret: topic, ask } = webhook;
  if (headers["x-amz-sns-rawdelivery"] !== undefined) {
    throw new AppError(
      "unauthorized",
      "Raw message delivery leaves the signature out: turn it off for this subscription at Amazon SNS.",
    );
  }
  const message = messageIn(body);
  const given = fieldOf(message, "TopicArn");
  if (topic !== undefined && !(typeof given === "string" && isSameText(given, topic))) {
    throw new AppError("unauthorized", `TopicArn: ${quote(given)} is not the topic of this source.`);
  }
  await refuseForgery(message, ask);
  const { Type: type, SubscribeURL: url } = message;
  if (type === "Notification") return undefined;
  // Whoever took the subscription back meant it.
  if (type === "UnsubscribeConfirmation") return { body: { status: "unsubscribed" } };
  if (!hostPattern.test(addressIn(url)?.origin ?? "")) throw addressRefusal("SubscribeURL", url);
  await ask(url as string);
  return { body: { status: "confirmed" } };
}

/** What is accepted as a topic, in words. */
export function faultOfTopic(text: string): string | undefined {
  return /^arn:aws[a-z-]*:sns:[a-z\d-]+:\d{12}:[\w-]{1,256}$/.test(text)
    ? undefined
    : "the ARN of an SNS topic, such as arn:aws:sns:us-east-1:123456789012:ses-events";
}

const confirmation = ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];
/** What is signed of each type of message, in this order. */
const signedNames = new Map<unknown, readonly string[]>([
  ["Notification", ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]],
  ["SubscriptionConfirmation", confirmation],
  ["UnsubscribeConfirmation", confirmation],
]);

const algorithms = new Map<unknown, string>([
  ["1", "RSA-SHA1"],
  ["2", "RSA-SHA256"],
]);

function messageIn(body: Buffer): Fields {
  let message: Fields = {};
  try {
    message = fieldsOf(parseJson(body));
  } catch {
    // Said below, as of all that is no message.
  }
  if (signedNames.has(fieldOf(message, "Type"))) return message;
  throw new AppError(
    "unauthorized",
    "This is no message of Amazon SNS: let the topic send to this address, by a subscription with the protocol HTTPS.",
  );
}

/** @throws Refusal where the message is not signed by Amazon */
async function refuseForgery(message: Fields, ask: Webhook["ask"]): Promise<void> {
  const { SignatureVersion: version, Signature: signature, SigningCertURL: url } = message;
  const algorithm = algorithms.get(version);
  const text = signedTextOf(message);
  if (algorithm === undefined || text === undefined || typeof signature !== "string") {
    throw new AppError("unauthorized", "The message has no signature of Amazon SNS of the version 1 or 2.");
  }
  const address = addressIn(url);
  // The host answers other questions as well, with words of whoever asks: only its certificates are certificates.
  if (
    !address ||
    !hostPattern.test(address.origin) ||
    !certificatePattern.test(address.pathname + address.search + address.hash)
  ) {
    throw addressRefusal("SigningCertURL", url);
  }
  const { publicKey, validFromDate, validToDate } = await certificateAt(address.href, ask);
  const now = Date.now();
  if (now < validFromDate.getTime() || now > validToDate.getTime()) {
    throw new AppError("unauthorized", "SigningCertURL: the certificate is not valid at this time.");
  }
  if (!verify(algorithm, Buffer.from(text), publicKey, Buffer.from(signature, "base64"))) {
    throw new AppError("unauthorized", "The signature is not that of Amazon SNS for this message.");
  }
}

function signedTextOf(message: Fields): string | undefined {
  let text = "";
  for (const name of signedNames.get(message.Type) ?? []) {
    const value = fieldOf(message, name);
    if (name === "Subject" && (value === undefined || value === null)) continue;
    if (typeof value !== "string") return undefined;
    text += `${name}\n${value}\n`;
  }
  return text;
}

/** Of every region, such as us-gov-west-1, and of China; the default port. No name that a customer could have. */
const hostPattern = /^https:\/\/sns\.[a-z]{2,4}(-[a-z]+)+-\d{1,2}\.amazonaws\.com(\.cn)?$/;
const certificatePattern = /^\/SimpleNotificationService-[\dA-Za-z]{32}\.pem$/;

/** Undefined for what is no address, and for one with a name and password, which are not sent anywhere. */
function addressIn(value: unknown): URL | undefined {
  const address = typeof value === "string" ? URL.parse(value) : null;
  return address && address.username === "" && address.password === "" ? address : undefined;
}

const addressRefusal = (field: string, value: unknown) =>
  new AppError("unauthorized", `${field}: ${quote(value)} is no address of Amazon SNS.`);

/** Amazon has one in each region at a time; what a flood of made-up ones would take is bounded. */
const rememberedMax = 100;
const remembered = new Map<string, Promise<X509Certificate>>();

/** Messages that come at the same time wait for the same answer. A failure is not remembered. */
function certificateAt(address: string, ask: Webhook["ask"]): Promise<X509Certificate> {
  const known = remembered.get(address);
  if (known) return known;
  if (remembered.size >= rememberedMax) remembered.clear();
  const asked = fetchCertificate(address, ask);
  remembered.set(address, asked);
  asked.catch(() => remembered.delete(address));
  return asked;
}

/** Who answers under the host has shown a certificate for it, so the chain of this one need not be followed as well. */
async function fetchCertificate(address: string, ask: Webhook["ask"]): Promise<X509Certificate> {
  const answer = await ask(address);
  try {
    const certificate = new X509Certificate(answer);
    if (certificate.publicKey.asymmetricKeyType === "rsa") return certificate;
  } catch {
    // Said below.
  }
  throw new AppError(
    "unavailable",
    "SigningCertURL: what Amazon answers is no certificate of SNS. Try again.",
  );
}
