// The page of one tool at `/connect/:tool`: its steps, files and limits.

import { hasPermission } from "../../../access/role.ts";
import type { ConnectTool } from "../../connect/connect-tool.ts";
import { connectorText, fillInAddress } from "../../connect/connector-text.ts";
import { tools } from "../../connect/tools.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { Action, Page, WebSession } from "../page.ts";
import { createKey } from "../settings/create-key.ts";
import { connectStrings } from "../strings/connect.ts";
import { keysStrings } from "../strings/keys.ts";
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
      const tool = requireTool(params.tool);
      const body = html`${stepsCard(tool, publicUrl())}
${keyCard(session, tool)}
${factsCard(tool, publicUrl())}`;
      return { title: connectStrings.toolTitle(tool.name), body, headingLink: allToolsLink() };
    },
    actions: { create_key: createKeyAction(context) },
  };
}

const allToolsLink = (): Html => html`<a href="${paths.web.connect}">${connectStrings.allTools}</a>`;

function stepsCard({ id, name, steps, files = [], lines, ...tool }: ConnectTool, baseUrl: string): Html {
  const downloads = files.map(
    (file) =>
      html`<a class="button second" href="${paths.web.connect}/${id}/${file.name}" download>${connectStrings.download(file.name)}</a>
`,
  );
  return html`<section class="card"><div class="tool-heading">${toolMark(
    name,
    tools.findIndex((each) => each.id === id),
  )}
<div><h2>${connectStrings.steps}</h2><p class="soft small">${connectStrings.timeNote(tool.minutes)}</p></div></div>
<ol>${steps.map((step) => html`<li>${fillInAddress(step, baseUrl)}</li>`)}</ol>
${
  files.length > 0 &&
  html`<p class="row">${downloads}</p>
<p class="soft small">${connectStrings.filesHold(files.length === 1)}</p>`
}
${lines && copyableLines("lines", connectorText(lines.path, baseUrl), connectStrings.linesLabel(name))}
<h3>${connectStrings.baseUrl}</h3>
${copyable("base-address", baseUrl, connectStrings.baseUrlLabel)}
</section>`;
}

function keyCard(session: WebSession, { name }: ConnectTool): Html {
  const content = hasPermission(session.user.role, "admin")
    ? html`<p>${connectStrings.keyIntro(name)}</p>
${actionForm(session, { action: "create_key" }, html`<button>${connectStrings.createKey(name)}</button>`)}`
    : html`<p>${connectStrings.keyForViewers}</p>`;
  return html`<section class="card"><h2>${connectStrings.key}</h2>
${content}</section>`;
}

/** Shows the key once, with the steps, and waits for its first request. */
function createKeyAction(context: WebContext): Action {
  return {
    role: "admin",
    async run(actor, _form, { params }) {
      const tool = requireTool(params.tool);
      const { id, text } = await createKey(actor, { name: tool.name, scope: "read" }, context);
      const waitUrl = firstRequestUrl(tool.id, id);
      const body = html`<section class="card"><h2>${connectStrings.key}</h2>
<p class="warning">${keysStrings.copyNow}</p>
${copyable("key", text, keysStrings.keyLabel)}
<noscript><p><a class="button" href="${waitUrl}">${connectStrings.waitElsewhere}</a></p></noscript></section>
${stepsCard(tool, context.publicUrl())}
${firstRequestCard(waitUrl, waitingContent(tool.name))}`;
      return { title: connectStrings.newKeyTitle(tool.name), body };
    },
  };
}

function factsCard({ refresh, limits, tested }: ConnectTool, baseUrl: string): Html {
  const facts: [string, string][] = [
    [connectStrings.refresh, refresh],
    [connectStrings.limits, limits],
    [connectStrings.tested, tested],
  ];
  return html`<section class="card"><h2>${connectStrings.facts}</h2>
<dl class="facts">${facts.map(([name, text]) => html`<dt>${name}</dt><dd>${fillInAddress(text, baseUrl)}</dd>`)}</dl>
</section>`;
}
