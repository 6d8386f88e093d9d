// How an answer is packed on its way: as the caller takes it, where it pays.

import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** Smaller bodies fit into one packet anyway. */
const smallestLength = 1_000;

/** The better ones first. */
export const contentEncodings = ["br", "gzip", "identity"] as const;
export type ContentEncoding = (typeof contentEncodings)[number];

/** What the caller likes best (RFC 9110, 12.5.3), and of several that it likes as much, the better. */
export function encodingFor(acceptEncoding: string | undefined): ContentEncoding {
  if (acceptEncoding === undefined || acceptEncoding === "") return "identity";
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith("q="))?.slice(2) ?? "1";
    weights.set(name, Number(weight));
  }
  const weightOf = (...names: string[]) =>
    names.map((name) => weights.get(name)).find((weight) => weight !== undefined) ?? 0;
  const br = weightOf("br", "*");
  const zipped = weightOf("gzip", "x-gzip", "*");
  if (Math.max(br, zipped) < (weights.get("identity") ?? 0)) return "identity";
  if (br > 0 && !(br < zipped)) return "br";
  return zipped > 0 ? "gzip" : "identity";
}

/** The body as it is sent, and whether it was packed. Packing is done in another thread. */
export async function encodeBody(
  body: string,
  encoding: ContentEncoding,
): Promise<{ body: string | Buffer; encoding: ContentEncoding }> {
  if (encoding === "identity" || body.length < smallestLength) return { body, encoding: "identity" };
  return { body: await packers[encoding](Buffer.from(body)), encoding };
}

/** Each at its fastest: what takes longer saves little. At that, br is as quick as gzip, and a tenth smaller. */
const packers = {
  br: (body: Buffer) =>
    brotliAsync(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 1,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body: Buffer) => gzipAsync(body, { level: constants.Z_BEST_SPEED }),
};
