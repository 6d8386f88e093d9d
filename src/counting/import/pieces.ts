// The pieces of a file that waits in the database, compressed with zstd.

import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";

/** `bytes` also bounds the text of its campaigns. */
export const uploadLimits = { bytes: 512 * 1024 * 1024, pieceBytes: 768 * 1024 } as const;

const compress = promisify(zstdCompress);
const unpackPiece = promisify(zstdDecompress);

/** Compressed outside of a transaction, which must not wait for it. */
export function compressPiece(bytes: Uint8Array): Promise<Buffer> {
  return compress(bytes);
}

/** The rows of a piece that a reading has stored. */
export async function unpackRows<Row>(piece: Uint8Array): Promise<Row[]> {
  return JSON.parse(String(await unpackPiece(piece)));
}

const chunkBytes = 64 * 1024;

/** The bytes of a file. @param pieces as they are stored */
export async function* unpackPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    const bytes = await unpackPiece(piece);
    for (let from = 0; from < bytes.length; from += chunkBytes) yield bytes.subarray(from, from + chunkBytes);
  }
}
