// The tables of the web application.

import { type Html, type HtmlValue, html } from "../../html.ts";
import { formatCount } from "./number-format.ts";

/**
 * It can be moved sideways with the keyboard where it is too wide.
 *
 * @param heads none where each row says what it is
 * @param name what it is called where the caption says more than that
 */
export function tableOf(
  caption: string,
  heads: readonly HtmlValue[],
  rows: readonly Html[],
  name: string = caption,
): Html {
  return html`<div class="table" tabindex="0" role="region" aria-label="${name}"><table>
<caption>${caption}</caption>
${heads.length > 0 && html`<thead><tr>${heads}</tr></thead>\n`}<tbody>
${rows}</tbody></table></div>`;
}

export const head = (text: string): Html => html`<th scope="col">${text}</th>`;
export const wordsHead = (text: string): Html => html`<th scope="col" class="words">${text}</th>`;
export const numberHead = (text: string): Html => html`<th scope="col" class="number">${text}</th>`;

export const numberCell = (value: number): Html => html`<td class="number">${formatCount(value)}</td>`;
