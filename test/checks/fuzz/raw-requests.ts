// Bytes that are no valid request, or more than one: malformed request lines and headers, smuggling, and noise.

import type { Random } from "../../support/histories.ts";
import type { FuzzedOrganization } from "./fuzzed-organization.ts";
import { oddText } from "./random-text.ts";

export function rawBytes(random: Random, { read, ingest }: FuzzedOrganization): Buffer {
  const text = random.pick(kinds)(random, random.chance(50) ? read : ingest);
  const bytes = Buffer.from(text, "latin1");
  return random.chance(20) ? flipBytes(random, bytes) : bytes;
}

const get = "GET /healthz HTTP/1.1\r\nhost: localhost\r\n";
const post = (key: string) =>
  `POST /ingest/v1/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`;
const noise = (random: Random, length: number) =>
  String.fromCharCode(...Array.from({ length }, () => random.between(0, 255)));

const kinds: readonly ((random: Random, key: string) => string)[] = [
  (random) => noise(random, random.between(1, 400)),
  (random) => `${oddText(random)} /healthz HTTP/1.1\r\n\r\n`,
  (random) => `GET ${oddText(random)} HTTP/1.1\r\nhost: x\r\n\r\n`,
  (random) =>
    `GET /healthz ${random.pick(["HTTP/0.9", "HTTP/2.0", "HTTP/1.2", "HTTP/1", "http/1.1", ""])}\r\n\r\n`,
  (random) => `${get}${oddText(random)}: ${oddText(random)}\r\n\r\n`,
  (random) => `${get}x${random.pick([" : y", "\t: y", ":\0", ":\r y", "\ny: z"])}\r\n\r\n`,
  (random) => `${get}x: ${"y".repeat(random.between(30_000, 80_000))}\r\n\r\n`,
  (random) => `GET /${"x".repeat(random.between(30_000, 80_000))} HTTP/1.1\r\n\r\n`,
  (random) => get.repeat(random.between(1, 3)),
  (random, key) =>
    `${post(key)}content-length: ${random.pick(["-1", "1, 2", "0x5", "1e3", "99999999999999999999", " "])}\r\n\r\n{}`,
  // Two framings: one of the classic ways to smuggle a request past a proxy (RFC 9112, section 11.2).
  (_random, key) => `${post(key)}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${get}\r\n`,
  (random, key) =>
    `${post(key)}transfer-encoding: ${random.pick(["xchunked", "chunked, identity", "identity", "\x0bchunked", "gzip, chunked"])}\r\n\r\n0\r\n\r\n${get}\r\n`,
  (_random, key) => `${post(key)}content-length: 2\r\ncontent-length: 3\r\n\r\n{} `,
  (random, key) =>
    `${post(key)}transfer-encoding: chunked\r\n\r\n${random.pick(["zz", "-1", "ffffffffffffffffff", "5;x=y", "3\n"])}\r\n{}\r\n0\r\n\r\n`,
  // Less than the announced body: the end of the connection cuts the request.
  (random, key) => `${post(key)}content-length: ${random.between(10, 100_000)}\r\n\r\n{"even`,
  (_random, key) => `${post(key)}transfer-encoding: chunked\r\n\r\n10\r\n{"even`,
  // Pipelined beyond the limit.
  (random) => `${get}\r\n`.repeat(random.between(2, 60)),
  () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  () => "CONNECT localhost:1 HTTP/1.1\r\nhost: localhost:1\r\n\r\n",
  () => "GET /healthz HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
  () => `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${"\x00".repeat(40)}`,
];

function flipBytes(random: Random, bytes: Buffer): Buffer {
  for (let times = random.between(1, 3); times > 0; times--) {
    const at = random.between(0, bytes.length - 1);
    bytes[at] = random.between(0, 255);
  }
  return bytes;
}
