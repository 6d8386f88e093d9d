// Pagination of lists that one page cannot show at once.

import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";

/**
 * @param options.page the page number as the URL has it; one beyond the last counts as the last
 * @param options.pageSize items per page
 * @param options.what the items are, in the plural
 * @param options.query the other parameters of the page, which links keep
 * @returns the items of the page, and links to its neighbors unless there is only one page
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
): { shown: readonly Item[]; links: HtmlValue } {
  const pages = Math.max(1, Math.ceil(items.length / pageSize));
  const page = Math.min(parsePageNumber(requestedPage), pages);
  const shown = items.slice((page - 1) * pageSize, page * pageSize);
  const urlOf = (target: number) => `?${new URLSearchParams([...query, ["page", String(target)]])}`;
  const links = paginationLinks(locale, {
    page,
    pageSize,
    total: items.length,
    label: locale.t("ui.paginationLabel", { what }),
    urlOf,
  });
  return { shown, links: pages > 1 && links };
}

/** A link to another page of a list. */
const pageLink = (url: string, name: string): Html =>
  html`<a href="${url}" class="button second small">${name}</a>`;

/** The page number in a URL, from 1; an invalid one counts as 1. */
export function parsePageNumber(text: string | null): number {
  return /^\d{1,15}$/.test(text ?? "") ? Math.max(Number(text), 1) : 1;
}

interface PaginationOptions {
  page: number;
  pageSize: number;
  total: number;
  label: string;
  urlOf(page: number): string;
}

/** The range of a page with links to its neighbors. @param more beside them */
export function paginationLinks(
  { t }: Locale,
  { page, pageSize, total, label, urlOf }: PaginationOptions,
  more: HtmlValue = false,
): Html {
  const [first, last] = [(page - 1) * pageSize + 1, Math.min(page * pageSize, total)];
  return html`<nav class="pages" aria-label="${label}"><span class="range">${t("ui.itemRange", { first, last, total })}</span>
${page > 1 && pageLink(urlOf(page - 1), t("ui.previousPage"))}
${last < total && pageLink(urlOf(page + 1), t("ui.nextPage"))}${more}</nav>`;
}

/** Links of a list whose length is not known, to its start and to the next page. @param range of this page */
export function openEndedLinks(
  { t }: Locale,
  label: string,
  { start, next }: { start: string | undefined; next: string | undefined },
  range?: string,
): HtmlValue {
  if (start === undefined && next === undefined) return false;
  return html`<nav class="pages" aria-label="${label}">${range !== undefined && html`<span class="range">${range}</span>`}${start !== undefined && pageLink(start, t("recipients.backToStart"))}${next !== undefined && pageLink(next, t("ui.nextPage"))}</nav>`;
}
