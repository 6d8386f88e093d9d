// Tables and their cells.

import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";

/**
 * Renders a table that scrolls sideways where it is too wide, also by keyboard.
 *
 * @param headers empty if each row has its own row header
 * @param name the accessible name, if it should be shorter than the caption
 */
export function renderTable(
  caption: string,
  headers: readonly HtmlValue[],
  rows: readonly Html[],
  name: string = caption,
): Html {
  return html`<div class="table" tabindex="0" role="region" aria-label="${name}"><table>
<caption>${caption}</caption>
${headers.length > 0 && html`<thead><tr>${headers}</tr></thead>\n`}<tbody>
${rows}</tbody></table></div>`;
}

export const columnHeader = (text: string): Html => html`<th scope="col">${text}</th>`;
export const textColumnHeader = (text: string): Html => html`<th scope="col" class="text">${text}</th>`;
export const numberColumnHeader = (text: string): Html => html`<th scope="col" class="number">${text}</th>`;

export const numberCell = ({ format }: Locale, value: number): Html =>
  html`<td class="number">${format.count(value)}</td>`;
