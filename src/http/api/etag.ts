// Weak entity tags (RFC 9110, 8.8.3): what an answer is of, as a hash.

import { hash } from "node:crypto";

const length = 27;

/** @param state all that decides the answer */
export function etagOf(state: string): string {
  return `W/"${hash("sha256", state, "base64url").slice(0, length)}"`;
}

/** Whether the caller has that answer already: weak comparison (RFC 9110, 13.1.2). */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  const opaque = etag.slice(2);
  return ifNoneMatch.split(",").some((each) => ["*", etag, opaque].includes(each.trim()));
}
