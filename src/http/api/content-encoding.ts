// Content encoding of responses: negotiated with the client (RFC 9110, 12.5.3), and compressed where that pays.

import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { negotiate } from "@fastify/accept-negotiator";

/** The preferred ones first. */
const contentEncodings = ["br", "gzip", "identity"] as const;
export type ContentEncoding = (typeof contentEncodings)[number];

/**
 * Returns the encoding that the client likes best; of several equal ones, the first.
 *
 * @param offered all by default, the smallest first
 */
export function encodingFor(
  acceptEncoding: string | undefined,
  offered: readonly ContentEncoding[] = contentEncodings,
): ContentEncoding {
  if (acceptEncoding === undefined) return "identity";
  const header = acceptEncoding.toLowerCase().replaceAll("x-gzip", "gzip");
  const accepted = header.includes("*") ? expandWildcard(header) : header;
  return (negotiate(accepted, [...offered]) as ContentEncoding | null) ?? "identity";
}

/** The library treats `*` as its own first choice, but it means every encoding that the header does not name. */
function expandWildcard(header: string): string {
  const others = contentEncodings.filter((encoding) => !header.includes(encoding));
  return header.replace(/\*([^,]*)/, (_all, weight: string) =>
    others.map((encoding) => encoding + weight).join(","),
  );
}

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** A smaller body fits into one packet anyway. */
const minCompressedLength = 1_000;

/** Compresses a body on the thread pool. Returns it as it is, with `identity`, if compression would not pay. */
export async function encodeBody(
  body: Buffer,
  encoding: ContentEncoding,
): Promise<{ body: Buffer; encoding: ContentEncoding }> {
  if (encoding === "identity" || body.length < minCompressedLength) return { body, encoding: "identity" };
  return { body: await compressors[encoding](body), encoding };
}

/** The fastest levels: slower ones save little. At these, br is as fast as gzip and 10 % smaller. */
const compressors = {
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
