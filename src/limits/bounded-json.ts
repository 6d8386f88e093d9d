// Reads JSON bodies within limits: bytes after unpacking, and number of values, both checked before anything is parsed.

import { gunzipSync } from "node:zlib";
import { AppError } from "../errors.ts";

const lineFeed = 0x0a;

/**
 * @param bytesMax of the body after unpacking
 * @throws Refusal `bad_request` if the bytes are not JSON, `payload_too_large` if they exceed a limit
 */
export function readJson(
  body: Uint8Array,
  isPacked: boolean,
  { bytesMax, valuesMax }: { bytesMax: number; valuesMax: number },
): unknown {
  const bytes = isPacked ? gunzip(body, bytesMax) : body;
  checkValueCount(bytes, valuesMax);
  return parseJson(decodeUtf8(bytes));
}

/**
 * Counts the members of all lists and objects before anything is parsed: a few compressed bytes can expand to more
 * values than fit in memory.
 *
 * @throws Refusal `payload_too_large`
 */
export function checkValueCount(bytes: Uint8Array, valuesMax: number): void {
  if (bytes.length <= valuesMax) return;
  let values = 0;
  let isInText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isInText && byte === 0x5c) at += 1;
    else if (byte === 0x22) isInText = !isInText;
    else if (!isInText && (byte === 0x2c || byte === 0x5b || byte === 0x7b || byte === lineFeed)) values += 1;
  }
  if (values <= valuesMax) return;
  throw new AppError(
    "payload_too_large",
    `The request body holds ${values} values; up to ${valuesMax} are accepted.`,
  );
}

/** @throws Refusal `bad_request` if the body is not gzip, `payload_too_large` if it expands to more than `bytesMax` */
export function gunzip(body: Uint8Array, bytesMax: number): Uint8Array {
  try {
    return gunzipSync(body, { maxOutputLength: bytesMax });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
      throw new AppError(
        "payload_too_large",
        `The request body is larger than ${bytesMax} bytes when it is unpacked.`,
      );
    }
    throw new AppError(
      "bad_request",
      "The request body is not what Content-Encoding says: it is no whole gzip.",
    );
  }
}

/** @throws Refusal `bad_request` if the bytes are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new AppError("bad_request", "The request body is not UTF-8 text.");
  }
}

/** @throws Refusal `bad_request` with the parser's reason and the hint */
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
