// The name of a browser and its system, so that users recognize their sessions.

import Bowser from "bowser";

/** Browsers send less. A longer user agent is not worth parsing. */
const maxUserAgentLength = 500;

/** `Firefox, Windows`; empty if unknown. @param userAgent the User-Agent header */
export function browserName(userAgent: string | undefined): string {
  if (!userAgent || userAgent.length > maxUserAgentLength) return "";
  const { browser, os } = Bowser.parse(userAgent);
  return [browser.name, os.name].flatMap((name) => name?.slice(0, 50) || []).join(", ");
}
