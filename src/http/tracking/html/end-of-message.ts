// Where a message ends, so that what is added there shows.

import { html as markup, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { type FoundNode, isComment, noLocation, rawTextElements } from "./parsed-html.ts";

/** Before the end tag of the body, or of the document. */
export function findEndOfMessage(nodes: readonly FoundNode[], html: string, isCutOff: boolean): number {
  return endTagOf("body", nodes) ?? endTagOf("html", nodes) ?? endOfText(nodes, html, isCutOff);
}

function endTagOf(name: "body" | "html", nodes: readonly FoundNode[]): number | undefined {
  // The first one is that of the page: drawings may have elements of that name, too, but they stand in it.
  const found = nodes.find(({ node }) => node.nodeName === name)?.node as Tree.Element | undefined;
  return found?.sourceCodeLocation?.endTag?.startOffset;
}

/**
 * Where the text ends. If that is inside of what lets nothing show, such as a comment, a style or half a tag, there is
 * no good place: then it is where that begins.
 */
function endOfText(nodes: readonly FoundNode[], html: string, isCutOff: boolean): number {
  let end = isCutOff ? endOfTold(nodes, html) : html.length;
  // From the last one on: where it begins may be inside of another one, which only it has closed.
  const hiding = nodes
    .flatMap(({ node }) => hidingPlace(node, html))
    .sort((one, other) => other.from - one.from);
  for (const { from, to } of hiding) if (end <= to) end = from;
  return end;
}

/** Before half a tag. It is in no tree, but behind all that is, perhaps after end tags that close nothing. */
function endOfTold(nodes: readonly FoundNode[], html: string): number {
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
  const { startOffset: from, endOffset: to } = node.sourceCodeLocation ?? noLocation;
  if (isComment(node)) {
    const comment = to < html.length ? "" : html.slice(from);
    const isOpen = comment.startsWith("<!--")
      ? !/^-?>$|--!?>$/.test(comment.slice(4))
      : !comment.endsWith(">");
    return comment !== "" && isOpen ? [{ from, to }] : [];
  }
  if (!("attrs" in node) || node.namespaceURI !== markup.NS.HTML || node.sourceCodeLocation?.endTag)
    return [];
  if (rawTextElements.has(node.tagName) || node.tagName === "template") return [{ from, to: html.length }];
  return node.tagName === "select" || node.tagName === "noscript" ? [{ from, to }] : [];
}
