// Text of senders and users, such as subjects and names: its direction must not change the order of the text around it.

import { type Html, html } from "./html.ts";

/** Returns text for a page. Neither its language nor its direction is known. */
export function isolatedText(text: string): Html {
  return html`<bdi lang="">${text}</bdi>`;
}

/** Letters from right to left, and characters that set the direction of what follows them. */
const directional =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Bidi_C}]/u;

/** Returns text without elements, such as a window title, isolated if its direction matters. */
export function isolate(text: string): string {
  return directional.test(text) ? `\u2068${text}\u2069` : text;
}

const marks = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** Returns the text of HTML, without its elements. */
export function plainText({ text }: Html): string {
  return text
    .replaceAll(/<bdi[^>]*>(.*?)<\/bdi>/g, (_, name: string) => isolate(name))
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(\w+);/g, (_, mark: keyof typeof marks) => marks[mark]);
}
