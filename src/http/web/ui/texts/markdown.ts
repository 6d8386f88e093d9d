// Markdown of our own texts as HTML. Never render text of users with it.

import { Marked, type RendererObject, type Token, type Tokens } from "marked";
import { escapeHtml, Html } from "../../../../locale/html.ts";

export interface Document {
  /** The text of its first heading. */
  title: string;
  /** Everything below the first heading. */
  body: Html;
}

const inline = new Marked();

/** One paragraph without its `<p>`. @param text of the program */
export function renderInline(text: string): Html {
  return new Html(inline.parseInline(text, { async: false }));
}

/**
 * @param text of the program: a heading, then the content
 * @param urlOf the URL of a link; undefined shows the text alone
 */
export function renderDocument(text: string, urlOf: (link: string) => string | undefined): Document {
  const marked = new Marked({ renderer: rendererFor(urlOf) });
  const [heading, ...content] = marked.lexer(text).filter(({ type }) => type !== "space");
  if (heading?.type !== "heading") throw new Error("The document does not begin with a heading.");
  return {
    title: (heading as Tokens.Heading).text,
    body: new Html(marked.parser(content as Token[])),
  };
}

function rendererFor(urlOf: (link: string) => string | undefined): RendererObject {
  let section = "";
  let tables = 0;
  return {
    heading({ tokens, depth, text }) {
      section = text;
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const content = this.parser.parseInline(tokens);
      const url = urlOf(href);
      return url === undefined ? content : `<a href="${escapeHtml(url)}">${content}</a>`;
    },
    // Comments of generated parts.
    html: () => "",
    image: ({ text }) => escapeHtml(text),
    table({ header, rows }) {
      // On phones, wide tables become cards, in which each cell says its column.
      const isStacked = header.length > 2;
      const contentOf = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
      const cell = (each: Tokens.TableCell, column: number) => {
        if (column === 0) return `<th scope="row">${contentOf(each)}</th>`;
        const label = isStacked ? ` data-label="${escapeHtml(header[column]?.text ?? "")}"` : "";
        return `<td${label}>${contentOf(each)}</td>`;
      };
      const headers = header.map((each) => `<th scope="col">${contentOf(each)}</th>`).join("");
      // Pairs of a name and a value have no column headers.
      const head = header.some(({ text }) => text !== "") ? `\n<thead><tr>${headers}</tr></thead>` : "";
      const lines = rows.map((row) => `<tr>${row.map(cell).join("")}</tr>\n`);
      tables += 1;
      const label = escapeHtml(`${tables}. ${section}`);
      return `<div class="table" tabindex="0" role="region" aria-label="${label}"><table${isStacked ? ' class="stack"' : ""}>${head}
<tbody>${lines.join("")}</tbody></table></div>\n`;
    },
  };
}

/** The anchor that GitHub gives a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
