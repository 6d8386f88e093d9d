// The HTML of a campaign, read once: what stays in every message, to the last character, and the places that differ
// from one message to another.

import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import { findEndOfMessage } from "./end-of-message.ts";
import {
  type FoundNode,
  findNodesInConditionalComments,
  isLink,
  parsePage,
  rawTextElements,
} from "./parsed-html.ts";
import { isUntracked, resolveTarget } from "./untracked-links.ts";

export type Slot = { kind: "link"; target: string } | { kind: "survey"; id: string } | { kind: "end" };

/** Text that stays, and between it what differs from one message to another. */
export interface Template {
  pieces: readonly (string | Slot)[];
}

/**
 * Finds the links, the places of surveys, and the end of the message, which is there once.
 * @throws Refusal when a parser would make far more of the HTML than was written
 */
export function parseTemplate(html: string): Template {
  // The parser would take a byte order mark for text, and with it the body for begun.
  if (!html.startsWith(byteOrderMark)) return { pieces: cut(html, findEdits(html)) };
  const text = html.slice(byteOrderMark.length);
  return { pieces: [byteOrderMark, ...cut(text, findEdits(text))] };
}

const byteOrderMark = "\ufeff";

/**
 * @param textOf what goes into a slot: the address of a link, as it would be typed; otherwise HTML, which must not hold
 *   a comment, since surveys may stand in one that is for Outlook
 */
export function fillTemplate({ pieces }: Template, textOf: (slot: Slot) => string): string {
  let text = "";
  for (const piece of pieces) {
    if (typeof piece === "string") text += piece;
    else if (piece.kind !== "link") text += textOf(piece);
    else text += `href="${textOf(piece).replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;
  }
  return text;
}

/** A part of the HTML that a slot takes the place of. */
interface Edit {
  start: number;
  end: number;
  slot: Slot;
}

function findEdits(html: string): Edit[] {
  const { nodes, isCutOff } = parsePage(html);
  const all = nodes.concat(findNodesInConditionalComments(nodes, html));
  const end = findEndOfMessage(nodes, html, isCutOff);
  return [
    ...findSurveys(all, html),
    ...findLinks(all, findBase(nodes)),
    { start: end, end, slot: { kind: "end" } },
  ];
}

function cut(html: string, edits: Edit[]): (string | Slot)[] {
  const pieces: (string | Slot)[] = [];
  let at = 0;
  for (const { start, end, slot } of edits.sort((one, other) => one.start - other.start)) {
    // Inside of a survey everything is replaced, but the end of the message must not get lost.
    if (start < at && slot.kind !== "end") continue;
    if (start > at) pieces.push(html.slice(at, start));
    pieces.push(slot);
    at = Math.max(at, end);
  }
  if (at < html.length) pieces.push(html.slice(at));
  return pieces;
}

/** Only the first one counts, and only where it is a whole address itself. */
function findBase(nodes: readonly FoundNode[]): string | undefined {
  for (const { node } of nodes) {
    if (node.nodeName !== "base" || !("attrs" in node)) continue;
    const href = node.attrs.find(({ name }) => name === "href");
    if (href) return resolveTarget(href.value, undefined);
  }
  return undefined;
}

function findLinks(nodes: readonly FoundNode[], base: string | undefined): Edit[] {
  const texts = textsOf(nodes);
  const edits: Edit[] = [];
  const places = new Set<number>();
  for (const { node, origin } of nodes) {
    if (!("attrs" in node) || !isLink(node)) continue;
    for (const { name, prefix, value } of node.attrs) {
      // Of xlink:href the prefix stays.
      const before = prefix ? `${prefix}:` : "";
      const place = node.sourceCodeLocation?.attrs?.[before + name];
      const target = name === "href" && place ? resolveTarget(value, base) : undefined;
      if (!place || target === undefined) continue;
      const start = place.startOffset + before.length + origin;
      // What the parser makes anew has the place of what it is made from.
      if (places.has(start)) continue;
      places.add(start);
      const attributes = new Map(node.attrs.map((each) => [each.name, each.value]));
      if (isUntracked({ value, target, text: texts.get(node.attrs) ?? "", attributes })) continue;
      edits.push({ start, end: place.endOffset + origin, slot: { kind: "link", target } });
    }
  }
  return edits;
}

type Attributes = Tree.Element["attrs"];

/** What one reads of each link. Elements that were made anew share their attributes with what they are made from. */
function textsOf(nodes: readonly FoundNode[]): Map<Attributes, string> {
  const texts = new Map<Attributes, string>();
  for (const { node, link } of nodes) {
    if (!link) continue;
    let shown = "value" in node ? node.value : "";
    if ("attrs" in node && !withinWords.has(node.tagName)) {
      shown = ` ${node.attrs.find(({ name }) => name === "alt")?.value ?? ""} `;
    }
    texts.set(link.attrs, (texts.get(link.attrs) ?? "") + shown);
  }
  return texts;
}

/** All other elements part the words before them from those after them. */
const withinWords = new Set("a b big em font i small span strong sub sup u wbr".split(" "));

function findSurveys(nodes: readonly FoundNode[], html: string): Edit[] {
  const edits = new Map<Attributes, Edit>();
  for (const { node, origin } of nodes) {
    if (!("attrs" in node) || rawTextElements.has(node.tagName)) continue;
    const id = node.attrs.find(({ name }) => name === "data-survey")?.value.trim();
    if (!id) continue;
    const { startTag, endTag, attrs } = node.sourceCodeLocation ?? {};
    const known = edits.get(node.attrs);
    // What was made anew ends somewhere else: nothing can be said to stand inside of it.
    if (known) known.end = known.start;
    // A second <body> gives its attributes, but not its place, to the first one.
    if (known || !startTag || !attrs?.["data-survey"]) continue;
    const start = startTag.endOffset + origin;
    // With a slash its author takes it for closed. HTML does not, and would find its end tag far below.
    const isEmpty = !endTag || html[start - 2] === "/";
    edits.set(node.attrs, {
      start,
      end: isEmpty ? start : endTag.startOffset + origin,
      slot: { kind: "survey", id },
    });
  }
  return [...edits.values()];
}
