// The frame around every page of the web application: its head, where one can go, and what is sent along with it.

import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";
import { hasPermission, type Role } from "../../../access/role.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Visitor } from "../page.ts";
import { actionForm } from "./form.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

/** Where one can go, for whom, and how it is called. */
export const places: readonly { path: string; name: string; role: Role; group?: string }[] = [
  { path: "/", name: "Overview", role: "viewer" },
  { path: "/campaigns", name: "Campaigns", role: "viewer" },
  { path: "/sources", name: "Sources", role: "viewer" },
  { path: "/settings/integrations/analytics-api", name: "Analytics API", role: "admin", group: "Settings" },
  { path: "/settings/tags", name: "Tags", role: "viewer", group: "Settings" },
  { path: "/settings/people", name: "People", role: "admin", group: "Settings" },
  { path: "/settings/organization", name: "Organization", role: "admin", group: "Settings" },
];

/** Four columns of a chart. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#1d4ed8"/><path d="M3 12V9m3.3 3V6m3.4 6V8m3.3 4V4" stroke="#fff" stroke-width="1.8" stroke-linecap="round"/></svg>',
)}`;

const fileOf = (content: string, ending: string, type: string) => ({
  /** Its name changes with it, so that it can be kept for ever. */
  path: `/assets/${createHash("sha256").update(content).digest("hex").slice(0, 16)}.${ending}`,
  type,
  content,
});
const styleFile = fileOf(style, "css", "text/css; charset=utf-8");
const scriptFile = fileOf(script, "js", "text/javascript; charset=utf-8");

/** The files that pages load: nothing comes from elsewhere. */
export function addFiles(app: FastifyInstance): void {
  for (const { path, type, content } of [styleFile, scriptFile]) {
    app.get(path, async (_request, reply) =>
      reply
        .headers({ "content-type": type, "cache-control": "public, max-age=31536000, immutable" })
        .send(content),
    );
  }
}

/** Nothing is loaded from elsewhere, nothing in a page runs, and it stands in no frame. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  "cache-control": "no-store",
  "referrer-policy": "same-origin",
  "x-robots-tag": "noindex",
};

export interface PageOptions {
  title: string;
  body: Html;
  beside?: Html | undefined;
  status?: number | undefined;
  /** What was just done. */
  notice?: string | undefined;
  /** Why what was sent could not be done. */
  problem?: string | undefined;
}

/** @param visitor undefined where nobody has signed in */
export function sendPage(
  reply: FastifyReply,
  { title, body, beside, status = 200, notice, problem }: PageOptions,
  { visitor, path }: { visitor?: Visitor | undefined; path: string },
): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${problem !== undefined && "Problem: "}${title} · email-analytics</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${styleFile.path}">
<script src="${scriptFile.path}" defer></script>
</head>
<body>
<a class="skip" href="#main">To the content</a>
${visitor && banner(visitor, path)}
<main id="main"${!visitor && html` class="narrow"`}>
${placeOf(path)}<div class="heading"><h1>${title}</h1>${beside}</div>
${notice !== undefined && html`<p class="notice" role="status">${notice}</p>`}
${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
${body}
</main>
</body>
</html>
`;
  return reply.code(status).headers(pageHeaders).send(page.text);
}

/** Where in the settings a page stands, in the words that documents use. */
function placeOf(path: string): HtmlValue {
  const place = places.find(({ path: to, group }) => group !== undefined && path.startsWith(to));
  if (!place) return false;
  const way = place.path.includes("/integrations/") ? "Settings › Integrations" : "Settings";
  return html`<p class="soft small">${way}</p>`;
}

function banner(visitor: Visitor, path: string): Html {
  const { organization, user } = visitor;
  const open = places.filter(({ role }) => hasPermission(user.role, role));
  const linkTo = ({ path: to, name }: { path: string; name: string }): HtmlValue => {
    const isHere = to === path || (to !== "/" && path.startsWith(`${to}/`));
    return html`<li><a href="${to}"${isHere && html` aria-current="page"`}>${name}</a></li>`;
  };
  const settings = open.filter(({ group }) => group === "Settings");
  return html`<header>
<div class="owner"><strong>${organization.name}</strong></div>
<nav aria-label="Pages"><ul>
${open.filter(({ group }) => group === undefined).map(linkTo)}
<li class="group"><span id="settings">Settings</span><ul aria-labelledby="settings">${settings.map(linkTo)}</ul></li>
</ul></nav>
<div class="self"><a class="email" href="/settings/account"${path === "/settings/account" && html` aria-current="page"`}>${user.email}</a>
${actionForm(visitor, { action: "sign-out", to: "/sign-out" }, html`<button class="plain">Sign out</button>`)}</div>
</header>`;
}
