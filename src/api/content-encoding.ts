// How an answer is packed on its way: gzip where the caller takes it and it pays.

import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";

const gzipAsync = promisify(gzip);

/** Smaller bodies fit into one packet anyway. */
const smallestBytes = 1_000;

export type ContentEncoding = "gzip" | "identity";

/** What the caller takes (RFC 9110, 12.5.3). */
export function encodingFor(acceptEncoding: string | undefined): ContentEncoding {
  const weights = new Map<string, number>();
  for (const part of (acceptEncoding ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith("q="))?.slice(2) ?? "1";
    weights.set(name, Number(weight));
  }
  const weight = weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0;
  return weight > 0 ? "gzip" : "identity";
}

/** The body as it is sent, and whether it was packed. Packing is done in another thread. */
export async function encodeBody(
  body: string,
  encoding: ContentEncoding,
): Promise<{ bytes: Buffer; encoding: ContentEncoding }> {
  const bytes = Buffer.from(body);
  if (encoding === "identity" || bytes.length < smallestBytes) return { bytes, encoding: "identity" };
  return { bytes: await gzipAsync(bytes, { level: constants.Z_BEST_SPEED }), encoding };
}
