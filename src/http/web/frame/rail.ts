// The rail: the navigation beside every page, the state of the events, and the account menu. On phones, a bar with a menu.

import { hasPermission, type Role } from "../../../access/role.ts";
import { minuteMs } from "../../../campaign/calendar/durations.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import type { NameIn } from "../../../locale/translations.ts";
import { webPaths } from "../../../paths.ts";
import { actionForm } from "../ui/forms/form.ts";
import { mark } from "../ui/icons/brand.ts";
import { type IconName, icon } from "../ui/icons/icon.ts";
import type { WebSession } from "./page.ts";

interface NavigationItem {
  path: string;
  name: NameIn<"pages">;
  icon: IconName;
  /** A page over many campaigns: the link keeps the filters. */
  isFiltered?: boolean;
}

const { settings } = webPaths;

type PageName = NameIn<"pages"> & keyof typeof webPaths;

const item = (name: PageName, symbol: IconName): NavigationItem => ({
  path: webPaths[name],
  name,
  icon: symbol,
});
const filtered = (name: PageName, symbol: IconName) => ({ ...item(name, symbol), isFiltered: true });

/** The pages in the rail, in two groups. All users may see them. */
const navigationItems: readonly (readonly NavigationItem[])[] = [
  [
    filtered("overview", "overview"),
    filtered("campaigns", "campaigns"),
    filtered("breakdown", "compare"),
    filtered("links", "links"),
    filtered("audience", "people"),
    filtered("surveys", "surveys"),
    filtered("comments", "comments"),
    item("sources", "sources"),
  ],
  [item("connect", "connect"), item("settings", "settings"), item("help", "help")],
];

interface SettingsItem {
  path: string;
  name: NameIn<"pages">;
  role: Role;
}

const setting = (name: PageName, role: Role = "admin"): SettingsItem => ({
  path: webPaths[name],
  name,
  role,
});

/** The pages of the settings, by group, and the role that each needs. */
const settingsGroups: readonly { name: NameIn<"settingsGroups">; items: readonly SettingsItem[] }[] = [
  {
    name: "organization",
    items: [
      setting("organization"),
      setting("privacy"),
      setting("people"),
      setting("tags", "viewer"),
      { ...setting("audience"), path: webPaths.audienceSettings },
      setting("shareLinks"),
      setting("chat"),
      setting("audit"),
    ],
  },
  { name: "integrations", items: [setting("analyticsApi")] },
  { name: "you", items: [setting("account", "viewer")] },
];

/** A path is in the section of the page that it starts with. */
const isWithin = (path: string, section: string) =>
  path === section || (section !== "/" && path.startsWith(`${section}/`));

const current = (isCurrent: boolean) => isCurrent && html` aria-current="page"`;

/** The REGION of a deployment in one region: its users need no name for it. */
const onlyRegion = "local";

/** @param path of the page that is shown */
export function renderRail(session: WebSession, path: string, { region, now, carried }: RailOptions): Html {
  const { t } = session;
  const linkOf = ({ path: to, isFiltered }: NavigationItem) => {
    if (to === settings) return firstSettings(session.user.role);
    return isFiltered && carried && carried.size > 0 ? `${to}?${carried}` : to;
  };
  const linked = (each: NavigationItem) => {
    const { path: to, name, icon: symbol } = each;
    return html`<li><a href="${linkOf(each)}"${current(isWithin(path, to))}>${icon(symbol)}${t(`pages.${name}`)}${name === "sources" && sourcesBadge(session)}</a></li>`;
  };
  const groups = navigationItems.map((items) => html`<ul>${items.map(linked)}</ul>\n`);
  return html`<header class="rail"><div>
<div class="top"><a class="owner" href="/" tabindex="-1">${mark}<span>${session.organization.name}</span></a>${region !== onlyRegion && html`<span class="region" title="${t("ui.region")}">${region}</span>`}
<button type="button" class="plain menu-button" popovertarget="menu" aria-label="${t("ui.openMenu")}">${icon("menu")}</button></div>
<div class="drawer" id="menu" popover>
<button type="button" class="plain close" popovertarget="menu" popovertargetaction="hide" aria-label="${t("ui.closeMenu")}">${icon("close")}</button>
<nav aria-label="${t("ui.navigation")}"><ul><li><a class="search-link" href="${webPaths.search}"${current(path === webPaths.search)}>${icon("search")}${t("ui.search")}<kbd aria-hidden="true"></kbd></a></li></ul>
${groups}</nav>
<div class="foot">${renderLive(session, now)}${renderAccount(session)}</div></div>
</div></header>`;
}

/** A mark if the sources need a look. Its tooltip says why, and so does a text for screen readers. */
function sourcesBadge({ sourcesAlert: { silent, hasQuarantined }, t }: WebSession): HtmlValue {
  if (silent.length === 0 && !hasQuarantined) return false;
  const reason = t(`ui.sourcesAlerts.${silent.length > 0 ? "silent" : "quarantined"}`);
  return html` <span class="visually-hidden">(${reason})</span> <span class="badge warn" aria-hidden="true" title="${reason}">!</span>`;
}

interface RailOptions {
  region: string;
  now: number;
  carried?: URLSearchParams | undefined;
}

/** Events older than this are no sign of life. */
const liveMs = 5 * minuteMs;

/** When the last event arrived, as a link to the sources. The navigation has that link too, so this one is no tab stop. */
function renderLive({ lastEventAt, t, format }: WebSession, now: number): HtmlValue {
  if (lastEventAt === undefined) return false;
  const isLive = now - lastEventAt <= liveMs;
  const text = t("ui.lastEvent", { ago: format.relativeTime(Math.min(lastEventAt - now, 0)), isLive });
  return html`<a class="live${isLive && " on"}" href="${webPaths.sources}" tabindex="-1">${text}</a>`;
}

function renderAccount(session: WebSession): Html {
  const { user, t } = session;
  return html`<details class="menu account" name="menu"><summary><span class="avatar" aria-hidden="true">${initial(user.email)}</span><span>${user.email}</span>${icon("expand")}</summary>
<div class="sheet"><ul><li><a href="${webPaths.account}">${icon("user")}${t("pages.account")}</a></li><li>${actionForm(
    session,
    { action: "sign-out", to: webPaths.signOut },
    html`<button class="plain">${icon("signOut")}${t("ui.signOut")}</button>`,
  )}</li></ul></div></details>`;
}

/** One letter: two look like the code of a language. */
const initial = (email: string): string => [...email][0]?.toLocaleUpperCase() ?? "";

/** The pages that a user may see, with other words for them. */
export function pagesFor({ user, t }: WebSession): { path: string; name: string; words: string }[] {
  const items = settingsGroups.flatMap((group) => group.items);
  const allowed = items.filter(({ role }) => hasPermission(user.role, role));
  return [...navigationItems.flat(), ...allowed].map(({ path, name }) => ({
    path,
    name: t(`pages.${name}`),
    words: t(`search.words.${name}`),
  }));
}

/** The path of the first page of the settings that a role may see. */
export const firstSettings = (role: Role): string =>
  settingsGroups.flatMap(({ items }) => items).find((item) => hasPermission(role, item.role))?.path ??
  webPaths.account;

/** The navigation of the settings; undefined on other pages. @param path of the page that is shown */
export function renderSettingsNavigation(
  { user, t }: Pick<WebSession, "user" | "t">,
  path: string,
): Html | undefined {
  if (!isWithin(path, settings)) return undefined;
  const groups = settingsGroups.map(({ name, items }): HtmlValue => {
    const allowed = items.filter(({ role }) => hasPermission(user.role, role));
    if (allowed.length === 0) return false;
    const links = allowed.map(
      (item) =>
        html`<li><a href="${item.path}"${current(isWithin(path, item.path))}>${t(`pages.${item.name}`)}</a></li>`,
    );
    return html`<p id="settings-${name}">${t(`settingsGroups.${name}`)}</p><ul aria-labelledby="settings-${name}">${links}</ul>`;
  });
  return html`<nav class="subnav" aria-label="${t("pages.settings")}">${groups}</nav>`;
}
