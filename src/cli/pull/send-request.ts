// Sends one GET request and reads its answer, with bounds on its size and time.

import { isUtf8 } from "node:buffer";
import { AppError } from "../../errors.ts";

/** The most bytes of a decompressed answer. A page of 100 ordinary campaigns has about 100 kB. */
const maxBytes = 8 * 1024 * 1024;
const timeoutMs = 120_000;

export interface Answer {
  status: number;
  headers: Headers;
  body: string;
  isUtf8: boolean;
}

/**
 * Follows no redirect.
 *
 * @throws AppError `unavailable` if the answer is too large; any other error, with its `code` if it has one, if the
 *   connection fails, is cut, or takes too long
 */
export async function sendRequest(
  url: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      headers,
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(url.host);
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks);
    return {
      status: response.status,
      headers: response.headers,
      // Removes the byte order mark that some servers send.
      body: new TextDecoder().decode(body),
      isUtf8: isUtf8(body),
    };
  } catch (error) {
    if (timeout.aborted) throw new Error(`no complete answer within ${timeoutMs / 1000} s`);
    // What happened is the cause of "fetch failed".
    const { cause } = error as Error;
    throw cause instanceof Error && !(error instanceof AppError) ? cause : error;
  }
}

const tooLarge = (host: string) =>
  new AppError(
    "unavailable",
    `${host} answered with more than ${maxBytes / 1024 / 1024} MiB, which is no page of 100 campaigns; check --from.`,
  );
