// The URLs in tracked messages. Each contains everything needed to answer it, so a request needs no database query, and
// is sealed, so that only this service can read or change it.

import { deriveTokenKey, sealToken, tokenLength, unsealToken } from "../../access/sealed-token.ts";
import type { SurveyKind } from "../../campaign/events/event.ts";
import { paths } from "../../paths.ts";

export interface TrackingUrls {
  /** @throws Error if there is no secret */
  build<Kind extends TrackedUrlKind>(kind: Kind, url: TrackedUrl<Kind>): string;
  /** Undefined if the token was altered, has another kind, is too long for it, or was sealed with an unknown secret. */
  parse<Kind extends TrackedUrlKind>(kind: Kind, token: string): TrackedUrl<Kind> | undefined;
}

export type TrackedUrlKind = keyof UrlContents;
type TrackedUrl<Kind extends TrackedUrlKind> = TrackedMessage & UrlContents[Kind];

/** The message that contains a URL. */
export interface TrackedMessage {
  organizationId: number;
  campaignId: number;
  /** The registration of the campaign: its events do not count in a later one with the same id. */
  registration: number;
  /** The recipient in campaigns with *Individual* tracking. */
  recipient?: string;
  /** Instead of the recipient in *Anonymous* campaigns. *Overall* campaigns have neither. */
  recipientHash?: string;
}

/**
 * Identifies a recipient of a campaign in the memory of this process. Undefined if all have the same message. The token
 * would not do: after a rotation of the secrets, one message has several.
 */
export function recipientKeyOf(message: TrackedMessage): string | undefined {
  const name = message.recipient ?? message.recipientHash;
  return name === undefined ? undefined : `${message.organizationId} ${message.campaignId} ${name}`;
}

/** One answer to a survey, offered as a link. */
export interface SurveyAnswerLink {
  surveyId: string;
  kind: SurveyKind;
  question: string;
  /** A rating from 0 to 10, or the text of the answer. */
  answer: number | string;
}

/** What each kind of URL contains besides the message. */
interface UrlContents {
  open: object;
  read: object;
  click: { url: string; isHidden: boolean };
  survey: SurveyAnswerLink;
}

/** The path segment of each kind, and its contents as a JSON array, which is shorter than an object. */
const kinds: {
  [Kind in TrackedUrlKind]: {
    letter: string;
    /** Above the longest accepted contents with their message. Longer tokens are refused unread: decrypting is slow. */
    maxBytes: number;
    toArray(contents: UrlContents[Kind]): unknown[];
    fromArray(values: readonly never[]): UrlContents[Kind];
  };
} = {
  open: { letter: "o", maxBytes: 4_000, toArray: () => [], fromArray: () => ({}) },
  read: { letter: "r", maxBytes: 4_000, toArray: () => [], fromArray: () => ({}) },
  click: {
    letter: "c",
    maxBytes: 20_000,
    toArray: ({ url, isHidden }) => (isHidden ? [url, 1] : [url]),
    fromArray: ([url, hidden]) => ({ url: url as unknown as string, isHidden: hidden === 1 }),
  },
  survey: {
    letter: "s",
    maxBytes: 8_000,
    toArray: ({ surveyId, kind, question, answer }) => [surveyId, kind, question, answer],
    fromArray: ([surveyId, kind, question, answer]) =>
      ({ surveyId, kind, question, answer }) as unknown as SurveyAnswerLink,
  },
};

export const routePathOf = (kind: TrackedUrlKind) => `${paths.tracking.tracked}${kinds[kind].letter}/:token`;

/**
 * @param secrets the first seals new URLs; URLs sealed with any of them are accepted, so that a secret can be rotated
 * @param baseUrl where mail clients reach the service, without a trailing slash
 */
export function makeTrackingUrls(secrets: readonly string[], baseUrl: () => string): TrackingUrls {
  const keys = secrets.map(deriveTokenKey);
  return {
    build(kind, url) {
      const [key] = keys;
      if (!key) throw new Error("there is no secret to seal tracking URLs with");
      const { letter, toArray } = kinds[kind];
      const { organizationId, campaignId, registration } = url;
      const message = [organizationId, campaignId, registration, encodeRecipient(url)];
      const values = [...message, ...toArray(url as never)];
      return `${baseUrl()}${paths.tracking.tracked}${letter}/${sealToken(key, letter, JSON.stringify(values))}`;
    },
    parse(kind, token) {
      const { letter, maxBytes, fromArray } = kinds[kind];
      if (token.length > tokenLength(maxBytes)) return undefined;
      const text = unsealToken(keys, letter, token);
      if (text === undefined) return undefined;
      const [organizationId, campaignId, registration, recipient, ...values] = JSON.parse(text);
      return {
        organizationId,
        campaignId,
        registration,
        ...decodeRecipient(recipient),
        ...fromArray(values as never[]),
      } as never;
    },
  };
}

/** `=` and the recipient, `#` and the hash, or an empty string. */
function encodeRecipient({ recipient, recipientHash }: TrackedMessage): string {
  if (recipient !== undefined) return `=${recipient}`;
  return recipientHash === undefined ? "" : `#${recipientHash}`;
}

function decodeRecipient(text: string): Pick<TrackedMessage, "recipient" | "recipientHash"> {
  if (text === "") return {};
  return text.startsWith("=") ? { recipient: text.slice(1) } : { recipientHash: text.slice(1) };
}
