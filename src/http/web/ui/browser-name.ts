// A browser in words, so that people recognise their sessions.

import Bowser from "bowser";

/** What is longer was written by nobody's browser. */
const userAgentLengthMax = 500;

/** `Firefox on Windows`. @param userAgent as the browser sends it */
export function browserName(userAgent: string | undefined): string {
  if (!userAgent || userAgent.length > userAgentLengthMax) return "An unknown browser";
  const { browser, os } = Bowser.parse(userAgent);
  const names = [browser.name, os.name].map((name) => name?.slice(0, 50));
  const [program = "An unknown browser", system] = names.map((name) => name || undefined);
  return system === undefined ? program : `${program} on ${system}`;
}
