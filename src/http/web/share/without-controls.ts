// Takes everything off a page that leads elsewhere or asks for input, so that a visitor can only read.

import { parseFragment, serialize, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { Html } from "../../../locale/html.ts";

const removedElements = new Set(["nav", "form", "button", "input", "select", "noscript", "script"]);
/** Filters, menus except what the numbers mean, the labels of switches, what a folded menu holds, and links to the help. */
const removedClasses = ["toolbar", "switch-field", "menu", "fold", "more"];
const keptOfLinks = new Set(["class", "title", "lang", "dir"]);

/**
 * Comments go too, unless the link was made with them. The text of a link stays, except beside a heading and on buttons, where it only says where the link leads.
 */
export function withoutControls(content: Html, { comments = false } = {}): Html {
  const root = parseFragment(content.text);
  clean(root, comments ? removedClasses : [...removedClasses, "comments", "with-comments"]);
  return new Html(serialize(root));
}

function clean(parent: Tree.ParentNode, removed: readonly string[]): void {
  parent.childNodes = parent.childNodes.filter(
    (node) => !("attrs" in node) || !isControl(node, parent, removed),
  );
  for (const node of parent.childNodes) {
    if (!("attrs" in node)) continue;
    if (node.tagName === "a") toText(node);
    clean(node, removed);
  }
}

const classesOf = (node: Tree.ParentNode) =>
  "attrs" in node ? (node.attrs.find(({ name }) => name === "class")?.value ?? "").split(" ") : [];

function isControl(node: Tree.Element, parent: Tree.ParentNode, removed: readonly string[]): boolean {
  const classes = classesOf(node);
  if (classes.includes("about")) return false;
  if (removedElements.has(node.tagName) || removed.some((each) => classes.includes(each))) return true;
  return node.tagName === "a" && (classes.includes("button") || classesOf(parent).includes("card-head"));
}

function toText(link: Tree.Element): void {
  link.tagName = "span";
  link.nodeName = "span";
  link.attrs = link.attrs.filter(({ name }) => keptOfLinks.has(name));
}
