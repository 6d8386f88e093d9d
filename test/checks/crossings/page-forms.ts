// The forms of a page, as a browser sends them.

import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";

/** The fields of one form, with their values. */
export type FormFields = Record<string, string>;

interface PageForm {
  /** The page that receives it; empty for the page itself. */
  to: string;
  fields: FormFields;
}

/** All forms that send their fields with POST. */
export function formsIn(html: string): PageForm[] {
  return elementsIn(parse(html))
    .filter((element) => element.tagName === "form" && attributeOf(element, "method") === "post")
    .map((form) => ({
      to: attributeOf(form, "action") ?? "",
      fields: Object.fromEntries(elementsIn(form).flatMap(fieldOf)),
    }));
}

function fieldOf(element: Tree.Element): [string, string][] {
  const name = attributeOf(element, "name");
  if (name === undefined) return [];
  if (element.tagName === "textarea") return [[name, textOf(element)]];
  if (element.tagName === "select") {
    const options = elementsIn(element).filter(({ tagName }) => tagName === "option");
    const chosen = options.find((option) => attributeOf(option, "selected") !== undefined) ?? options[0];
    return [[name, chosen ? (attributeOf(chosen, "value") ?? textOf(chosen)) : ""]];
  }
  if (element.tagName !== "input") return [];
  const type = attributeOf(element, "type");
  if (type === "file" || ((type === "checkbox" || type === "radio") && !hasAttribute(element, "checked")))
    return [];
  return [[name, attributeOf(element, "value") ?? ""]];
}

function elementsIn(node: Tree.ParentNode): Tree.Element[] {
  return node.childNodes.flatMap((child) => ("tagName" in child ? [child, ...elementsIn(child)] : []));
}

const attributeOf = ({ attrs }: Tree.Element, name: string) =>
  attrs.find((each) => each.name === name)?.value;
const hasAttribute = (element: Tree.Element, name: string) => attributeOf(element, name) !== undefined;
const textOf = ({ childNodes }: Tree.ParentNode) =>
  childNodes.map((child) => ("value" in child ? child.value : "")).join("");
