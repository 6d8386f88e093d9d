// A table of a campaign's page.

import { type Html, html, type Part } from "../html.ts";

/** It can be moved sideways with the keyboard where it is too wide. @param heads none where each row says what it is */
export function tableOf(caption: string, heads: readonly Part[], rows: readonly Html[]): Html {
  return html`<div class="table" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}</caption>
${heads.length > 0 && html`<thead><tr>${heads}</tr></thead>\n`}<tbody>
${rows}</tbody></table></div>`;
}

export const head = (text: string): Html => html`<th scope="col">${text}</th>`;
export const wordsHead = (text: string): Html => html`<th scope="col" class="words">${text}</th>`;
export const numberHead = (text: string): Html => html`<th scope="col" class="number">${text}</th>`;

/** With thousands separators. */
export const count = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 20 });

export const numberCell = (value: number): Html => html`<td class="number">${count(value)}</td>`;
