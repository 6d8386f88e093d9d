// Parses JSON request bodies within limits on decompressed bytes and number of values, both checked before parsing.

import { gunzipSync } from "node:zlib";
import { AppError } from "../errors.ts";

export const lineFeed = 0x0a;

/**
 * @param maxBytes of the decompressed body
 * @throws AppError `bad_request` if the body is not valid JSON; `payload_too_large` if it exceeds a limit
 */
export function parseBoundedJson(
  body: Uint8Array,
  isGzipped: boolean,
  { maxBytes, maxValues }: { maxBytes: number; maxValues: number },
): unknown {
  const bytes = isGzipped ? gunzip(body, maxBytes) : body;
  checkValueCount(bytes, maxValues);
  return parseJson(decodeUtf8(bytes));
}

/**
 * Counts the members of all arrays and objects, and the lines, without parsing. A byte limit is not enough: `[[],[],…`
 * takes far more memory when parsed.
 *
 * @throws AppError `payload_too_large` if there are more than `maxValues`
 */
export function checkValueCount(bytes: Uint8Array, maxValues: number): void {
  if (bytes.length <= maxValues) return;
  let values = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isInString && byte === 0x5c) at += 1;
    else if (byte === 0x22) isInString = !isInString;
    else if (!isInString && (byte === 0x2c || byte === 0x5b || byte === 0x7b || byte === lineFeed))
      values += 1;
  }
  if (values <= maxValues) return;
  throw new AppError(
    "payload_too_large",
    `The request body has ${values} values; the maximum is ${maxValues}.`,
  );
}

/**
 * @throws AppError `bad_request` if the body is not valid gzip; `payload_too_large` if it decompresses to more than
 *   `maxBytes`
 */
export function gunzip(body: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
      throw tooLargeUnzipped(maxBytes);
    }
    throw invalidGzip();
  }
}

export const tooLargeUnzipped = (maxBytes: number) =>
  new AppError("payload_too_large", `The decompressed request body is larger than ${maxBytes} bytes.`);

export const invalidGzip = () =>
  new AppError("bad_request", "The request body is not valid gzip, although its Content-Encoding is gzip.");

/** @throws AppError `bad_request` if the bytes are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new AppError("bad_request", "The request body is not valid UTF-8.");
  }
}

/**
 * @param hint added to the parser's message
 * @throws AppError `bad_request` if the text is not valid JSON
 */
export function parseJson(text: string, hint = ""): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError(
      "bad_request",
      `The request body is not valid JSON: ${(error as Error).message}. ${hint}`.trim(),
    );
  }
}
