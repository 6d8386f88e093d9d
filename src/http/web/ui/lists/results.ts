// The results of a page: what its filters lead to.

import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";

export const resultsId = "results";

/**
 * The target of the second skip link. The script focuses it after a choice whose control is gone, such as a page of a list.
 *
 * @param summary what the script has screen readers say after a choice, such as "25 campaigns"; empty for nothing
 */
export function results(summary: string, ...content: HtmlValue[]): Html {
  return html`<div id="${resultsId}" tabindex="-1" data-summary="${summary}">${content}</div>`;
}
