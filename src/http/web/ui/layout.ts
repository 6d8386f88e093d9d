// The layout of every page: header, navigation, style sheet, and the Content Security Policy.

import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";
import { hasPermission, type Role } from "../../../access/role.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { type Locale, localeOf } from "../locale.ts";
import type { WebSession } from "../page.ts";
import type { Strings } from "../strings/en.ts";
import { actionForm } from "./form.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

/** The pages in the navigation, and the role that each needs. */
const navigationItems: readonly {
  path: string;
  name: keyof Strings["pages"];
  role: Role;
  group?: "settings";
}[] = [
  { path: "/", name: "overview", role: "viewer" },
  { path: "/campaigns", name: "campaigns", role: "viewer" },
  { path: "/connect", name: "connect", role: "viewer" },
  { path: "/sources", name: "sources", role: "viewer" },
  { path: "/help", name: "help", role: "viewer" },
  {
    path: "/settings/integrations/analytics-api",
    name: "analyticsApi",
    role: "admin",
    group: "settings",
  },
  { path: "/settings/tags", name: "tags", role: "viewer", group: "settings" },
  { path: "/settings/people", name: "people", role: "admin", group: "settings" },
  { path: "/settings/organization", name: "organization", role: "admin", group: "settings" },
];

/** The favicon: a column chart. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#1d4ed8"/><path d="M3 12V9m3.3 3V6m3.4 6V8m3.3 4V4" stroke="#fff" stroke-width="1.8" stroke-linecap="round"/></svg>',
)}`;

const makeAsset = (content: string, extension: string, type: string) => ({
  /** The name contains a hash of the content, so browsers may cache the file forever. */
  path: `/assets/${createHash("sha256").update(content).digest("hex").slice(0, 16)}.${extension}`,
  type,
  content,
});
const styleFile = makeAsset(style, "css", "text/css; charset=utf-8");
const scriptFile = makeAsset(script, "js", "text/javascript; charset=utf-8");

/** Serves the style sheet and the script. Pages load nothing from third parties. */
export function addAssets(app: FastifyInstance): void {
  for (const { path, type, content } of [styleFile, scriptFile]) {
    app.get(path, async (_request, reply) =>
      reply
        .headers({ "content-type": type, "cache-control": "public, max-age=31536000, immutable" })
        .send(content),
    );
  }
}

/** Besides those of security-headers.ts. */
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "x-robots-tag": "noindex",
};

interface PageOptions {
  title: string;
  body: Html;
  headingLink?: Html | undefined;
  status?: number | undefined;
  /** Uses the whole width also without a session. */
  isWide?: boolean;
  /** Without JavaScript, the browser reloads the page after this time. */
  reloadSeconds?: number | undefined;
  /** The result of the previous action. */
  notice?: string | undefined;
  /** Why the submission was rejected. */
  problem?: string | undefined;
}

/** @param options.session undefined if the browser is not signed in */
export function sendPage(
  reply: FastifyReply,
  { title, body, headingLink, status = 200, isWide, reloadSeconds, notice, problem }: PageOptions,
  { session, path }: { session?: WebSession | undefined; path: string },
): FastifyReply {
  const locale = session?.locale ?? localeOf(reply.request);
  const { language, strings } = locale;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${problem === undefined ? title : strings.ui.problemTitle(title)} · email-analytics</title>
${reloadSeconds !== undefined && html`<noscript><meta http-equiv="refresh" content="${reloadSeconds}"></noscript>`}
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${styleFile.path}">
<script src="${scriptFile.path}" defer></script>
</head>
<body>
<a class="skip" href="#main">${strings.ui.skipLink}</a>
${session && renderHeader(session, path)}
<main id="main"${!session && !isWide && html` class="narrow"`}>
${renderBreadcrumb(locale, path)}<div class="heading"><h1>${title}</h1>${headingLink}</div>
${notice !== undefined && html`<p class="notice" role="status">${notice}</p>`}
${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
${body}
</main>
</body>
</html>
`;
  return reply.code(status).headers(pageHeaders).send(page.text);
}

/** The section that a page of the settings belongs to. */
function renderBreadcrumb({ strings }: Locale, path: string): HtmlValue {
  const item = navigationItems.find(({ path: to, group }) => group !== undefined && path.startsWith(to));
  if (!item) return false;
  const section = item.path.includes("/integrations/")
    ? strings.ui.settingsIntegrations
    : strings.ui.settings;
  return html`<p class="soft small">${section}</p>`;
}

function renderHeader(session: WebSession, path: string): Html {
  const {
    organization,
    user,
    locale: { strings },
  } = session;
  const allowed = navigationItems.filter(({ role }) => hasPermission(user.role, role));
  const linkTo = ({ path: to, name }: (typeof allowed)[number]): HtmlValue => {
    const isCurrent = to === path || (to !== "/" && path.startsWith(`${to}/`));
    return html`<li><a href="${to}"${isCurrent && html` aria-current="page"`}>${strings.pages[name]}</a></li>`;
  };
  const settings = allowed.filter(({ group }) => group === "settings");
  return html`<header>
<div class="owner"><strong>${organization.name}</strong></div>
<nav aria-label="${strings.ui.navigation}"><ul>
${allowed.filter(({ group }) => group === undefined).map(linkTo)}
<li class="group"><span id="settings">${strings.ui.settings}</span><ul aria-labelledby="settings">${settings.map(linkTo)}</ul></li>
</ul></nav>
<div class="self"><a class="email" href="/settings/account"${path === "/settings/account" && html` aria-current="page"`}>${user.email}</a>
${actionForm(session, { action: "sign-out", to: "/sign-out" }, html`<button class="plain">${strings.ui.signOut}</button>`)}</div>
</header>`;
}
