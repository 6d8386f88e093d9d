// Pagination of lists that one page cannot show at once.

import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";

/**
 * @param options.page the page number as the URL has it; one beyond the last counts as the last
 * @param options.pageSize items per page
 * @param options.what the items are, in the plural
 * @param options.query the other parameters of the page, which links keep
 * @returns the items of the page, its number, and links to its neighbors unless there is only one page
 */
export function paginate<Item>(
  locale: Locale,
  items: readonly Item[],
  {
    page: requestedPage,
    pageSize,
    what,
    query = new URLSearchParams(),
  }: { page: string | null; pageSize: number; what: string; query?: URLSearchParams },
): { shown: readonly Item[]; page: number; links: HtmlValue } {
  const pages = Math.max(1, Math.ceil(items.length / pageSize));
  const page = Math.min(parsePageNumber(requestedPage), pages);
  const first = (page - 1) * pageSize;
  const shown = items.slice(first, first + pageSize);
  const range = locale.t("ui.itemRange", {
    first: first + 1,
    last: first + shown.length,
    total: items.length,
  });
  return { shown, page, links: pages > 1 && paginationLinks(locale, { page, pages, range, what, query }) };
}

/** A link to another page of a list. */
export const pageLink = (url: string, name: string): Html =>
  html`<a href="${url}" class="button second small">${name}</a>`;

/** The page number in a URL, from 1; an invalid one counts as 1. */
export function parsePageNumber(text: string | null): number {
  return /^\d{1,15}$/.test(text ?? "") ? Math.max(Number(text), 1) : 1;
}

interface PaginationOptions {
  page: number;
  pages: number;
  range: string;
  what: string;
  query: URLSearchParams;
}

function paginationLinks({ t }: Locale, { page, pages, range, what, query }: PaginationOptions): Html {
  const linkTo = (target: number, name: string) => {
    const parameters = new URLSearchParams([...query, ["page", String(target)]]);
    return pageLink(`?${parameters}`, name);
  };
  return html`<nav class="pages" aria-label="${t("ui.paginationLabel", { what })}"><span class="range">${range}</span>
${page > 1 && linkTo(page - 1, t("ui.previousPage"))}
${page < pages && linkTo(page + 1, t("ui.nextPage"))}</nav>`;
}
