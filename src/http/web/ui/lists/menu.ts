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
  /** Has no arrow: the icon says that it is a menu. */
  isBare?: boolean;
}

/** A button with a sheet. The script closes it on Escape and on a click outside. */
export function menu(options: MenuOptions, ...content: HtmlValue[]): Html {
  const { id, label, icon: name, isActive, alignsEnd, isOpen, isBare } = options;
  return html`<details class="menu pick${isActive && " on"}${alignsEnd && " end"}${isBare && " bare"}"${id && html` id="${id}"`} name="menu"${isOpen && html` open`}><summary>${name && icon(name)}<span>${label}</span>${!isBare && icon("expand")}</summary>
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

export interface MenuLink {
  /** Undefined prints the page. Only the script can, and shows it. */
  url: string | undefined;
  name: HtmlValue;
  icon?: IconName;
  /** The choice that applies now. */
  isCurrent?: boolean;
  /** The link leads to a file. */
  isDownload?: boolean;
  /** It is in the menu on phones only, because desks have it beside the menu. */
  isPhone?: boolean;
}

/** The links of a menu. The current one has a check mark. */
export function menuLinks(links: readonly MenuLink[]): Html {
  const control = ({ url, name, icon: symbol, isCurrent, isDownload }: MenuLink) => {
    const label = html`${symbol && icon(symbol)}<span>${name}</span>`;
    if (url === undefined)
      return html`<button type="button" class="plain" data-print hidden>${label}</button>`;
    return html`<a href="${url}"${isCurrent && html` aria-current="true"`}${isDownload && html` download`}>${label}${isCurrent && html`<span class="check">${icon("check")}</span>`}</a>`;
  };
  return html`<ul>${links.map((link) => html`<li${link.isPhone && html` class="phone"`}>${control(link)}</li>`)}</ul>`;
}

/** What few need of a page, behind "⋯": copies, files, links. Nothing without actions. */
export function moreActions({ t }: Locale, actions: readonly (MenuLink | false)[]): HtmlValue {
  const links = actions.filter((action) => action !== false);
  if (links.length === 0) return false;
  const label = html`<span class="visually-hidden">${t("ui.moreActions")}</span>`;
  const shown = menu(
    { id: "menu-more-actions", label, icon: "more", alignsEnd: true, isBare: true },
    menuLinks(links),
  );
  return links.every(({ isPhone }) => isPhone) ? html`<div class="phone">${shown}</div>` : shown;
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
