// What the contract of all providers needs to know about one (test/http/ingest/webhooks/contract.sqlite.test.ts).

import type fc from "fast-check";
import type { JsonObject } from "../../../src/providers/json-object.ts";
import type { ProviderEvent } from "../../../src/providers/provider.ts";

export interface SentRequest {
  body: string;
  headers: Record<string, string>;
}

/** How a client counts: as a person with this device or without a known one, or not at all. */
export type CountedClient = "desktop" | "mobile" | "person" | "machine";

export interface ProviderExample {
  /** The secret of the source, and one of another source. */
  secret: string;
  otherSecret: string;
  fetchUrl?: (url: string) => Promise<Buffer>;
  /** Whether a request contains a list of events. */
  isBatch: boolean;
  /** Serializes and signs a document, which is one event or a list of them. Text stays as it is. */
  send(document: unknown, url: string, secret?: string): SentRequest;

  /** An open and a click of campaign 1, and what is read from them. */
  open: JsonObject;
  click: JsonObject;
  read: { open: Partial<ProviderEvent>; click: Partial<ProviderEvent> };
  /** Events that an open contains: 2 if it also contains a reading. */
  eventsOfOpen?: number;
  /** How the open and the click may also arrive. */
  repeated?: readonly JsonObject[];
  /** Another open of the same recipient. */
  later: JsonObject;
  /** Makes another event of an event, to this recipient. */
  address(event: JsonObject, recipient: string): JsonObject;
  /** Events with an id of their own each. */
  distinct?: readonly JsonObject[];
  clients: readonly (readonly [JsonObject, CountedClient])[];

  /** A campaign field, an event, and the campaign read from it. */
  campaigns: readonly (readonly [string, JsonObject, string | number | undefined])[];
  /** An event whose campaign has this `external_id` in another field. */
  external: { campaignField: string; event: JsonObject; external_id: string };
  /** Documents without an open or click of a campaign. */
  ignored: readonly unknown[];
  /** Authenticated documents of another shape. */
  unreadable: readonly unknown[];
  /** Events with an invalid field, and the problem that is reported. */
  invalid: readonly (readonly [JsonObject, RegExp])[];

  /** Changes of an authenticated request after which it is refused. */
  forgeries(right: SentRequest, url: string): readonly SentRequest[];
  /** The message of those refusals. */
  refusal: RegExp;
  /** The message of a source without the secret that it requires. */
  missingSecret?: RegExp;
  secretFormat?: { description: RegExp; right: readonly string[]; wrong: readonly string[] };
  /** Random bodies that are nearly valid, and values that the parser treats specially. */
  bodies?: fc.Arbitrary<string>;
  oddities?: readonly unknown[];
}

export const json = { "content-type": "application/json" };

export const textOf = (document: unknown) =>
  typeof document === "string" ? document : JSON.stringify(document);

export const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });

/** For providers that sign nothing: the secret is a password or a token in the webhook URL or a header. */
export const sharedSecret = {
  secret: "s3cret",
  otherSecret: "other",
  send: (document: unknown, _url: string, secret = "s3cret") => ({
    body: textOf(document),
    headers: { ...json, ...basic(`any:${secret}`) },
  }),
  forgeries: (right: SentRequest) =>
    [
      {},
      basic("s3cret"),
      ...["s3cret", "Bearer s3cre", "Bearer other", "Basic !"].map((authorization) => ({ authorization })),
    ].map((headers) => ({ ...right, headers: { ...json, ...headers } as Record<string, string> })),
  refusal: /^The Authorization header does not contain the secret of this source\./,
};

/** The request with another body, for providers that sign it. */
export const changeBody = (right: SentRequest, ...bodies: readonly string[]) =>
  [right.body.slice(0, -1), `${right.body} `, "", "null", "[]", "%", ...bodies].map((body) => ({
    ...right,
    body,
  }));

/** The request without a header, or with other values of it. */
export function changeHeader(right: SentRequest, name: string, ...values: readonly string[]): SentRequest[] {
  const { [name]: _, ...headers } = right.headers;
  return [
    { ...right, headers },
    ...["", ...values].map((value) => ({ ...right, headers: { ...headers, [name]: value } })),
  ];
}

export const googleProxy =
  "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)";
export const appleProxy = "Mozilla/5.0";
export const scanner = "Barracuda Sentinel (EE)";
export const iPhone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";
