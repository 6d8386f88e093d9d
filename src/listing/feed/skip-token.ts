// The token of the next OData page as text: the page size and the position after which it starts, signed.

import { openToken, signToken } from "../../access/signed-token.ts";
import { orderOf, type PositionValue, type TableQuery } from "./table-query.ts";

export interface SkipToken {
  pageSize: number;
  /** The values of the last row in the fields of the order. */
  after: readonly PositionValue[];
}

/** A position means something only in the table and the order to which it belongs. */
type TokenQuery = Pick<TableQuery, "table" | "order">;

const keyOf = (secret: string, query: TokenQuery) => ({
  secret,
  purpose: `skip token of ${JSON.stringify([query.table, orderOf(query)])}`,
});

/** @param secret of the organization */
export function encodeSkipToken(query: TokenQuery, { pageSize, after }: SkipToken, secret: string): string {
  const text = Buffer.from(JSON.stringify([pageSize, ...after])).toString("base64url");
  return signToken(text, keyOf(secret, query));
}

/** Undefined if it is no token of the organization and the query. */
export function decodeSkipToken(query: TokenQuery, token: string, secret: string): SkipToken | undefined {
  const text = openToken(token, keyOf(secret, query));
  if (text === undefined) return undefined;
  const values: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
  const [pageSize, ...after] = values as [number, ...PositionValue[]];
  return { pageSize, after };
}
