// A template: the HTML of a campaign, split once into text that every message contains unchanged, and slots.

import type { Slot } from "./slot.ts";

export interface Template {
  /** The pieces in order; exactly one is the slot `end`. */
  pieces: readonly (string | Slot)[];
}

/**
 * @param contentOf the URL of a link; otherwise HTML without comments, because a survey may be inside a conditional
 *   comment for Outlook
 */
export function fillTemplate({ pieces }: Template, contentOf: (slot: Slot) => string): string {
  let html = "";
  for (const piece of pieces) {
    if (typeof piece === "string") html += piece;
    else if (piece.kind !== "link") html += contentOf(piece);
    else html += `href="${contentOf(piece).replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;
  }
  return html;
}
