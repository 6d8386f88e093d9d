// The token of the next page as text: the page size and the position after which it starts, with a checksum.

import { crc32 } from "node:zlib";

export interface SkipToken {
  pageSize: number;
  /** The values of the last row in the fields of the order. */
  after: readonly (string | number)[];
}

/** @param query the table and the order, without which the position means nothing */
export function encodeSkipToken(query: string, { pageSize, after }: SkipToken): string {
  const text = Buffer.from(JSON.stringify([pageSize, ...after])).toString("base64url");
  return `${text}.${checksumOf(query, text)}`;
}

/** Undefined if it is no token of the query. */
export function decodeSkipToken(query: string, token: string): SkipToken | undefined {
  const [text = "", checksum] = token.split(".");
  if (token !== `${text}.${checksum}` || checksum !== checksumOf(query, text)) return undefined;
  const [pageSize, ...after] = parseValues(Buffer.from(text, "base64url").toString());
  return typeof pageSize === "number" ? { pageSize, after } : undefined;
}

/** Empty if somebody has made the text, which needs no secret. */
function parseValues(text: string): (string | number)[] {
  try {
    const values: unknown = JSON.parse(text);
    const isPlain = (value: unknown) => typeof value === "string" || typeof value === "number";
    return Array.isArray(values) && values.every(isPlain) ? values : [];
  } catch {
    return [];
  }
}

function checksumOf(query: string, text: string): string {
  return crc32(`${query} ${text}`).toString(36);
}
