// Finds the places of surveys: elements with the attribute `data-survey`, whose content the survey replaces.

import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import { type FoundNode, rawTextElements } from "./parsed-html.ts";
import type { SlotRange } from "./slot.ts";

export function findSurveys(nodes: readonly FoundNode[], html: string): SlotRange[] {
  const edits = new Map<Tree.Element["attrs"], SlotRange>();
  for (const { node, origin } of nodes) {
    if (!("attrs" in node) || rawTextElements.has(node.tagName)) continue;
    const id = node.attrs.find(({ name }) => name === "data-survey")?.value.trim();
    if (!id) continue;
    const { startTag, endTag, attrs } = node.sourceCodeLocation ?? {};
    const original = edits.get(node.attrs);
    // An element that the parser reopened ends somewhere else, so its content is unknown: replace nothing.
    if (original) original.end = original.start;
    // A second <body> passes its attributes, but not its location, to the first one.
    if (original || !startTag || !attrs?.["data-survey"]) continue;
    const start = startTag.endOffset + origin;
    // Authors think that a slash closes the tag. HTML ignores the slash and would find an end tag far below.
    const isEmpty = !endTag || html[start - 2] === "/";
    edits.set(node.attrs, {
      start,
      end: isEmpty ? start : endTag.startOffset + origin,
      slot: { kind: "survey", id },
    });
  }
  return [...edits.values()];
}
