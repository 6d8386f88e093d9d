// What the headers of an OData request ask for: version, format and page size.

import type { IncomingHttpHeaders } from "node:http";
import { quote } from "../../campaign/quote.ts";
import { AppError } from "../../errors.ts";

/** @throws AppError `bad_request` if the client understands no version 4 of OData */
export function checkMaxVersion(headers: IncomingHttpHeaders): void {
  const version = headers["odata-maxversion"];
  if (version === undefined) return;
  if (/^\d+(?:\.\d+)?$/.test(String(version)) && Number(version) >= 4) return;
  throw new AppError(
    "bad_request",
    `OData-MaxVersion: ${quote(version)} is not supported; this service speaks 4.0.`,
  );
}

/**
 * Parameters of media types are not compared: metadata is minimal, whatever a client likes best.
 *
 * @param types each of which is acceptable, such as `application/json`
 * @throws AppError `not_acceptable`
 */
export function checkAccept({ accept }: IncomingHttpHeaders, types: readonly string[]): void {
  if (accept === undefined || accept.trim() === "") return;
  const ranges = accept
    .toLowerCase()
    .split(",")
    .filter((range) => !/;\s*q=0(?:\.0*)?\s*$/.test(range));
  const allowed = ranges.map((range) => range.split(";", 1)[0]?.trim() ?? "");
  const wanted = types.flatMap((type) => [type, type.replace(/\/.*/, "/*"), "*/*"]);
  if (allowed.some((range) => wanted.includes(range))) return;
  throw new AppError(
    "not_acceptable",
    `Accept: ${quote(accept)} allows no ${types.join(" or ")}, the only format here.`,
  );
}

/** The page size that the client prefers (OData Protocol 4.0, 8.2.8.5); undefined if it has no preference. */
export function preferredPageSize({ prefer }: IncomingHttpHeaders): number | undefined {
  const text = /(?:^|[,;])\s*(?:odata\.)?maxpagesize\s*=\s*"?(\d{1,15})"?\s*(?=$|[,;])/i.exec(
    String(prefer ?? ""),
  )?.[1];
  return Number(text) >= 1 ? Number(text) : undefined;
}
