// Finds the end of a message: the place where added markup is shown.

import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import { AppError } from "../../../errors.ts";
import { type FoundNode, parsePage } from "./parsed-html.ts";

/**
 * The offset of the end tag of the body or of the document, or else of the end of the text.
 *
 * @throws AppError `bad_request` if the text ends where added markup would not be shown
 */
export function findEndOfMessage(nodes: readonly FoundNode[], html: string): number {
  const end = findEndTag("body", nodes) ?? findEndTag("html", nodes);
  if (end !== undefined) return end;
  const image = parsePage(`${html}<img>`).find(({ node }) => isImageAt(node, html.length));
  for (let node: Tree.Node | null = image?.node ?? null; node && node.nodeName !== "noscript"; ) {
    if (node.nodeName === "#document") return html.length;
    node = "parentNode" in node ? node.parentNode : null;
  }
  throw new AppError(
    "bad_request",
    "html: ends inside a tag, a comment or an element such as <style>, which hides what follows; close it.",
  );
}

function isImageAt(node: Tree.ChildNode, offset: number): boolean {
  return node.nodeName === "img" && node.sourceCodeLocation?.startOffset === offset;
}

function findEndTag(name: "body" | "html", nodes: readonly FoundNode[]): number | undefined {
  // The first one: SVG may contain elements with these names, but always inside the page's.
  const element = nodes.find(({ node }) => node.nodeName === name)?.node as Tree.Element | undefined;
  return element?.sourceCodeLocation?.endTag?.startOffset;
}
