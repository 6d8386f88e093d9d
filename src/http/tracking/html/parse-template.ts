// Parses the HTML of a campaign into a template.

import { findEndOfMessage } from "./end-of-message.ts";
import { findLinks } from "./find-links.ts";
import { findSurveys } from "./find-surveys.ts";
import { findNodesInConditionalComments, parsePage } from "./parsed-html.ts";
import type { Slot, SlotRange } from "./slot.ts";
import type { Template } from "./template.ts";

const byteOrderMark = "\ufeff";

/**
 * Finds the links, the places of surveys, and the end of the message.
 *
 * @throws AppError `bad_request` if the parser would create far more elements than the HTML contains, or added markup at the end
 *   would not be shown
 */
export function parseTemplate(html: string): Template {
  // The parser would take a byte order mark for text, which opens the body.
  if (!html.startsWith(byteOrderMark)) return { pieces: cutIntoPieces(html, findEdits(html)) };
  const text = html.slice(byteOrderMark.length);
  return { pieces: [byteOrderMark, ...cutIntoPieces(text, findEdits(text))] };
}

function findEdits(html: string): SlotRange[] {
  const nodes = parsePage(html);
  const allNodes = nodes.concat(findNodesInConditionalComments(nodes, html));
  const end = findEndOfMessage(nodes, html);
  return [
    ...findSurveys(allNodes, html),
    ...findLinks(allNodes, nodes),
    { start: end, end, slot: { kind: "end" } },
  ];
}

function cutIntoPieces(html: string, edits: SlotRange[]): (string | Slot)[] {
  const pieces: (string | Slot)[] = [];
  let at = 0;
  for (const { start, end, slot } of edits.sort((one, other) => one.start - other.start)) {
    // A survey replaces the links and surveys inside it, but the end of the message must not get lost.
    if (start < at && slot.kind !== "end") continue;
    if (start > at) pieces.push(html.slice(at, start));
    pieces.push(slot);
    at = Math.max(at, end);
  }
  if (at < html.length) pieces.push(html.slice(at));
  return pieces;
}
