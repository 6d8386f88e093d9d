// Fetches URLs of providers, such as signing certificates: the only outgoing requests of the webhooks.

import { AppError } from "../errors.ts";

const timeoutMs = 5_000;
const maxBytes = 64 * 1024;

/**
 * Redirects are refused: they could lead to any host.
 *
 * @param url must have a host that is known to be the provider's
 * @returns the body of a 2xx response
 * @throws AppError `unavailable`, so that the provider retries
 */
export async function fetchFromProvider(url: string): Promise<Buffer> {
  try {
    const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error(`it responded with status ${response.status}`);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Error(`its response is larger than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    throw new AppError("unavailable", `The request to ${new URL(url).host} failed: ${why}. Try again.`);
  }
}
