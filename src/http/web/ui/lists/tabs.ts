// Tabs: links to the sections of a page.

import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";

interface Tab {
  url: string;
  name: HtmlValue;
  /** A number beside the name, as the page formats it. */
  count?: string | undefined;
  isCurrent: boolean;
}

/**
 * @param label what the tabs choose between, for screen readers
 * @param currentId the id of the current tab. Links whose fragment it is keep the place on the page, and the focus
 */
export function tabs(label: string, items: readonly Tab[], currentId?: string): Html {
  return html`<nav class="tabs" id="tabs" aria-label="${label}">${items.map(
    ({ url, name, count, isCurrent }) =>
      html`<a href="${url}"${isCurrent && html` aria-current="page"`}${isCurrent && currentId && html` id="${currentId}"`}>${name}${count !== undefined && html` <span class="count">${count}</span>`}</a>`,
  )}</nav>`;
}
