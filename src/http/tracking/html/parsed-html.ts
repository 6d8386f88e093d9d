// HTML as a parser sees it: its nodes with the places where they are written, those in the conditions for Outlook included.

import {
  defaultTreeAdapter,
  parse,
  parseFragment,
  type DefaultTreeAdapterTypes as Tree,
  type TreeAdapter,
} from "parse5";
import { AppError } from "../../../errors.ts";

export interface FoundNode {
  node: Tree.ChildNode;
  /** The innermost link around it: that is where a click on it leads. */
  link: Tree.Element | undefined;
  /** Where the text begins that its places are counted in. */
  origin: number;
}

/** In the order of the tree. HTML may be nested deeper than calls can be. */
function nodesIn(root: Tree.ParentNode, origin: number): FoundNode[] {
  const found: FoundNode[] = [];
  const waiting: FoundNode[] = [];
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
export function isLink({ tagName, attrs }: Tree.Element): boolean {
  return /^(a|area|v:.+)$/.test(tagName) && attrs.some(({ name }) => name === "href");
}

export function parsePage(html: string): { nodes: FoundNode[]; isCutOff: boolean } {
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

export const noLocation = { startLine: 0, startCol: 0, startOffset: 0, endLine: 0, endCol: 0, endOffset: 0 };

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
      throw new AppError(
        "bad_request",
        "html: too many elements are open at once; close them with end tags.",
      );
    },
    // The end tag of what has no start tag is noted only where there is a place to note it at.
    setNodeSourceCodeLocation(node, location) {
      const mayBeEnded = node.nodeName === "body" || node.nodeName === "html";
      defaultTreeAdapter.setNodeSourceCodeLocation(node, location ?? (mayBeEnded ? noLocation : null));
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
export function findNodesInConditionalComments(nodes: readonly FoundNode[], html: string): FoundNode[] {
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

export function isComment(node: Tree.ChildNode): node is Tree.CommentNode {
  return node.nodeName === "#comment";
}

/** Here markup is none. Nothing but their own end tag closes these. */
export const rawTextElements = new Set(
  "title textarea style script xmp iframe noembed noframes plaintext".split(" "),
);
