// The mark of a tool: its initials on a colored square. We show no logos of others.

import { type Html, html } from "../../html.ts";

const colors = 5;

/** @param index of the tool in its table, which chooses the color */
export function toolMark(name: string, index: number): Html {
  return html`<svg class="tool-mark" viewBox="0 0 40 40" width="40" height="40" aria-hidden="true" focusable="false">
<rect class="s${(index % colors) + 1}" x="1" y="1" width="38" height="38" rx="9"/>
<text x="20" y="26" text-anchor="middle">${initialsOf(name)}</text></svg>`;
}

/** `PB` of Power BI, `Ta` of Tableau. Text in parentheses does not count. */
export function initialsOf(name: string): string {
  const [first = "", second] = name.replace(/\(.*\)/, "").match(/[\p{L}\p{N}]+/gu) ?? [];
  return second === undefined ? first.slice(0, 2) : first.slice(0, 1) + second.slice(0, 1);
}
