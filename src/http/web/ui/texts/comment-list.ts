// Comments as cards: what people wrote, with the question, their rating and where it is from.

import { type Html, type HtmlValue, html, joinHtml } from "../../../../locale/html.ts";

export interface CommentCard {
  text: string;
  /** What the comment answers, if the heading above the cards does not say it. */
  question?: HtmlValue;
  /** The rating or answer that the comment belongs to. */
  reaction?: HtmlValue;
  /** The campaign that it is of. */
  campaign?: { url: string; subject: Html };
  /** When it was written, or by whom. */
  source?: HtmlValue;
}

/** The language of a comment is unknown, so it is not that of the page. A campaign with several comments is a tab stop once. */
export function commentList(comments: readonly CommentCard[]): Html {
  const linked = new Set<string>();
  const link = ({ url, subject }: NonNullable<CommentCard["campaign"]>) => {
    const isRepeated = linked.has(url);
    linked.add(url);
    return html`<a href="${url}"${isRepeated && html` tabindex="-1"`}>${subject}</a>`;
  };
  return html`<ul class="comments">${comments.map(
    ({ text, question, reaction, campaign, source }) =>
      html`<li class="comment">${question !== undefined && html`<p class="soft small">${question}</p>`}<blockquote lang="" dir="auto">${withLineBreaks(text)}</blockquote><footer>${reaction} ${campaign && link(campaign)} ${source}</footer></li>\n`,
  )}</ul>`;
}

const withLineBreaks = (text: string): Html => joinHtml(text.split(/\r\n|[\n\r]/), html`<br>`);
