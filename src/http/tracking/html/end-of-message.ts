// Finds the end of a message: the place where added markup is shown.

import { html as markup, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { type FoundNode, isComment, noLocation, rawTextElements } from "./parsed-html.ts";

/** The offset of the end tag of the body or of the document, or else of the end of the text. */
export function findEndOfMessage(nodes: readonly FoundNode[], html: string, isCutOff: boolean): number {
  return findEndTag("body", nodes) ?? findEndTag("html", nodes) ?? findEndOfText(nodes, html, isCutOff);
}

function findEndTag(name: "body" | "html", nodes: readonly FoundNode[]): number | undefined {
  // The first one: SVG may contain elements with these names, but always inside the page's.
  const element = nodes.find(({ node }) => node.nodeName === name)?.node as Tree.Element | undefined;
  return element?.sourceCodeLocation?.endTag?.startOffset;
}

/** The end of the text, or the start of an unclosed comment, style or other element that would hide added markup. */
function findEndOfText(nodes: readonly FoundNode[], html: string, isCutOff: boolean): number {
  let end = isCutOff ? findCutOffTag(nodes, html) : html.length;
  // Goes from last to first: one may start inside an earlier one that was closed only by it.
  const hiding = nodes
    .flatMap(({ node }) => hidingRange(node, html))
    .sort((one, other) => other.from - one.from);
  for (const { from, to } of hiding) if (end <= to) end = from;
  return end;
}

/** The start of a tag that the text ends in. It is not in the tree, but follows all nodes and perhaps stray end tags. */
function findCutOffTag(nodes: readonly FoundNode[], html: string): number {
  let parsedTo = 0;
  for (const { node } of nodes) {
    if (node.nodeName === "#text" || !node.sourceCodeLocation) continue;
    const { endTag, startTag } =
      "attrs" in node ? node.sourceCodeLocation : { startTag: node.sourceCodeLocation };
    parsedTo = Math.max(parsedTo, (endTag ?? startTag)?.endOffset ?? 0);
  }
  const cutOff = html.slice(parsedTo).search(/<([a-z/!?]|$)/i);
  return cutOff < 0 ? html.length : parsedTo + cutOff;
}

/** The range in which nothing is shown; empty for nodes that are closed. */
function hidingRange(node: Tree.ChildNode, html: string): { from: number; to: number }[] {
  const { startOffset: from, endOffset: to } = node.sourceCodeLocation ?? noLocation;
  // The location of an unclosed comment may end after the text.
  if (isComment(node)) return to >= html.length && isUnclosed(html.slice(from)) ? [{ from, to }] : [];
  if (!("attrs" in node) || node.namespaceURI !== markup.NS.HTML) return [];
  if (node.sourceCodeLocation?.endTag) return [];
  if (rawTextElements.has(node.tagName) || node.tagName === "template") return [{ from, to: html.length }];
  return node.tagName === "select" || node.tagName === "noscript" ? [{ from, to }] : [];
}

/** @param comment in any of the forms that a parser takes for a comment, such as `<!-- -->`, `<!x>` and `<?x>` */
function isUnclosed(comment: string): boolean {
  if (!comment.startsWith("<!--")) return comment !== "" && !comment.endsWith(">");
  return !/^-?>$|--!?>$/.test(comment.slice(4));
}
