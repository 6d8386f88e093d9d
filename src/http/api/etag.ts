// Makes and compares the ETags of the Analytics API.

import { hash } from "node:crypto";

const length = 27;

/** A weak ETag (RFC 9110, 8.8.3) of everything that determines a response, or of the response. */
export function hashToEtag(text: string): string {
  return `W/"${hash("sha256", text, "base64url").slice(0, length)}"`;
}

/** Whether the client has this response already, by weak comparison (RFC 9110, 13.1.2). */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  const opaque = (text: string) => text.trim().replace(/^W\//, "");
  return ifNoneMatch.split(",").some((each) => each.trim() === "*" || opaque(each) === opaque(etag));
}
