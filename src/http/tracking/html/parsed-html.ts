// Parses HTML into a flat list of nodes with their source locations, including those in Outlook's conditional comments.
//
// parse5-html-rewriting-stream is not used: it drops a tag that the text ends in, and emits tokens, which do not say
// where an element ends or what the text of a link is.

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
  /** The innermost link around the node: where a click on it leads. */
  link: Tree.Element | undefined;
  /** The offset in the HTML that the node's locations are relative to. */
  origin: number;
}

/**
 * Parses a page as mail clients do.
 *
 * @throws AppError `bad_request` if the parser would create far more elements than the HTML contains
 */
export function parsePage(html: string): FoundNode[] {
  const page = parse(html, {
    sourceCodeLocationInfo: true,
    // Mail clients run no scripts, so they show the content of <noscript>.
    scriptingEnabled: false,
    treeAdapter: makeTreeAdapter(makeBudget(html)),
  });
  return listNodes(page, 0);
}

/** The nodes in Outlook's conditional comments, such as `<!--[if mso]>…<![endif]-->`. Other mail clients ignore them. */
export function findNodesInConditionalComments(nodes: readonly FoundNode[], html: string): FoundNode[] {
  const budget = makeBudget(html);
  return nodes.flatMap(({ node }) => {
    if (!isComment(node) || !node.sourceCodeLocation) return [];
    const { startOffset, endOffset } = node.sourceCodeLocation;
    const comment = html.slice(startOffset, endOffset);
    const [condition] = comment.match(/^<!--\[if\b[^\]]*\]>/i) ?? [];
    if (condition === undefined) return [];
    // Removes the end of the comment, which could become part of an unquoted attribute.
    const inside = comment.slice(condition.length).replace(/--!?>$/, "");
    const treeAdapter = makeTreeAdapter(budget);
    const fragment = parseFragment(inside, { sourceCodeLocationInfo: true, treeAdapter });
    return listNodes(fragment, startOffset + condition.length);
  });
}

/** Lists nodes in document order, without recursion: HTML can be nested deeper than the call stack allows. */
function listNodes(root: Tree.ParentNode, origin: number): FoundNode[] {
  const nodes: FoundNode[] = [];
  const stack: FoundNode[] = [];
  const pushChildren = (parent: Tree.ParentNode, link: Tree.Element | undefined) => {
    const { childNodes } = "content" in parent ? parent.content : parent;
    for (const node of childNodes.toReversed()) stack.push({ node, link, origin });
  };
  pushChildren(root, undefined);
  for (let next = stack.pop(); next; next = stack.pop()) {
    nodes.push(next);
    const { node, link } = next;
    if ("childNodes" in node) pushChildren(node, isLink(node) ? node : link);
  }
  return nodes;
}

/** Includes the VML elements that Outlook draws buttons with, such as `v:roundrect`. */
export function isLink({ tagName, attrs }: Tree.Element): boolean {
  return /^(a|area|v:.+)$/.test(tagName) && attrs.some(({ name }) => name === "href");
}

function isComment(node: Tree.ChildNode): node is Tree.CommentNode {
  return node.nodeName === "#comment";
}

/** Elements whose content is text, never markup. Only their own end tag closes them. */
export const rawTextElements = new Set(
  "title textarea style script xmp iframe noembed noframes plaintext".split(" "),
);

const noLocation = {
  startLine: 0,
  startCol: 0,
  startOffset: 0,
  endLine: 0,
  endCol: 0,
  endOffset: 0,
};

/**
 * Limits the elements of a tree. The parser reopens unclosed formatting elements such as <font> in every following
 * paragraph, so a short text could exhaust the memory. Otherwise there are fewer elements than characters.
 */
function makeBudget(html: string): { elements: number } {
  return { elements: html.length + 1_000 };
}

function makeTreeAdapter(budget: { elements: number }): TreeAdapter<Tree.DefaultTreeAdapterMap> {
  const endTags = new Set<number>();
  return {
    ...defaultTreeAdapter,
    createElement(...args) {
      budget.elements -= 1;
      if (budget.elements >= 0) return defaultTreeAdapter.createElement(...args);
      throw new AppError(
        "bad_request",
        "html: too many elements are open at once; close them with end tags.",
      );
    },
    // parse5 records the end tag of an implied <body> or <html> only if the element has a location.
    setNodeSourceCodeLocation(node, location) {
      const mayBeImplied = node.nodeName === "body" || node.nodeName === "html";
      defaultTreeAdapter.setNodeSourceCodeLocation(node, location ?? (mayBeImplied ? noLocation : null));
    },
    // An end tag closes one element. At the end of the text, parse5 assigns the last one to open templates, too.
    updateNodeSourceCodeLocation(node, { endTag, ...location }) {
      const isOwn = endTag !== undefined && !endTags.has(endTag.startOffset);
      if (isOwn) endTags.add(endTag.startOffset);
      defaultTreeAdapter.updateNodeSourceCodeLocation(node, isOwn ? { ...location, endTag } : location);
    },
  };
}
