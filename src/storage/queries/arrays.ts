// Encodes arrays in PostgreSQL's binary format (`array_recv`), which needs neither escaping here nor parsing there.

/** Element types: the array type, and the OID of the element type. */
export const elementTypes = {
  integer: { list: "bigint[]", oid: 20 },
  number: { list: "double precision[]", oid: 701 },
  text: { list: "text[]", oid: 25 },
  bytes: { list: "bytea[]", oid: 17 },
} as const;

export type ElementType = keyof typeof elementTypes;

const headerBytes = 20;
const lengthBytes = 4;
const nullLength = -1;

/** @param values `integer` below 2^53, `bytes` in hex; null and undefined become NULL */
export function toBinaryArray(type: ElementType, values: readonly unknown[]): Buffer {
  const sizeOf = sizes[type];
  let size = headerBytes;
  for (const value of values) size += lengthBytes + (isNull(value) ? 0 : sizeOf(value));
  const bytes = Buffer.allocUnsafe(size);
  bytes.writeInt32BE(1, 0); // dimensions
  bytes.writeInt32BE(1, 4); // may contain NULL
  bytes.writeInt32BE(elementTypes[type].oid, 8);
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(1, 16); // index of the first element
  const write = writers[type];
  let at = headerBytes;
  for (const value of values) {
    const length = isNull(value) ? nullLength : write(bytes, value, at + lengthBytes);
    bytes.writeInt32BE(length, at);
    at += lengthBytes + Math.max(length, 0);
  }
  return bytes;
}

const isNull = (value: unknown) => value === null || value === undefined;

const sizes: Record<ElementType, (value: unknown) => number> = {
  integer: () => 8,
  number: () => 8,
  text: (value) => Buffer.byteLength(value as string),
  bytes: (value) => (value as string).length / 2,
};

/** Each returns the number of bytes written. */
const writers: Record<ElementType, (bytes: Buffer, value: unknown, at: number) => number> = {
  integer(bytes, value, at) {
    // Two halves: a BigInt per value would cost more than everything else.
    const number = value as number;
    bytes.writeInt32BE(Math.floor(number / 2 ** 32), at);
    bytes.writeUInt32BE(number >>> 0, at + 4);
    return 8;
  },
  number(bytes, value, at) {
    bytes.writeDoubleBE(value as number, at);
    return 8;
  },
  text: (bytes, value, at) => bytes.write(value as string, at),
  bytes: (bytes, value, at) => bytes.write(value as string, at, "hex"),
};
