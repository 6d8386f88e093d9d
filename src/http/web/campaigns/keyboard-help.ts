// The list of keyboard shortcuts, which the script adds. They can be turned off (WCAG 2.2, success criterion 2.1.4).

import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";

const key = (name: string) => html`<kbd>${name}</kbd> `;

export function keyboardHelp({ strings }: Locale): Html {
  const { keys, keyMeanings, useKeys, close } = strings.campaigns;
  const rows = (
    [
      [["/"], keyMeanings.search],
      [["j", "↓"], keyMeanings.down],
      [["k", "↑"], keyMeanings.up],
      [["Enter"], keyMeanings.open],
      [["x"], keyMeanings.select],
      [["c"], keyMeanings.compare],
      [["?"], keyMeanings.help],
    ] as const
  ).map(([keys, meaning]) => html`<div><dt>${keys.map(key)}</dt><dd>${meaning}</dd></div>`);
  return html`<p class="shortcuts" hidden data-scripted><button type="button" class="plain small" popovertarget="keys">${keys}</button></p>
<div id="keys" popover role="dialog" aria-labelledby="keys-title"><h2 id="keys-title">${keys}</h2><dl class="keys">${rows}</dl>
<label class="inline"><input type="checkbox" data-keys checked> ${useKeys}</label>
<p><button type="button" class="second" popovertarget="keys" popovertargetaction="hide">${close}</button></p></div>`;
}
