// The chunks of a body that is in memory, for what reads streams.

const chunkBytes = 256 * 1024;

export async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += chunkBytes) yield bytes.subarray(from, from + chunkBytes);
}
