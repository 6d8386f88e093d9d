// What the headers of an OData request ask for: version, format and page size.

import type { IncomingHttpHeaders } from "node:http";
import { quote } from "../../campaign/fields/quote.ts";
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
 * Checks that the client takes the only format of the resource, by `$format`, which goes before the header Accept (OData
 * Protocol 4.0, 11.2.10). Of the parameters of media types only IEEE754Compatible is compared: metadata is minimal,
 * whatever a client likes best.
 *
 * @param types each of which is acceptable, such as `application/json`
 * @returns whether integers of 64 bits are to be text (OData JSON Format 4.0, 3.2)
 * @throws AppError `not_acceptable`
 */
export function negotiateFormat(
  { accept }: IncomingHttpHeaders,
  format: string | undefined,
  types: readonly string[],
): boolean {
  if (format === undefined && (accept === undefined || accept.trim() === "")) return false;
  const ranges = (format ?? (accept as string))
    .toLowerCase()
    .split(",")
    .filter((range) => !/;\s*q=0(?:\.0*)?\s*$/.test(range))
    .map((range) => range.replaceAll(/\s/g, ""));
  const wanted =
    format === undefined
      ? types.flatMap((type) => [type, type.replace(/\/.*/, "/*"), "*/*"])
      : types.flatMap((type) => [type, type.replace(/.*\//, "")]);
  const allowed = ranges.filter((range) => wanted.includes(range.split(";", 1)[0] ?? ""));
  if (allowed.length > 0) return allowed.some((range) => /;ieee754compatible=true(?:;|$)/.test(range));
  const given = format === undefined ? `Accept: ${quote(accept)} allows` : `$format: ${quote(format)} is`;
  throw new AppError("not_acceptable", `${given} no ${types.join(" or ")}, the only format here.`);
}

/** The page size that the client prefers (OData Protocol 4.0, 8.2.8.5); undefined if it has no preference. */
export function preferredPageSize({ prefer }: IncomingHttpHeaders): number | undefined {
  const text = /(?:^|[,;])\s*(?:odata\.)?maxpagesize\s*=\s*"?(\d{1,15})"?\s*(?=$|[,;])/i.exec(
    String(prefer ?? ""),
  )?.[1];
  return Number(text) >= 1 ? Number(text) : undefined;
}
