// The page `/connect`: the tools that can read the campaigns, with a search.

import type { ConnectTool } from "../../connect/connect-tool.ts";
import { tools } from "../../connect/tools.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { Locale } from "../locale.ts";
import type { Page } from "../page.ts";
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
  async show({ locale }, { query }) {
    const { strings } = locale;
    const search = (query.get("search") ?? "").trim().slice(0, 100);
    const found = tools.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
    const list =
      found.length === 0
        ? html`<p>${strings.connect.noMatch(search)} <a href="${paths.web.connect}">${strings.connect.allTools}</a></p>`
        : html`<ul class="tools">${found.map((tool) => toolCard(locale, tool))}</ul>`;
    const body = html`<p>${strings.connect.intro(tools.length)}</p>
<form method="get" class="fields" role="search">
<div class="field"><label for="search">${strings.connect.search}</label>
<input id="search" name="search" type="search" maxlength="100" autocomplete="off" value="${search}"></div>
<div class="field tight"><button class="second">${strings.connect.find}</button></div>
</form>
${list}`;
    return { title: strings.connect.title, body };
  },
};

function toolCard({ strings }: Locale, tool: ConnectTool): Html {
  return html`<li><a href="${paths.web.connect}/${tool.id}">${toolMark(tool.name, tools.indexOf(tool))}
<span><strong>${tool.name}</strong>
<span class="soft small">${strings.connect.minutes(tool.minutes)}</span></span></a></li>
`;
}
