// The name of a browser and its system, so that users recognize their sessions.

import Bowser from "bowser";
import { uiStrings } from "../strings/ui.ts";

/** Browsers send less. A longer user agent is not worth parsing. */
const maxUserAgentLength = 500;

/** `Firefox on Windows`. @param userAgent the User-Agent header */
export function browserName(userAgent: string | undefined): string {
  if (!userAgent || userAgent.length > maxUserAgentLength) return uiStrings.unknownBrowser;
  const { browser, os } = Bowser.parse(userAgent);
  const [name, system] = [browser.name, os.name].map((each) => each?.slice(0, 50) || undefined);
  return uiStrings.browserOnSystem(name ?? uiStrings.unknownBrowser, system);
}
