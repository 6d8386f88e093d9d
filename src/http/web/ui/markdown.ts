// Markdown of our own texts as HTML. Never render text of users with it: HTML in Markdown stays HTML.

import { Marked } from "marked";
import { Html } from "../../html.ts";

const inline = new Marked();

/** One paragraph without its `<p>`. @param text of the program */
export function renderInline(text: string): Html {
  return new Html(inline.parseInline(text, { async: false }));
}
