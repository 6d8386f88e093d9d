// The page of one tool at `/connect/:tool`: its steps, files and limits.

import { hasPermission } from "../../../access/role.ts";
import type { ConnectTool } from "../../connect/connect-tool.ts";
import { connectorText, fillInAddress } from "../../connect/connector-text.ts";
import { tools } from "../../connect/tools.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { Locale } from "../locale.ts";
import type { Action, Page, WebSession } from "../page.ts";
import { createKey } from "../settings/create-key.ts";
import { copyable, copyableLines } from "../ui/copyable.ts";
import { actionForm } from "../ui/form.ts";
import type { WebContext } from "../web-context.ts";
import { firstRequestCard, firstRequestUrl, waitingContent } from "./first-request.ts";
import { requireTool } from "./require-tool.ts";
import { toolMark } from "./tool-mark.ts";

export function toolPage(context: WebContext): Page {
  const { publicUrl } = context;
  return {
    path: `${paths.web.connect}/:tool`,
    role: "viewer",
    async show(session, { params }) {
      const { locale } = session;
      const tool = requireTool(locale, params.tool);
      const body = html`${stepsCard(locale, tool, publicUrl())}
${keyCard(session, tool)}
${factsCard(locale, tool, publicUrl())}`;
      return { title: locale.strings.connect.toolTitle(tool.name), body, headingLink: allToolsLink(locale) };
    },
    actions: { create_key: createKeyAction(context) },
  };
}

const allToolsLink = ({ strings }: Locale): Html =>
  html`<a href="${paths.web.connect}">${strings.connect.allTools}</a>`;

function stepsCard(
  locale: Locale,
  { id, name, steps, files = [], lines, ...tool }: ConnectTool,
  baseUrl: string,
): Html {
  const { strings } = locale;
  const downloads = files.map(
    (file) =>
      html`<a class="button second" href="${paths.web.connect}/${id}/${file.name}" download>${strings.connect.download(file.name)}</a>
`,
  );
  return html`<section class="card"><div class="tool-heading">${toolMark(
    name,
    tools.findIndex((each) => each.id === id),
  )}
<div><h2>${strings.connect.steps}</h2><p class="soft small">${strings.connect.timeNote(tool.minutes)}</p></div></div>
<ol>${steps.map((step) => html`<li>${fillInAddress(step, baseUrl)}</li>`)}</ol>
${
  files.length > 0 &&
  html`<p class="row">${downloads}</p>
<p class="soft small">${files.length === 1 ? strings.connect.fileHolds : strings.connect.filesHold}</p>`
}
${lines && copyableLines(locale, "lines", connectorText(lines.path, baseUrl), strings.connect.linesLabel(name))}
<h3>${strings.connect.baseUrl}</h3>
${copyable(locale, "base-address", baseUrl, strings.connect.baseUrlLabel)}
</section>`;
}

function keyCard(session: WebSession, { name }: ConnectTool): Html {
  const { strings } = session.locale;
  const content = hasPermission(session.user.role, "admin")
    ? html`<p>${strings.connect.keyIntro(name)}</p>
${actionForm(session, { action: "create_key" }, html`<button>${strings.connect.createKey(name)}</button>`)}`
    : html`<p>${strings.connect.keyForViewers}</p>`;
  return html`<section class="card"><h2>${strings.connect.key}</h2>
${content}</section>`;
}

/** Shows the key once, with the steps, and waits for its first request. */
function createKeyAction(context: WebContext): Action {
  return {
    role: "admin",
    async run(actor, _form, { params }) {
      const { locale } = actor;
      const { strings } = locale;
      const tool = requireTool(locale, params.tool);
      const { id, text } = await createKey(actor, { name: tool.name, scope: "read" }, context);
      const waitUrl = firstRequestUrl(tool.id, id);
      const body = html`<section class="card"><h2>${strings.connect.key}</h2>
<p class="warning">${strings.keys.copyNow}</p>
${copyable(locale, "key", text, strings.keys.keyLabel)}
<noscript><p><a class="button" href="${waitUrl}">${strings.connect.waitElsewhere}</a></p></noscript></section>
${stepsCard(locale, tool, context.publicUrl())}
${firstRequestCard(locale, waitUrl, waitingContent(locale, tool.name))}`;
      return { title: strings.connect.newKeyTitle(tool.name), body };
    },
  };
}

function factsCard({ strings }: Locale, { refresh, limits, tested }: ConnectTool, baseUrl: string): Html {
  const facts: [string, string][] = [
    [strings.connect.refresh, refresh],
    [strings.connect.limits, limits],
    [strings.connect.tested, tested],
  ];
  return html`<section class="card"><h2>${strings.connect.facts}</h2>
<dl class="facts">${facts.map(([name, text]) => html`<dt>${name}</dt><dd>${fillInAddress(text, baseUrl)}</dd>`)}</dl>
</section>`;
}
