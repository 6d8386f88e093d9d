// Rejects requests by their head alone: URL too long or invalid, headers too large, no Host.

import type { FastifyRequest } from "fastify";
import { quote } from "../campaign/quote.ts";
import { AppError } from "../errors.ts";

/** @throws AppError `uri_too_long`, `request_header_fields_too_large` or `bad_request` */
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
  if (raw.httpVersion === "1.1" && raw.headers.host === undefined) {
    throw new AppError("bad_request", "The Host header is missing. HTTP/1.1 requires it.");
  }
}

/** Node's parser accepts a fragment and every scheme, which a request target cannot have (RFC 9112, section 3.2). */
function isValidTarget(url: string, method: string | undefined): boolean {
  return url.startsWith("/") ? !url.includes("#") : url === "*" && method === "OPTIONS";
}

export function invalidUrl(url: string): AppError {
  return new AppError(
    "bad_request",
    `The URL ${quote(url)} is invalid. Send a path that starts with "/", has no "#", and is percent-encoded UTF-8.`,
  );
}
