// Refuses requests by their head alone.

import type { FastifyRequest } from "fastify";
import { quote } from "../../campaign/fields/quote.ts";
import { AppError } from "../../errors.ts";

/**
 * Node's parser accepts a fragment and every scheme, which a request target cannot have, and any number of Host headers. With
 * two, a proxy and the service could read different ones (RFC 9112, section 3.2).
 *
 * @throws AppError `bad_request`
 */
export function checkHead({ url, method, raw }: FastifyRequest): void {
  const isValid = url.startsWith("/") ? !url.includes("#") : url === "*" && method === "OPTIONS";
  if (!isValid) throw invalidUrl(url);
  const { length: hosts } = raw.headersDistinct.host ?? [];
  if (hosts !== 1 && (hosts !== 0 || !isHttp10(raw))) {
    throw new AppError("bad_request", `The request has ${hosts} Host headers. Send exactly one.`);
  }
}

export function invalidUrl(url: string): AppError {
  return new AppError(
    "bad_request",
    `The URL ${quote(url)} is invalid. Send a path that starts with "/", has no "#", and is percent-encoded UTF-8.`,
  );
}

/**
 * Call it before a response without Content-Length. Over HTTP/1.0 its end is that of the connection: one that a killed process
 * cut looks whole.
 *
 * @throws AppError `http_version_not_supported`
 */
export function requireChunks({ raw }: FastifyRequest): void {
  if (isHttp10(raw)) {
    throw new AppError("http_version_not_supported");
  }
}

function isHttp10({ httpVersion }: FastifyRequest["raw"]): boolean {
  return httpVersion === "1.0";
}
