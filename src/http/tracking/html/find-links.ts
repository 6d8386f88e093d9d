// Finds the links to track: the source range of each `href`, and where it leads.

import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import { resolveTarget } from "./link-target.ts";
import { type FoundNode, isLink } from "./parsed-html.ts";
import type { SlotRange } from "./slot.ts";
import { isUntracked } from "./untracked-links.ts";

/**
 * @param nodes where to look for links, including conditional comments
 * @param page the nodes of the page alone: only they may contain the base URL
 */
export function findLinks(nodes: readonly FoundNode[], page: readonly FoundNode[]): SlotRange[] {
  const base = findBase(page);
  const texts = findLinkTexts(nodes);
  const edits: SlotRange[] = [];
  const seen = new Set<number>();
  for (const { node, origin } of nodes) {
    if (!("attrs" in node) || !isLink(node)) continue;
    for (const { name, prefix, value } of node.attrs) {
      // The prefix of xlink:href stays.
      const before = prefix ? `${prefix}:` : "";
      const location = node.sourceCodeLocation?.attrs?.[before + name];
      const target = name === "href" && location ? resolveTarget(value, base) : undefined;
      if (!location || target === undefined) continue;
      const start = location.startOffset + before.length + origin;
      // An element that the parser reopened has the location of the original.
      if (seen.has(start)) continue;
      seen.add(start);
      const attributes = new Map(node.attrs.map((each) => [each.name, each.value]));
      if (isUntracked({ value, target, text: texts.get(node.attrs) ?? "", attributes })) continue;
      edits.push({ start, end: location.endOffset + origin, slot: { kind: "link", target } });
    }
  }
  return edits;
}

/** Only the first <base> with an `href` counts, and only if it is an absolute URL. */
function findBase(nodes: readonly FoundNode[]): string | undefined {
  for (const { node } of nodes) {
    if (node.nodeName !== "base" || !("attrs" in node)) continue;
    const href = node.attrs.find(({ name }) => name === "href");
    if (href) return resolveTarget(href.value, undefined);
  }
  return undefined;
}

type Attributes = Tree.Element["attrs"];

/** The visible text of each link, by its attributes: an element that the parser reopened shares them with the original. */
function findLinkTexts(nodes: readonly FoundNode[]): Map<Attributes, string> {
  const texts = new Map<Attributes, string>();
  for (const { node, link } of nodes) {
    if (!link) continue;
    let text = "value" in node ? node.value : "";
    if ("attrs" in node && !inlineElements.has(node.tagName)) {
      text = ` ${node.attrs.find(({ name }) => name === "alt")?.value ?? ""} `;
    }
    texts.set(link.attrs, (texts.get(link.attrs) ?? "") + text);
  }
  return texts;
}

/** These may be inside a word. Any other element separates words. */
const inlineElements = new Set("a b big em font i small span strong sub sup u wbr".split(" "));
