// Empty states: why a page or card shows nothing, and what to do.

import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import { type IconName, icon } from "../icons/icon.ts";

interface EmptyStateOptions {
  icon: IconName;
  title: string;
  text?: HtmlValue;
  /** Links with the class `button`; the first one is the obvious next step. */
  actions?: HtmlValue;
}

/** A card with an icon, a sentence and the next steps. */
export function emptyState({ icon: name, title, text, actions }: EmptyStateOptions): Html {
  return html`<section class="card empty">${icon(name)}<h2>${title}</h2>
${text && html`<p>${text}</p>`}
${actions && html`<div class="row">${actions}</div>`}</section>`;
}
