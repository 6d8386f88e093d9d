// The page of one tool at `/connect/:tool`: its steps, files and limits.

import { hasPermission } from "../../../access/role.ts";
import { AppError } from "../../../errors.ts";
import type { ConnectTool } from "../../connect/connect-tool.ts";
import { connectorText, fillInAddress } from "../../connect/connector-text.ts";
import { tools } from "../../connect/tools.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { Page } from "../page.ts";
import { connectStrings } from "../strings/connect.ts";
import { copyable, copyableLines } from "../ui/copyable.ts";
import type { WebContext } from "../web-context.ts";
import { toolMark } from "./tool-mark.ts";

export function toolPage({ publicUrl }: WebContext): Page {
  return {
    path: `${paths.web.connect}/:tool`,
    role: "viewer",
    async show({ user }, { params }) {
      const tool = requireTool(params.tool);
      const body = html`${stepsCard(tool, publicUrl())}
${!hasPermission(user.role, "admin") && keyCardForViewers()}
${factsCard(tool, publicUrl())}`;
      return { title: connectStrings.toolTitle(tool.name), body, headingLink: allToolsLink() };
    },
  };
}

/** @throws AppError `not_found` */
export function requireTool(id: string | undefined): ConnectTool {
  const tool = tools.find((each) => each.id === id);
  if (tool) return tool;
  throw new AppError("not_found", connectStrings.notFound);
}

export const allToolsLink = (): Html => html`<a href="${paths.web.connect}">${connectStrings.allTools}</a>`;

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

const keyCardForViewers = (): Html => html`<section class="card"><h2>${connectStrings.key}</h2>
<p>${connectStrings.keyForViewers}</p></section>`;

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
