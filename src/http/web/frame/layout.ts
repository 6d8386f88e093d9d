// The layout of every page: rail, heading, notices, and the parts of the head.

import type { FastifyReply } from "fastify";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import { type Locale, localeOf } from "../../../locale/locale.ts";
import { assetPaths } from "../ui/assets.ts";
import { chartPatterns } from "../ui/charts/chart-marks.ts";
import { mark, productName } from "../ui/icons/brand.ts";
import { icon } from "../ui/icons/icon.ts";
import { resultsId } from "../ui/lists/results.ts";
import type { PageContent, WebSession } from "./page.ts";
import { renderRail, renderSettingsNavigation } from "./rail.ts";
import type { WebContext } from "./web-context.ts";

/** The headers of a page, besides those of security-headers.ts. */
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "x-robots-tag": "noindex",
  "speculation-rules": `"${assetPaths.prefetchRules}"`,
};

interface PageOptions extends Omit<PageContent, "audited"> {
  /** The result of the previous action. */
  notice?: string | undefined;
  /** Why the submission was rejected. */
  problem?: string | undefined;
}

interface LayoutContext {
  context: Pick<WebContext, "region" | "now">;
  /** Undefined if the browser is not signed in. */
  session?: WebSession | undefined;
  /** The path of the page, for the navigation. */
  path?: string;
  /** What links to the pages over many campaigns keep, such as the period. */
  carried?: URLSearchParams | undefined;
  /** What the visitor of a shared page reads above it, instead of a navigation. */
  visit?: string;
}

export function sendPage(reply: FastifyReply, options: PageOptions, frame: LayoutContext): FastifyReply {
  const { session, path = "", visit } = frame;
  const { status = 200, reloadSeconds, continueTo } = options;
  const locale = session ?? localeOf(reply.request);
  const { language, t } = locale;
  const owner = session?.organization.name ?? productName;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#1b1b19" media="(prefers-color-scheme: dark)">
<title>${windowTitle(options, locale)} · ${owner} (${frame.context.region})</title>
${reloadSeconds !== undefined && html`<noscript><meta http-equiv="refresh" content="${reloadSeconds}"></noscript>`}
${continueTo !== undefined && html`<meta http-equiv="refresh" content="0; url=${continueTo}">`}
<link rel="preload" href="${assetPaths.font}" as="font" type="font/woff2" crossorigin>
<link rel="icon" href="${assetPaths.icon}" type="image/svg+xml">
<link rel="manifest" href="${assetPaths.manifest}">
<link rel="stylesheet" href="${assetPaths.style}">
<script src="${assetPaths.script}" defer></script>
</head>
<body class="${visit !== undefined ? "visit" : session ? "app" : "guest"}">
<a class="skip" href="#main">${t("ui.skipLink")}</a>
${options.hasResults && html`<a class="skip" href="#${resultsId}">${t("ui.skipToResults")}</a>`}
${chartPatterns}
${session && visit === undefined && renderRail(session, path, { region: frame.context.region, now: frame.context.now(), carried: frame.carried })}
<main id="main">
${visit !== undefined && html`<p class="visit-note"><strong>${owner}</strong> <span class="soft small">${visit}</span></p>`}${session ? renderPrintHeader(session, options, frame) : renderBrand(frame)}
${inSettings(session, path, html`${renderHeading(options, locale)}${renderMessages(options)}${options.body}`)}
</main>
<p id="announcements" class="visually-hidden" aria-live="polite"></p>
</body>
</html>
`;
  return reply.code(status).headers(pageHeaders).send(page.text);
}

/**
 * The title of the window starts with the result of an action: screen readers read it first, and leave out a status that
 * the page has from the start.
 */
function windowTitle({ title, windowTitle = title, notice, problem }: PageOptions, { t }: Locale): string {
  if (problem !== undefined) return t("ui.problemTitle", { title: windowTitle });
  return notice === undefined ? windowTitle : `${notice.replace(/\.$/, "")} · ${windowTitle}`;
}

/** Puts the content beside the navigation of the settings, if the page belongs to them. */
function inSettings(session: WebSession | undefined, path: string, content: Html): Html {
  const navigation = session && renderSettingsNavigation(session, path);
  return navigation ? html`<div class="settings">${navigation}<div>${content}</div></div>` : content;
}

function renderHeading(
  { title, heading = title, titleLanguage, breadcrumb, headingLink, lead }: PageOptions,
  { language, t }: Locale,
): Html {
  const links = breadcrumb?.map(
    ({ url, name }, index) => html`${index > 0 && icon("next")}<a href="${url}">${name}</a>`,
  );
  const isOther = titleLanguage !== undefined && titleLanguage !== language;
  return html`<div class="heading"><div>${links && html`<nav class="crumbs" aria-label="${t("ui.breadcrumb")}">${links}</nav>`}<h1${isOther && html` lang="${titleLanguage}"`}>${heading}</h1></div>${headingLink && html`<div class="row">${headingLink}</div>`}${lead && html`<p class="lead">${lead}</p>`}</div>
`;
}

function renderMessages({ notice, problem }: PageOptions): HtmlValue {
  return [
    notice !== undefined &&
      html`<p class="notice" role="status">${icon("success")}<span>${notice}</span></p>\n`,
    problem !== undefined &&
      html`<p class="problem" role="alert">${icon("error")}<span>${problem}</span></p>\n`,
  ];
}

/** What guests see above the title: the product and the region that they sign in to. */
function renderBrand({ context }: LayoutContext): Html {
  return html`<div class="brand">${mark}<p><strong>${productName}</strong> <span class="region">${context.region}</span></p></div>`;
}

/** Says on paper of what and of when the numbers are. */
function renderPrintHeader(
  { organization, format }: WebSession,
  { printedScope }: PageOptions,
  { context }: LayoutContext,
): Html {
  return html`<p class="print-header"><strong>${organization.name} (${context.region})</strong> <span>${printedScope}</span> <span>${format.dateTime(context.now(), organization.timeZone)}</span></p>`;
}
