// Text with a Copy button, which the script reveals.

import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";

/**
 * @param id of the element, unique on the page
 * @param what the button copies, for screen readers
 */
export function copyable(locale: Locale, id: string, text: string, what: string): Html {
  return html`<span class="row"><code id="${id}">${text}</code>
${copyButton(locale, id, what)}</span>${localNote(locale, text)}`;
}

/** Marks URLs that open on this computer alone, because PUBLIC_URL does not say which URL people use. A page shows the first. */
export function localNote({ t }: Locale, text: string): HtmlValue {
  return (
    /https?:\/\/(127\.|localhost\b|\[::1\])/.test(text) &&
    html` <span class="soft small only-here">${t("ui.onlyThisComputer")}</span>`
  );
}

/** Does the same as {@link copyable} for several lines. */
export function copyableLines(locale: Locale, id: string, text: string, what: string): Html {
  return html`<pre id="${id}">${text}</pre>
<p>${copyButton(locale, id, what)}</p>`;
}

/** Copies the text of the element with this id. @param what the button copies, for screen readers */
export function copyButton({ t }: Locale, id: string, what: string): Html {
  return html`<button type="button" class="second" data-copy="${id}" data-copied="${t("ui.copied")}" data-failed="${t("ui.copyByHand")}" aria-label="${t("ui.copyLabel", { what })}" hidden>${t("ui.copy")}</button>`;
}
