// HTML templates that escape every value except HTML itself.

export class Html {
  readonly text: string;

  /** @param text not escaped: only constants of the program */
  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** A value in a template. `undefined`, `null` and `false` render as nothing. */
export type HtmlValue = Html | string | number | undefined | null | false | readonly HtmlValue[];

/** Template tag that escapes its values: html`<p title="${any}">${any}</p>`. Attribute values must be quoted. */
export function html(texts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(texts.map((text, index) => text + textOf(values[index])).join(""));
}

/** Puts a separator between parts. */
export const joinHtml = (parts: readonly HtmlValue[], separator: HtmlValue): Html =>
  html`${parts.map((part, index) => html`${index > 0 && separator}${part}`)}`;

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function textOf(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(textOf).join("");
  return escapeHtml(String(value));
}
