// A fuzzed request, and headers that few clients send.

import type { Random } from "../../support/histories.ts";
import type { FuzzedOrganization } from "./fuzzed-organization.ts";
import { changeToken, oddText } from "./random-text.ts";

/** The interfaces of the service; each has its own answers. */
export type Interface = "download" | "odata" | "program" | "tracking" | "web" | "metrics";

export type Header = readonly [name: string, value: string];

export interface FuzzedRequest {
  interface: Interface;
  /** The path of the OpenAPI document that has its answers; undefined if there is none. */
  documentedPath?: string;
  method: string;
  /** The path and query. */
  target: string;
  headers?: readonly Header[];
  body?: Buffer | string;
}
export type MakeRequest = (random: Random, organization: FuzzedOrganization) => FuzzedRequest;

export const methods = "GET HEAD POST PUT PATCH DELETE OPTIONS PROPFIND QUERY".split(" ");

/** The right key of the scope, mostly. @param wrong of another scope */
export function credential(random: Random, right: string, wrong: string): Header[] {
  const way = random.between(1, 30);
  if (way === 1) return [];
  if (way === 2) return [["authorization", `Bearer ${wrong}`]];
  if (way === 3) return [["authorization", `Bearer ${changeToken(random, right)}`]];
  if (way === 4) return [["bearer_auth", right]];
  if (way === 5) return [["authorization", `Basic ${Buffer.from(`x:${right}`).toString("base64")}`]];
  return [["authorization", `Bearer ${right}`]];
}

const headerNames = [
  ..."accept accept-encoding accept-language if-none-match if-modified-since range x-request-id".split(" "),
  ..."user-agent cookie origin referer sec-fetch-site sec-purpose x-forwarded-for forwarded".split(" "),
  ..."authorization bearer_auth bearer-auth content-type content-encoding x-http-method-override".split(" "),
  ..."expect connection te upgrade proxy-connection webhook-request-origin x-odd".split(" "),
];

const headerValues = [
  ...'*/* text/html gzip br;q=1 gzip;q=x *;q=0 identity deflate W/"x" * Bearer Basic bytes=0-1 bytes=-'.split(
    " ",
  ),
  ...["Basic !!!", "Bearer x", "Digest x", "100-continue", "a=b; a=c; =; ea_session=", "127.0.0.1, ::1"],
  ...["application/json", "text/plain; charset=utf-16", "null", "cross-site", "prefetch", "trailers"],
];

export function oddHeaders(random: Random): Header[] {
  return Array.from({ length: random.chance(3) ? 150 : random.between(1, 4) }, () => {
    const value = random.chance(60) ? random.pick(headerValues) : oddText(random);
    return [random.pick(headerNames), toHeaderValue(value)];
  });
}

/** The UTF-8 bytes, one a character, without control characters: a line break would end the header. */
function toHeaderValue(text: string): string {
  const bytes = [...Buffer.from(text)].filter((byte) => byte >= 0x20 && byte !== 0x7f);
  return Buffer.from(bytes).toString("latin1");
}
