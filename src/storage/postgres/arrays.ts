// Lists as PostgreSQL takes them in binary form (`array_recv`): nothing has to be escaped on this side, nor parsed on the
// other.

/** The types of elements: how PostgreSQL names the list, and the type's number in its catalogue. */
export const elementTypes = {
  integer: { list: "bigint[]", oid: 20 },
  text: { list: "text[]", oid: 25 },
  bytes: { list: "bytea[]", oid: 17 },
} as const;

export type ElementType = keyof typeof elementTypes;

const headBytes = 20;
const lengthBytes = 4;
const lengthOfNull = -1;

/** @param values null or undefined is no value; `integer` below 2^53, `bytes` in hex */
export function toBinaryArray(type: ElementType, values: readonly unknown[]): Buffer {
  const sizeOf = sizes[type];
  let size = headBytes;
  for (const value of values) size += lengthBytes + (isMissing(value) ? 0 : sizeOf(value));
  const bytes = Buffer.allocUnsafe(size);
  bytes.writeInt32BE(1, 0); // dimensions
  bytes.writeInt32BE(1, 4); // there may be elements without a value
  bytes.writeInt32BE(elementTypes[type].oid, 8);
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(1, 16); // the number of the first element
  const write = writers[type];
  let at = headBytes;
  for (const value of values) {
    const length = isMissing(value) ? lengthOfNull : write(bytes, value, at + lengthBytes);
    bytes.writeInt32BE(length, at);
    at += lengthBytes + Math.max(length, 0);
  }
  return bytes;
}

const isMissing = (value: unknown) => value === null || value === undefined;

const sizes: Record<ElementType, (value: unknown) => number> = {
  integer: () => 8,
  text: (value) => Buffer.byteLength(value as string),
  bytes: (value) => (value as string).length / 2,
};

/** Each returns how many bytes it has written. */
const writers: Record<ElementType, (bytes: Buffer, value: unknown, at: number) => number> = {
  integer(bytes, value, at) {
    // Two halves, because a BigInt for each of them would cost more than all the rest.
    const number = value as number;
    bytes.writeInt32BE(Math.floor(number / 2 ** 32), at);
    bytes.writeUInt32BE(number >>> 0, at + 4);
    return 8;
  },
  text: (bytes, value, at) => bytes.write(value as string, at),
  bytes: (bytes, value, at) => bytes.write(value as string, at, "hex"),
};
