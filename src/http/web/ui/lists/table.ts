// Tables and their cells.

import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { icon } from "../icons/icon.ts";
import { noValue, numberOrDash } from "../numbers/number-or-dash.ts";

interface TableOptions {
  /** The accessible name, if it should be shorter than the caption. */
  name?: string;
  /** The rows of the table's foot, such as totals. */
  footer?: Html;
  /**
   * In narrow windows, each row is a card: give each cell the attribute that {@link cellLabel} makes. Names of `short` and
   * `slim` rows are one line, those of `short` rows up to two where windows are narrower than a desk; in narrow windows, `slim`
   * rows are one line with a name and a bar's number.
   */
  isStacked?: boolean | "short" | "slim";
  /** On phones, the first column stays in sight while the others scroll: for numbers that are compared across a row. */
  isPinned?: boolean;
  /** The caption is for screen readers only, because a heading says the same. */
  hidesCaption?: boolean;
}

/**
 * Renders a table that scrolls sideways where it is too wide, also by keyboard.
 *
 * @param headers empty if each row has its own row header
 */
export function renderTable(
  caption: string,
  headers: readonly HtmlValue[],
  rows: readonly Html[],
  { name = caption, footer, isStacked, isPinned, hidesCaption }: TableOptions = {},
): Html {
  return html`<div class="table" tabindex="0" role="region" aria-label="${name}"><table${isStacked && html` class="stack${isStacked !== true && html` ${isStacked}`}"`}${isPinned && html` class="pinned"`}>
<caption${hidesCaption && html` class="visually-hidden"`}>${caption}</caption>
${headers.length > 0 && html`<thead><tr>${headers}</tr></thead>\n`}<tbody>
${rows}</tbody>${footer && html`<tfoot>${footer}</tfoot>`}</table></div>`;
}

interface DataOptions extends TableOptions {
  /**
   * The classes of the cells of each column, such as `number`. A column of `actions` has its title for screen readers only;
   * one that is `bare` has no title in narrow windows.
   */
  classes?: readonly string[];
  /** Headers with more than their titles. */
  headers?: readonly (Html | undefined)[];
  /** The class of each row. */
  rowClasses?: readonly (string | undefined)[];
}

/** @param rows the cells of each row, whose first one names it */
export function dataTable(
  caption: string,
  titles: readonly string[],
  rows: readonly (readonly HtmlValue[])[],
  { classes = [], headers = [], rowClasses = [], ...options }: DataOptions = {},
): Html {
  const classOf = (index: number) => (classes[index] ?? "").replace(/ ?bare/, "");
  const attribute = (value: string | undefined) => value && html` class="${value}"`;
  const titleCells = titles.map((title, index) => {
    const isHidden = classes[index] === "actions";
    const text = isHidden ? html`<span class="visually-hidden">${title}</span>` : title;
    return (
      headers[index] ??
      html`<th scope="col"${attribute(/number|text/.exec(classOf(index))?.[0])}>${text}</th>`
    );
  });
  const cellOf = (cell: HtmlValue, index: number) => {
    const hasLabel = options.isStacked && !/bare|actions/.test(classes[index] ?? "");
    return html`<td${attribute(classOf(index))}${hasLabel && cellLabel(titles[index] ?? "")}>${cell}</td>`;
  };
  const lines = rows.map(
    ([name, ...cells], row) =>
      html`<tr${attribute(rowClasses[row])}><th scope="row"${attribute(classOf(0))}>${name}</th>${cells.map((cell, index) => cellOf(cell, index + 1))}</tr>\n`,
  );
  return renderTable(caption, titleCells, lines, options);
}

/** Declares a column once for the table of a page and for its CSV file. */
export interface PageColumn<Row> {
  title: string;
  /** The header of the table, if it has more than the title. */
  header?: Html | undefined;
  /** What the header of the file says behind the title. */
  unit?: string | undefined;
  /** The cell of the file; without a value it is empty. */
  csv(row: Row): string | number | null | undefined;
  /** As in {@link dataTable}. */
  className?: string;
  /** The cell of the table, by default that of the file; a dash without a value. False leaves the column out of the table. */
  cell?: ((row: Row) => HtmlValue) | false;
}

/** Renders what {@link PageColumn}s declare. A file of the same rows takes them too. */
export function columnsTable<Row>(
  locale: Locale,
  caption: string,
  columns: readonly PageColumn<Row>[],
  rows: readonly Row[],
  options: TableOptions & Pick<DataOptions, "rowClasses"> = {},
): Html {
  const onPage = columns.filter(({ cell }) => cell !== false);
  return dataTable(
    caption,
    onPage.map(({ title }) => title),
    rows.map((row) => onPage.map(({ csv, cell }) => (cell || csv)(row) ?? noValue(locale))),
    {
      ...options,
      classes: onPage.map(({ className = "" }) => className),
      headers: onPage.map(({ header }) => header),
    },
  );
}

/** A table of things that somebody manages, such as keys. @param titles of the columns; the last one is of what can be done */
export const recordTable = (
  caption: string,
  titles: readonly string[],
  rows: readonly (readonly HtmlValue[])[],
  options: TableOptions = {},
): Html => {
  const classes = titles.map((_, index) =>
    index === 0 ? "text" : index === titles.length - 1 ? "actions" : "",
  );
  return dataTable(caption, titles, rows, { ...options, classes, isStacked: true });
};

export const columnHeader = (text: string): Html => html`<th scope="col">${text}</th>`;
export const textColumnHeader = (text: string): Html => html`<th scope="col" class="text">${text}</th>`;
export const numberColumnHeader = (text: string): Html => html`<th scope="col" class="number">${text}</th>`;

interface SortOptions {
  /** The same list sorted by this column, or in reverse order if it is already. */
  url: string;
  /** The order if the list is sorted by this column now. */
  sorted?: "ascending" | "descending" | undefined;
  /** Where a click leads, as a tooltip, which screen readers read after the name: "lowest first". */
  hint: string;
  isNumber?: boolean;
  /** The cells have rates with their ranges. */
  isRate?: boolean;
}

/** A column header that sorts. */
export function sortableHeader(text: string, { url, sorted, hint, isNumber, isRate }: SortOptions): Html {
  return html`<th scope="col"${isNumber && html` class="number${isRate && " rate"}"`}${sorted && html` aria-sort="${sorted}"`}><a href="${url}" title="${hint}"${sorted && html` data-sorted`}>${text}${icon(sorted ?? "descending")}</a></th>`;
}

/** The attribute that shows the column's name where a row is a card. */
export const cellLabel = (label: string): Html => html` data-label="${label}"`;

export const numberCell = (locale: Locale, count: number | null, label?: string): Html =>
  html`<td class="number"${label !== undefined && cellLabel(label)}>${numberOrDash(locale, "count", count)}</td>`;

/**
 * A number with a bar.
 *
 * @param share the length of the bar, from 0 to 1; null for none
 * @param text the number as the page formats it
 */
export function barCell(share: number | null, text: HtmlValue, label?: string): Html {
  return html`<td class="number bar"${label !== undefined && cellLabel(label)}>${withBar(share, text)}</td>`;
}

/** The content of a cell with the classes `number bar`. @param share as in {@link barCell} */
export const withBar = (share: number | null, text: HtmlValue): Html => html`${bar(share)}${text}`;

/** A bar for the eye alone: the number must stand beside it. @param share its length, from 0 to 1; null for none */
function bar(share: number | null): HtmlValue {
  if (share === null) return false;
  const width = Math.round(Math.min(Math.max(share, 0), 1) * 1000) / 10;
  return html`<svg class="fill" aria-hidden="true"><rect width="${width}%" height="100%"/></svg>`;
}

/** One bar of several shares, for the eye alone as {@link barCell}'s. @param classes the color of each share */
export function stackedBar(shares: readonly number[], classes: readonly string[]): Html {
  const percent = (share: number) => `${Math.round(share * 1000) / 10}%`;
  const rects = shares.map((share, index) => {
    const before = shares.slice(0, index).reduce((sum, each) => sum + each, 0);
    return html`<rect class="${classes[index]}" x="${percent(before)}" width="${percent(share)}" height="100%"/>`;
  });
  return html`<svg class="shares" aria-hidden="true">${rects}</svg>`;
}

/** Rows of a name, a bar and a number, such as the shares of devices. */
export function barRows(rows: readonly { name: HtmlValue; share: number | null; text: HtmlValue }[]): Html {
  return html`<dl class="rows">${rows.map(
    ({ name, share, text }) =>
      html`<div><dt>${name}</dt><dd aria-hidden="true">${bar(share)}</dd><dd>${text}</dd></div>`,
  )}</dl>`;
}
