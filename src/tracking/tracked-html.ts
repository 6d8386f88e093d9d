// The HTML of a campaign, read once: what stays in every message, to the last character, and the places that differ
// from one message to another.

import {
  defaultTreeAdapter,
  html as markup,
  parse,
  parseFragment,
  type DefaultTreeAdapterTypes as Tree,
  type TreeAdapter,
} from "parse5";
import { Refusal } from "../errors.ts";
import { isUntracked, targetOf } from "./untracked-links.ts";

export type Slot = { kind: "link"; target: string } | { kind: "survey"; id: string } | { kind: "end" };

/** Text that stays, and between it what differs from one message to another. */
export interface Template {
  pieces: readonly (string | Slot)[];
}

/**
 * Finds the links, the places of surveys, and the end of the message, which is there once.
 * @throws Refusal when a parser would make far more of the HTML than was written
 */
export function readTemplate(html: string): Template {
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
export function fill({ pieces }: Template, textOf: (slot: Slot) => string): string {
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
  const all = nodes.concat(nodesInConditions(nodes, html));
  const end = endOfMessage(nodes, html, isCutOff);
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

interface Found {
  node: Tree.ChildNode;
  /** The innermost link around it: that is where a click on it leads. */
  link: Tree.Element | undefined;
  /** Where the text begins that its places are counted in. */
  origin: number;
}

/** In the order of the tree. HTML may be nested deeper than calls can be. */
function nodesIn(root: Tree.ParentNode, origin: number): Found[] {
  const found: Found[] = [];
  const waiting: Found[] = [];
  const queue = (parent: Tree.ParentNode, link: Tree.Element | undefined) => {
    const { childNodes } = "content" in parent ? parent.content : parent;
    for (const node of childNodes.toReversed()) waiting.push({ node, link, origin });
  };
  queue(root, undefined);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    found.push(next);
    const { node, link } = next;
    if ("childNodes" in node) queue(node, isLink(node) ? node : link);
  }
  return found;
}

/** `v:` is what Outlook draws: buttons, mostly. */
function isLink({ tagName, attrs }: Tree.Element): boolean {
  return /^(a|area|v:.+)$/.test(tagName) && attrs.some(({ name }) => name === "href");
}

function parsePage(html: string): { nodes: Found[]; isCutOff: boolean } {
  let isCutOff = false;
  const page = parse(html, {
    sourceCodeLocationInfo: true,
    // Programs that read mail run no scripts: what is in <noscript> is shown.
    scriptingEnabled: false,
    treeAdapter: treeWithin(budgetOf(html)),
    onParseError: ({ code }) => {
      isCutOff ||= code.startsWith("eof-");
    },
  });
  return { nodes: nodesIn(page, 0), isCutOff };
}

const nowhere = { startLine: 0, startCol: 0, startOffset: 0, endLine: 0, endCol: 0, endOffset: 0 };

/**
 * Elements such as <font> that are not closed are made anew in each paragraph that follows: a small text could fill the
 * memory. Other elements are fewer than the characters that they are written with.
 */
function budgetOf(html: string): { elements: number } {
  return { elements: html.length + 1_000 };
}

function treeWithin(budget: { elements: number }): TreeAdapter<Tree.DefaultTreeAdapterMap> {
  const endTags = new Set<number>();
  return {
    ...defaultTreeAdapter,
    createElement(...given) {
      budget.elements -= 1;
      if (budget.elements >= 0) return defaultTreeAdapter.createElement(...given);
      throw new Refusal("bad_request", "html: too many elements are open at once; close them with end tags.");
    },
    // The end tag of what has no start tag is noted only where there is a place to note it at.
    setNodeSourceCodeLocation(node, location) {
      const mayBeEnded = node.nodeName === "body" || node.nodeName === "html";
      defaultTreeAdapter.setNodeSourceCodeLocation(node, location ?? (mayBeEnded ? nowhere : null));
    },
    // An end tag ends one element. Where the text ends inside of templates, the last one is noted for others as well.
    updateNodeSourceCodeLocation(node, { endTag, ...place }) {
      const isOwn = endTag !== undefined && !endTags.has(endTag.startOffset);
      if (isOwn) endTags.add(endTag.startOffset);
      defaultTreeAdapter.updateNodeSourceCodeLocation(node, isOwn ? { ...place, endTag } : place);
    },
  };
}

/** What is written for Outlook is a comment to everybody else. */
function nodesInConditions(nodes: readonly Found[], html: string): Found[] {
  const budget = budgetOf(html);
  return nodes.flatMap(({ node }) => {
    if (!isComment(node) || !node.sourceCodeLocation) return [];
    const { startOffset, endOffset } = node.sourceCodeLocation;
    const comment = html.slice(startOffset, endOffset);
    const [condition] = comment.match(/^<!--\[if\b[^\]]*\]>/i) ?? [];
    if (condition === undefined) return [];
    // Without the end of the comment, which could otherwise be taken for the end of an attribute.
    const inside = comment.slice(condition.length).replace(/--!?>$/, "");
    const treeAdapter = treeWithin(budget);
    const fragment = parseFragment(inside, { sourceCodeLocationInfo: true, treeAdapter });
    return nodesIn(fragment, startOffset + condition.length);
  });
}

function isComment(node: Tree.ChildNode): node is Tree.CommentNode {
  return node.nodeName === "#comment";
}

/** Only the first one counts, and only where it is a whole address itself. */
function findBase(nodes: readonly Found[]): string | undefined {
  for (const { node } of nodes) {
    if (node.nodeName !== "base" || !("attrs" in node)) continue;
    const href = node.attrs.find(({ name }) => name === "href");
    if (href) return targetOf(href.value, undefined);
  }
  return undefined;
}

function findLinks(nodes: readonly Found[], base: string | undefined): Edit[] {
  const texts = textsOf(nodes);
  const edits: Edit[] = [];
  const places = new Set<number>();
  for (const { node, origin } of nodes) {
    if (!("attrs" in node) || !isLink(node)) continue;
    for (const { name, prefix, value } of node.attrs) {
      // Of xlink:href the prefix stays.
      const before = prefix ? `${prefix}:` : "";
      const place = node.sourceCodeLocation?.attrs?.[before + name];
      const target = name === "href" && place ? targetOf(value, base) : undefined;
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
function textsOf(nodes: readonly Found[]): Map<Attributes, string> {
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

function findSurveys(nodes: readonly Found[], html: string): Edit[] {
  const edits = new Map<Attributes, Edit>();
  for (const { node, origin } of nodes) {
    if (!("attrs" in node) || textOnly.has(node.tagName)) continue;
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

/** Here markup is none. Nothing but their own end tag closes these. */
const textOnly = new Set("title textarea style script xmp iframe noembed noframes plaintext".split(" "));

/** Before the end tag of the body, or of the document. */
function endOfMessage(nodes: readonly Found[], html: string, isCutOff: boolean): number {
  return endTagOf("body", nodes) ?? endTagOf("html", nodes) ?? endOfText(nodes, html, isCutOff);
}

function endTagOf(name: "body" | "html", nodes: readonly Found[]): number | undefined {
  // The first one is that of the page: drawings may have elements of that name, too, but they stand in it.
  const found = nodes.find(({ node }) => node.nodeName === name)?.node as Tree.Element | undefined;
  return found?.sourceCodeLocation?.endTag?.startOffset;
}

/**
 * Where the text ends. If that is inside of what lets nothing show, such as a comment, a style or half a tag, there is
 * no good place: then it is where that begins.
 */
function endOfText(nodes: readonly Found[], html: string, isCutOff: boolean): number {
  let end = isCutOff ? endOfTold(nodes, html) : html.length;
  // From the last one on: where it begins may be inside of another one, which only it has closed.
  const hiding = nodes
    .flatMap(({ node }) => hidingPlace(node, html))
    .sort((one, other) => other.from - one.from);
  for (const { from, to } of hiding) if (end <= to) end = from;
  return end;
}

/** Before half a tag. It is in no tree, but behind all that is, perhaps after end tags that close nothing. */
function endOfTold(nodes: readonly Found[], html: string): number {
  let told = 0;
  for (const { node } of nodes) {
    if (node.nodeName === "#text" || !node.sourceCodeLocation) continue;
    const { endTag, startTag } =
      "attrs" in node ? node.sourceCodeLocation : { startTag: node.sourceCodeLocation };
    told = Math.max(told, (endTag ?? startTag)?.endOffset ?? 0);
  }
  const half = html.slice(told).search(/<([a-z/!?]|$)/i);
  return half < 0 ? html.length : told + half;
}

/** From where to where nothing shows; none of what has its own end. */
function hidingPlace(node: Tree.ChildNode, html: string): { from: number; to: number }[] {
  const { startOffset: from, endOffset: to } = node.sourceCodeLocation ?? nowhere;
  if (isComment(node)) {
    const comment = to < html.length ? "" : html.slice(from);
    const isOpen = comment.startsWith("<!--")
      ? !/^-?>$|--!?>$/.test(comment.slice(4))
      : !comment.endsWith(">");
    return comment !== "" && isOpen ? [{ from, to }] : [];
  }
  if (!("attrs" in node) || node.namespaceURI !== markup.NS.HTML || node.sourceCodeLocation?.endTag)
    return [];
  if (textOnly.has(node.tagName) || node.tagName === "template") return [{ from, to: html.length }];
  return node.tagName === "select" || node.tagName === "noscript" ? [{ from, to }] : [];
}
