// Sends fuzzed requests: valid HTTP with a client of Node, other bytes on a connection of their own.

import assert from "node:assert/strict";
import { type Agent, request } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Random } from "../../support/histories.ts";
import { rawConnection } from "../../support/raw-request.ts";
import { type FuzzedRequest, oddHeaders } from "./fuzzed-request.ts";

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** As sent, perhaps compressed. */
  body: Buffer;
}

const timeoutMs = 10_000;

/** Sends a request, its body sometimes in chunks, and sometimes with headers that few clients send. */
export function sendRequest(
  origin: string,
  { interface: name, method, target, headers = [], body }: FuzzedRequest,
  { agent, random }: { agent: Agent; random: Random },
): Promise<Answer> {
  const { hostname: host, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, path: target, method, agent, timeout: timeoutMs });
    const more = name !== "metrics" && random.chance(15) ? oddHeaders(random) : [];
    for (const [header, value] of [...headers, ...more]) sent.appendHeader(header, value);
    if (body !== undefined && !random.chance(10)) sent.setHeader("content-length", Buffer.byteLength(body));
    sent.on("timeout", () => sent.destroy(new Error(`no response within ${timeoutMs} ms`)));
    sent.on("error", reject);
    sent.on("response", (response) => {
      const status = response.statusCode ?? 0;
      const received = response.headers as Record<string, string>;
      buffer(response).then((bytes) => resolve({ status, headers: received, body: bytes }), reject);
    });
    sent.end(body);
  });
}

/** The server has this long to begin a response. It does not answer all bytes. */
const answerMs = 20;

/**
 * Sends bytes, and ends its side soon after.
 *
 * @throws AssertionError if the server sends no HTTP or a 5xx, or does not close the connection
 */
export async function sendRaw(origin: string, bytes: Buffer): Promise<void> {
  const { socket, closed } = rawConnection(Number(new URL(origin).port));
  socket.write(bytes);
  const end = setTimeout(() => socket.end(), answerMs);
  const late = setTimeout(() => socket.destroy(new Error()), timeoutMs);
  const started = performance.now();
  const text = await closed;
  clearTimeout(end);
  clearTimeout(late);
  assert.ok(performance.now() - started < timeoutMs, `the connection is open after ${timeoutMs} ms`);
  assert.match(text, /^$|^HTTP\/1\.1 [1-4]\d\d /);
  assert.doesNotMatch(text, /HTTP\/1\.1 5(?!01|03)\d\d /);
}
