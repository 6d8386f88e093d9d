// Rejects requests by their head alone: URL too long, headers too large, no Host.

import type { FastifyRequest } from "fastify";
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
  if (raw.httpVersion === "1.1" && raw.headers.host === undefined) {
    throw new AppError("bad_request", "The Host header is missing. HTTP/1.1 requires it.");
  }
}
