// Menus: a button that opens a sheet of links or fields, without a script.

import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { type IconName, icon } from "../icons/icon.ts";

interface MenuOptions {
  /** Unique in the page. After a choice that loads the page again, the script focuses the menu with this id. */
  id?: string;
  label: HtmlValue;
  icon?: IconName;
  /** Highlights the button: the menu holds a choice other than the default. */
  isActive?: boolean;
  /** The sheet ends where the button ends, for menus at the right edge. */
  alignsEnd?: boolean;
  /** Shows the sheet at once, such as a form with a problem. */
  isOpen?: boolean | undefined;
}

/** A button with a sheet. The script closes it on Escape and on a click outside. */
export function menu(options: MenuOptions, ...content: HtmlValue[]): Html {
  const { id, label, icon: name, isActive, alignsEnd, isOpen } = options;
  return html`<details class="menu pick${isActive && " on"}${alignsEnd && " end"}"${id && html` id="${id}"`} name="menu"${isOpen && html` open`}><summary>${name && icon(name)}<span>${label}</span>${icon("expand")}</summary>
<div class="sheet">${content}</div></details>`;
}

/**
 * A "⋯" button at the end of a table's row, with a sheet above the table, which would cut off a sheet of its own.
 *
 * @param id unique in the page
 */
export function rowMenu(id: string, label: string, ...content: HtmlValue[]): Html {
  return html`<button type="button" class="plain row-menu" popovertarget="${id}" aria-label="${label}">${icon("more")}</button>
<div class="sheet row-sheet" id="${id}" popover role="group" aria-label="${label}">${content}</div>`;
}

interface MenuLink {
  url: string;
  name: HtmlValue;
  /** The choice that applies now. */
  isCurrent?: boolean;
}

/** The links of a menu. The current one has a check mark. */
export function menuLinks(links: readonly MenuLink[]): Html {
  return html`<ul>${links.map(
    ({ url, name, isCurrent }) =>
      html`<li><a href="${url}"${isCurrent && html` aria-current="true"`}><span>${name}</span>${isCurrent && html`<span class="check">${icon("check")}</span>`}</a></li>`,
  )}</ul>`;
}

export interface HeadAction {
  /** Undefined prints the page. Only the script can, and shows it. */
  url: string | undefined;
  name: string;
  icon: IconName;
  /** The link leads to a file. */
  isDownload?: boolean;
}

/** The link to the CSV file of what a page shows. */
export function downloadAction({ t }: Locale, url: string): HeadAction {
  return { url, name: t("ui.downloadCsv"), icon: "download", isDownload: true };
}

/** What can be done with a page, beside its title. Phones show the icons alone. */
export function headActions(...actions: readonly (HeadAction | false)[]): Html {
  return html`${actions.map((action) => {
    if (!action) return false;
    const { url, name, icon: symbol, isDownload } = action;
    const label = html`${icon(symbol)}<span class="label">${name}</span>`;
    return url === undefined
      ? html`<button type="button" class="second" data-print hidden>${label}</button>`
      : html`<a class="button second" href="${url}"${isDownload && html` download`}>${label}</a>`;
  })}`;
}

interface FoldOptions {
  /** The id of the sheet, unique in the page. */
  id: string;
  icon: IconName;
  name: string;
  /** How many of the controls differ from the default. */
  active: number;
}

/** Controls that are side by side on desks, and in a sheet behind one button on phones. */
export function fold(
  { t, format }: Locale,
  { id, icon: symbol, name, active }: FoldOptions,
  ...controls: HtmlValue[]
): Html {
  const isActive = active > 0;
  return html`<button type="button" class="second fold-button${isActive && " on"}" popovertarget="${id}">${icon(symbol)}${name}${isActive && html` <span class="badge accent">${format.count(active)}</span>`}</button>
<div class="fold" id="${id}" popover role="group" aria-label="${name}"><div class="fold-head"><strong>${name}</strong><button type="button" class="plain" popovertarget="${id}" popovertargetaction="hide" aria-label="${t("ui.closeMenu")}">${icon("close")}</button></div>
${controls}</div>`;
}

/**
 * A choice between a few views of the same page, all of them in sight, after its label. The current one leads nowhere else,
 * so it is no tab stop.
 *
 * @param id unique in the page, as that of a menu
 */
export function switchLinks(id: string, label: string, links: readonly MenuLink[]): Html {
  return html`<div class="switch-field"><span class="soft small" aria-hidden="true">${label}</span><nav class="switch" id="${id}" aria-label="${label}">${links.map(
    ({ url, name, isCurrent }) =>
      html`<a href="${url}"${isCurrent && html` aria-current="true" tabindex="-1"`}>${name}</a>`,
  )}</nav></div>`;
}
