// A fuzzed request: its bytes, its interface and its number.

import type { Random } from "../../test/support/histories.ts";
import { oddText } from "./random-text.ts";

/** The interfaces of the service; each has its own answers. */
export type Interface = "download" | "odata" | "program" | "tracking" | "web" | "metrics" | "raw";

export interface FuzzedRequest {
  /** The seed from which it was made. */
  number: number;
  interface: Interface;
  /** The path of the OpenAPI document that has its answers; undefined if there is none. */
  documentedPath?: string;
  method: string;
  bytes: Buffer;
  /** The bytes may be anything but one request. The client sends them alone, and then ends its side. */
  isAlone: boolean;
}

export interface RequestParts {
  interface: Interface;
  documentedPath?: string;
  method: string;
  /** The path and query. */
  target: string;
  headers?: readonly Header[];
  body?: Buffer | string;
}

/** Before it has its number. */
export type UnnumberedRequest = Omit<FuzzedRequest, "number">;

export type Header = readonly [name: string, value: string];

/** Writes a request, its body sometimes in chunks, and sometimes with headers that few clients send. */
export function toRequest(
  random: Random,
  { target, headers = [], body, ...rest }: RequestParts,
): UnnumberedRequest {
  const lines = [`${rest.method} ${target} HTTP/1.1`, "host: localhost"];
  const more = rest.interface !== "metrics" && random.chance(15) ? oddHeaders(random) : [];
  for (const [name, value] of [...headers, ...more]) lines.push(`${name}: ${value}`);
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const isChunked = bytes !== undefined && random.chance(10);
  if (isChunked) lines.push("transfer-encoding: chunked");
  else if (bytes) lines.push(`content-length: ${bytes.length}`);
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  const sent = !bytes ? [head] : [head, isChunked ? inChunks(random, bytes) : bytes];
  return { ...rest, bytes: Buffer.concat(sent), isAlone: false };
}

function inChunks(random: Random, body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const chunk = body.subarray(at, at + random.between(1, Math.max(1, body.length)));
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n"));
    at += chunk.length;
  }
  return Buffer.concat([...chunks, Buffer.from("0\r\n\r\n")]);
}

const headerNames = [
  ...[
    "accept",
    "accept-encoding",
    "accept-language",
    "if-none-match",
    "if-modified-since",
    "range",
    "x-request-id",
  ],
  ...[
    "user-agent",
    "cookie",
    "origin",
    "referer",
    "sec-fetch-site",
    "sec-purpose",
    "x-forwarded-for",
    "forwarded",
  ],
  ...[
    "authorization",
    "bearer_auth",
    "bearer-auth",
    "content-type",
    "content-encoding",
    "x-http-method-override",
  ],
  ...["expect", "connection", "te", "upgrade", "proxy-connection", "webhook-request-origin", "x-odd"],
];

const headerValues = [
  ...[
    "*/*",
    "text/html",
    "gzip",
    "br;q=1, gzip;q=0.5",
    "gzip;q=x",
    "*;q=0",
    "identity",
    "deflate",
    'W/"x"',
    "*",
  ],
  ...[
    "Bearer",
    "Basic",
    "Basic !!!",
    "Bearer x",
    "Digest x",
    "bytes=0-1",
    "bytes=-",
    "100-continue",
    "a=b; a=c; =; ea_session=",
  ],
  ...[
    "application/json",
    "text/plain; charset=utf-16",
    "null",
    "cross-site",
    "prefetch",
    "127.0.0.1, ::1",
    "trailers",
  ],
];

function oddHeaders(random: Random): Header[] {
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

const shownBytes = 2_000;

/** The number of a request and its first bytes, for error messages. */
export function describeRequest({ number, bytes }: FuzzedRequest): string {
  return `request ${number}: ${JSON.stringify(bytes.toString("latin1", 0, shownBytes))}`;
}
