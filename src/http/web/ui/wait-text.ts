// A wait as text, such as "in 3 minutes".

import { uiStrings } from "../strings/ui.ts";

/** `in 40 seconds`, `in 3 minutes`. Rounds up, so that the next attempt does not come too early. */
export function waitText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return seconds < 90 ? uiStrings.inSeconds(seconds) : uiStrings.inMinutes(Math.ceil(seconds / 60));
}
