// Text with a Copy button, which the script reveals.

import { type Html, html } from "../../html.ts";
import { uiStrings } from "../strings/ui.ts";

/**
 * @param id of the element, unique on the page
 * @param what the button copies, for screen readers
 */
export function copyable(id: string, text: string, what: string): Html {
  return html`<span class="row"><code id="${id}">${text}</code>
${copyButton(id, what)}</span>`;
}

/** As {@link copyable}, for several lines. */
export function copyableLines(id: string, text: string, what: string): Html {
  return html`<pre id="${id}">${text}</pre>
<p>${copyButton(id, what)}</p>`;
}

/** Copies the text of the element with this id. @param what the button copies, for screen readers */
export function copyButton(id: string, what: string): Html {
  return html`<button type="button" class="second" data-copy="${id}" aria-label="${uiStrings.copyLabel(what)}" hidden>${uiStrings.copy}</button>`;
}
