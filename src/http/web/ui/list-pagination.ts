// Long lists in parts, with links from one to the next: nobody else is answered while a part is made.

import { type Html, type HtmlValue, html } from "../../html.ts";
import { formatCount } from "./number-format.ts";

/**
 * @param from which part is shown, as the page's address has it: `2` for the second one
 * @param size how many are in a part
 * @param what they are, as one says it of several
 * @returns those of the part, and links to the ones around it where there is more than one
 */
export function paginate<Each>(
  all: readonly Each[],
  { from, size, what }: { from: string | null; size: number; what: string },
): { shown: readonly Each[]; links: HtmlValue } {
  const parts = Math.max(1, Math.ceil(all.length / size));
  const part = /^\d{1,6}$/.test(from ?? "") ? Math.min(Math.max(Number(from), 1), parts) : 1;
  const shown = all.slice((part - 1) * size, part * size);
  return { shown, links: parts > 1 && linksOf({ part, parts, size, count: all.length, what }) };
}

interface ListPosition {
  part: number;
  parts: number;
  size: number;
  count: number;
  what: string;
}

function linksOf({ part, parts, size, count, what }: ListPosition): Html {
  const first = formatCount((part - 1) * size + 1);
  const last = formatCount(Math.min(part * size, count));
  return html`<nav class="pages" aria-label="More ${what}"><span>${first} to ${last} of ${formatCount(count)}</span>
${part > 1 && html`<a href="?page=${part - 1}">Earlier ones</a>`}
${part < parts && html`<a href="?page=${part + 1}">Later ones</a>`}</nav>`;
}
