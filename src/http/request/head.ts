// Rejects requests by their head alone: an invalid or too long URL, too large headers, an invalid Host or Expect.

import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { quote } from "../../campaign/quote.ts";
import { AppError } from "../../errors.ts";

/** @throws AppError `uri_too_long`, `request_header_fields_too_large`, `bad_request` or `expectation_failed` */
export function checkRequestHead({ raw }: FastifyRequest, maxBytes: number): void {
  const url = raw.url ?? "";
  if (url.length > maxBytes) {
    throw new AppError("uri_too_long", `The URL has ${url.length} bytes; the maximum is ${maxBytes}.`);
  }
  let bytes = url.length;
  for (const text of raw.rawHeaders) bytes += text.length + 2;
  if (bytes > maxBytes) {
    throw new AppError(
      "request_header_fields_too_large",
      `The URL and headers have ${bytes} bytes; the maximum is ${maxBytes}.`,
    );
  }
  if (!isValidTarget(url, raw.method)) throw invalidUrl(url);
  checkHost(raw);
  checkExpectation(raw);
}

/**
 * Call it before a response without Content-Length. Over HTTP/1.0 its end is that of the connection: one that a killed process
 * cut looks whole.
 *
 * @throws AppError `http_version_not_supported`
 */
export function requireChunks({ raw }: FastifyRequest): void {
  if (raw.httpVersionMajor === 1 && raw.httpVersionMinor === 0) {
    throw new AppError("http_version_not_supported");
  }
}

/** Node's parser accepts a fragment and every scheme, which a request target cannot have (RFC 9112, section 3.2). */
function isValidTarget(url: string, method: string | undefined): boolean {
  return url.startsWith("/") ? !url.includes("#") : url === "*" && method === "OPTIONS";
}

/** A host name or an IP address, and perhaps a port (RFC 3986, section 3.2.2). */
const validHost = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** RFC 9112, section 3.2: a proxy and this server must never take the same request for two different hosts. */
function checkHost({ headers: { host }, httpVersion, rawHeaders }: IncomingMessage): void {
  if (host === undefined) {
    if (httpVersion !== "1.1") return;
    throw new AppError("bad_request", "The Host header is missing. HTTP/1.1 requires it.");
  }
  if (!validHost.test(host)) {
    throw new AppError(
      "bad_request",
      `Host: ${quote(host)} is not a host name or IP address, with or without a port.`,
    );
  }
  // Node keeps only the first of several Host headers in `headers`.
  const count = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
  if (count > 1) throw new AppError("bad_request", `The request has ${count} Host headers. Send one.`);
}

/** HTTP/1.0 has no expectations (RFC 9110, section 10.1.1). */
function checkExpectation({ headers: { expect }, httpVersion }: IncomingMessage): void {
  if (expect === undefined || httpVersion !== "1.1" || /\b100-continue\b/i.test(expect)) return;
  throw new AppError("expectation_failed");
}

export function invalidUrl(url: string): AppError {
  return new AppError(
    "bad_request",
    `The URL ${quote(url)} is invalid. Send a path that starts with "/", has no "#", and is percent-encoded UTF-8.`,
  );
}
