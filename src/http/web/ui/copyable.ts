// Text that people take elsewhere: as it is, with a button that copies it where there is a script.

import { type Html, html } from "../../html.ts";

/**
 * @param id of the element, unlike any other's on the page
 * @param what it is, in words that follow "Copy"
 */
export function copyable(id: string, text: string, what: string): Html {
  return html`<span class="row"><code id="${id}">${text}</code>
<button type="button" class="second" data-copy="${id}" aria-label="Copy ${what}" hidden>Copy</button></span>`;
}

/** As {@link copyable}, of several lines. */
export function copyableLines(id: string, text: string, what: string): Html {
  return html`<pre id="${id}">${text}</pre>
<p><button type="button" class="second" data-copy="${id}" aria-label="Copy ${what}" hidden>Copy</button></p>`;
}
