// Comments as cards: what people wrote, with their rating and where it is from.

import { type Html, type HtmlValue, html } from "../../html.ts";

export interface CommentCard {
  text: string;
  /** The rating or answer that the comment belongs to. */
  reaction?: HtmlValue;
  /** Where and when it was written, and by whom if that is known. */
  source?: HtmlValue;
}

export function commentList(comments: readonly CommentCard[]): Html {
  return html`<ul class="comments">${comments.map(
    ({ text, reaction, source }) =>
      html`<li class="comment"><blockquote>${withLineBreaks(text)}</blockquote><footer>${reaction} ${source}</footer></li>\n`,
  )}</ul>`;
}

export function withLineBreaks(text: string): HtmlValue {
  return text.split(/\r\n|[\n\r]/).map((line, index) => html`${index > 0 && html`<br>`}${line}`);
}
