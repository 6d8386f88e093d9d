// Asks an address of a provider's own: the only requests that the service ever makes by itself.

import { AppError } from "../errors.ts";

const waitMsMax = 5_000;
const bytesMax = 64 * 1024;

/**
 * @param url whose host is known to be the provider's; a redirect elsewhere is not followed
 * @returns the body of a 2xx answer
 * @throws Refusal `unavailable`, so that the provider tries again
 */
export async function askProvider(url: string, bounds = { waitMsMax }): Promise<Buffer> {
  try {
    const answer = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(bounds.waitMsMax) });
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of answer.body ?? []) {
      bytes += piece.length;
      if (bytes > bytesMax) throw new Error(`its answer is larger than ${bytesMax} bytes`);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } catch (error) {
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    throw new AppError("unavailable", `${new URL(url).host} could not be asked: ${why}. Try again.`);
  }
}
