// The addresses inside messages: whose they are and where they lead is sealed in them, so that nobody can read or change
// it, and nothing has to be looked up before they are answered.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { SurveyKind } from "../../campaign/events/event.ts";
import { trackedPath } from "../request-log.ts";

/** The message that an address stands in. */
export interface TrackedMessage {
  organizationId: number;
  campaignId: number;
  /** Only where the campaign tracks individuals. */
  recipient?: string;
  /** In an Anonymous campaign, in place of the recipient. In an Overall one there is neither. */
  recipientHash?: string;
}

/** An answer to a survey, as a link of a message offers it. */
export interface SurveyAnswerLink {
  surveyId: string;
  kind: SurveyKind;
  question: string;
  /** A rating from 0 to 10, or the answer in words. */
  answer: number | string;
}

/** What stands behind an address besides the message. */
interface UrlContents {
  open: object;
  read: object;
  click: { url: string; isHidden: boolean };
  survey: SurveyAnswerLink;
}
export type TrackedUrlKind = keyof UrlContents;
export type TrackedUrl<Kind extends TrackedUrlKind> = TrackedMessage & UrlContents[Kind];

/** The part of the path that tells the kinds apart, and how what stands behind an address is written down. */
const kinds: {
  [Kind in TrackedUrlKind]: {
    letter: string;
    write(behind: UrlContents[Kind]): unknown[];
    read(parts: readonly never[]): UrlContents[Kind];
  };
} = {
  open: { letter: "o", write: () => [], read: () => ({}) },
  read: { letter: "r", write: () => [], read: () => ({}) },
  click: {
    letter: "c",
    write: ({ url, isHidden }) => (isHidden ? [url, 1] : [url]),
    read: ([url, hidden]) => ({ url: url as unknown as string, isHidden: hidden === 1 }),
  },
  survey: {
    letter: "s",
    write: ({ surveyId, kind, question, answer }) => [surveyId, kind, question, answer],
    read: ([surveyId, kind, question, answer]) =>
      ({ surveyId, kind, question, answer }) as unknown as SurveyAnswerLink,
  },
};

export const routePathOf = (kind: TrackedUrlKind) => `${trackedPath}${kinds[kind].letter}/:token`;

export interface TrackingUrls {
  build<Kind extends TrackedUrlKind>(kind: Kind, address: TrackedUrl<Kind>): string;
  /** Undefined for what was not written under one of the secrets, or as an address of another kind. */
  parse<Kind extends TrackedUrlKind>(kind: Kind, token: string): TrackedUrl<Kind> | undefined;
}

/**
 * @param secrets the first one seals; what others sealed is accepted as well
 * @param url the address under which readers reach the service, without a slash at its end
 */
export function makeTrackingUrls(secrets: readonly string[], url: () => string): TrackingUrls {
  const keys = secrets.map(keysOf);
  return {
    build(kind, address) {
      const [first] = keys;
      if (!first) throw new Error("there is no secret to seal addresses with");
      const { letter, write } = kinds[kind];
      const parts = [
        address.organizationId,
        address.campaignId,
        whoseOf(address),
        ...write(address as never),
      ];
      return `${url()}${trackedPath}${letter}/${seal(first, letter, JSON.stringify(parts))}`;
    },
    parse(kind, token) {
      const { letter, read } = kinds[kind];
      for (const each of keys) {
        const text = unseal(each, letter, token);
        if (text === undefined) continue;
        const [organizationId, campaignId, whose, ...parts] = JSON.parse(text);
        return { organizationId, campaignId, ...messageOf(whose), ...read(parts as never[]) } as never;
      }
      return undefined;
    },
  };
}

function whoseOf({ recipient, recipientHash }: TrackedMessage): string {
  if (recipient !== undefined) return `=${recipient}`;
  return recipientHash === undefined ? "" : `#${recipientHash}`;
}

function messageOf(whose: string): Pick<TrackedMessage, "recipient" | "recipientHash"> {
  if (whose === "") return {};
  return whose.startsWith("=") ? { recipient: whose.slice(1) } : { recipientHash: whose.slice(1) };
}

interface Keys {
  content: Buffer;
  tag: Buffer;
}

function keysOf(secret: string): Keys {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync("sha256", secret, "", `email-analytics tracked addresses: ${purpose}`, 32));
  return { content: derive("content"), tag: derive("tag") };
}

const tagLength = 16;

/**
 * The tag is a keyed hash of the content, and what the content is encrypted from (Rogaway and Shrimpton, "Deterministic
 * Authenticated-Encryption"; as RFC 5297, with HMAC-SHA-256 and AES-256-CTR). So no number has to be drawn that must
 * never come twice, however many addresses one secret seals; and the same content gives the same address.
 */
function seal(keys: Keys, letter: string, text: string): string {
  const content = Buffer.from(text);
  const tag = tagOf(keys, letter, content);
  const cipher = createCipheriv("aes-256-ctr", keys.content, tag);
  return Buffer.concat([tag, cipher.update(content), cipher.final()]).toString("base64url");
}

function unseal(keys: Keys, letter: string, token: string): string | undefined {
  const sealed = Buffer.from(token, "base64url");
  if (sealed.length <= tagLength) return undefined;
  const tag = sealed.subarray(0, tagLength);
  const decipher = createDecipheriv("aes-256-ctr", keys.content, tag);
  const content = Buffer.concat([decipher.update(sealed.subarray(tagLength)), decipher.final()]);
  return timingSafeEqual(tag, tagOf(keys, letter, content)) ? content.toString() : undefined;
}

function tagOf({ tag }: Keys, letter: string, content: Buffer): Buffer {
  return createHmac("sha256", tag).update(`${letter}\n`).update(content).digest().subarray(0, tagLength);
}
