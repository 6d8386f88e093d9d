// Writes ZIP files (APPNOTE 6.3.10) as streams: the size of each part follows it, so no part is in memory.

import { pipeline } from "node:stream";
import { constants, crc32, createDeflateRaw } from "node:zlib";

interface ZipPart {
  name: string;
  text: AsyncIterable<string> | Iterable<string>;
}

/** Below 4 GB: larger parts would need ZIP64. */
export async function* encodeZip(parts: readonly ZipPart[]): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const directory: Buffer[] = [];
  let offset = 0;
  const passed = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
    offset += bytes.length;
    return new Uint8Array(bytes);
  };
  for (const { name, text } of parts) {
    const start = offset;
    yield passed(Buffer.concat([signature(0x04034b50), entry(name, noSizes), Buffer.from(name)]));
    const dataStart = offset;
    const count = { crc: 0, size: 0 };
    for await (const bytes of deflate(counted(text, count))) yield passed(bytes);
    const sizes = { ...count, packed: offset - dataStart };
    yield passed(Buffer.concat([signature(0x08074b50), sizesOf(sizes)]));
    const madeBy = Buffer.from([version, 0]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(start, 10);
    directory.push(signature(0x02014b50), madeBy, entry(name, sizes), place, Buffer.from(name));
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  yield passed(Buffer.concat([entries, signature(0x06054b50), end]));
}

interface Sizes {
  crc: number;
  packed: number;
  size: number;
}

const version = 20;
const noSizes: Sizes = { crc: 0, packed: 0, size: 0 };
/** The sizes follow the data, and the name is in UTF-8. */
const flags = 0x0808;
const deflated = 8;
/** January 1, 1980: the earliest. */
const date = 0x21;

function signature(code: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(code);
  return bytes;
}

/** The fields that the header of a part and its entry in the directory share. */
function entry(name: string, sizes: Sizes): Buffer {
  const head = Buffer.alloc(10);
  for (const [index, value] of [version, flags, deflated, 0, date].entries())
    head.writeUInt16LE(value, index * 2);
  const lengths = Buffer.alloc(4);
  lengths.writeUInt16LE(Buffer.byteLength(name));
  return Buffer.concat([head, sizesOf(sizes), lengths]);
}

function sizesOf({ crc, packed, size }: Sizes): Buffer {
  const bytes = Buffer.alloc(12);
  for (const [index, value] of [crc, packed, size].entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
}

async function* counted(text: ZipPart["text"], count: { crc: number; size: number }) {
  for await (const piece of text) {
    const bytes = Buffer.from(piece);
    count.crc = crc32(bytes, count.crc);
    count.size += bytes.length;
    yield bytes;
  }
}

function deflate(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const deflated = createDeflateRaw({ level: constants.Z_BEST_SPEED });
  // A failure destroys the stream, and so reaches its reader.
  pipeline(bytes, deflated, () => undefined);
  return deflated;
}
