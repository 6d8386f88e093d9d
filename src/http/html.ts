// HTML in which everything that is put into it is escaped, unless it is HTML itself.

/** Text as it stands in HTML, between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

export class Html {
  readonly text: string;

  /** @param text taken as it is: from constants of the program only */
  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What can be put into HTML. Nothing stands for `undefined`, `null` and `false`. */
export type HtmlValue = Html | string | number | undefined | null | false | readonly HtmlValue[];

/** Escapes whatever stands in it but other HTML: html`<p>${anything}</p>`. Attributes are to be quoted. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlValue[]): Html {
  return new Html(texts.map((text, index) => text + textOf(parts[index])).join(""));
}

function textOf(part: HtmlValue): string {
  if (part === undefined || part === null || part === false) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(textOf).join("");
  return escapeHtml(String(part));
}
