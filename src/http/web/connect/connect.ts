// The page `/connect`: the tools that can read the campaigns, with a search.

import type { ConnectTool } from "../../connect/connect-tool.ts";
import { tools } from "../../connect/tools.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { Page } from "../page.ts";
import { connectStrings } from "../strings/connect.ts";
import type { WebContext } from "../web-context.ts";
import { firstRequestPage } from "./first-request.ts";
import { toolPage } from "./tool.ts";
import { toolMark } from "./tool-mark.ts";

export function connectPages(context: WebContext): Page[] {
  return [listPage, toolPage(context), firstRequestPage(context)];
}

const listPage: Page = {
  path: paths.web.connect,
  role: "viewer",
  async show(_session, { query }) {
    const search = (query.get("search") ?? "").trim().slice(0, 100);
    const found = tools.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
    const list =
      found.length === 0
        ? html`<p>${connectStrings.noMatch(search)} <a href="${paths.web.connect}">${connectStrings.allTools}</a></p>`
        : html`<ul class="tools">${found.map(toolCard)}</ul>`;
    const body = html`<p>${connectStrings.intro(tools.length)}</p>
<form method="get" class="fields" role="search">
<div class="field"><label for="search">${connectStrings.search}</label>
<input id="search" name="search" type="search" maxlength="100" autocomplete="off" value="${search}"></div>
<div class="field tight"><button class="second">${connectStrings.find}</button></div>
</form>
${list}`;
    return { title: connectStrings.title, body };
  },
};

function toolCard(tool: ConnectTool): Html {
  return html`<li><a href="${paths.web.connect}/${tool.id}">${toolMark(tool.name, tools.indexOf(tool))}
<span><strong>${tool.name}</strong>
<span class="soft small">${connectStrings.minutes(tool.minutes)}</span></span></a></li>
`;
}
