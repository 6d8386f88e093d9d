// Weak ETags (RFC 9110, 8.8.3): a hash of everything that determines a response.

import { hash } from "node:crypto";

const length = 27;

/** @param state everything that determines the response */
export function etagOf(state: string): string {
  return `W/"${hash("sha256", state, "base64url").slice(0, length)}"`;
}

/** Whether the client has this response already, by weak comparison (RFC 9110, 13.1.2). */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  const opaque = etag.slice(2);
  return ifNoneMatch.split(",").some((each) => ["*", etag, opaque].includes(each.trim()));
}
