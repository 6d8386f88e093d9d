// The page `/connect`: the tools that can read the campaigns, with a search.

import type { ConnectTool } from "../../connect/connect-tool.ts";
import { type ToolGroup, toolGroups, tools } from "../../connect/tools.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { Locale } from "../locale.ts";
import type { Page } from "../page.ts";
import { icon } from "../ui/icon.ts";
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
    const { t, rich } = locale;
    const search = (query.get("search") ?? "").trim().slice(0, 100);
    const groups = (Object.keys(toolGroups) as ToolGroup[]).map((group) =>
      groupOfCards(locale, group, search),
    );
    const isEmpty = groups.every((group) => group === undefined);
    const list = isEmpty
      ? html`<p>${rich("connect.noMatch", { text: search })} <a href="${paths.web.connect}">${t("connect.allTools")}</a></p>`
      : groups;
    const body = html`<form method="get" class="toolbar" role="search">
<div class="search">${icon("search")}<input id="search" name="search" type="search" maxlength="100" autocomplete="off" value="${search}" placeholder="${t("connect.search")}" aria-label="${t("connect.search")}"></div>
<button class="second">${t("connect.find")}</button>
</form>
${list}`;
    return { title: t("connect.title"), lead: t("connect.intro", { count: tools.length }), body };
  },
};

/** Undefined if no tool of the group matches. */
function groupOfCards(locale: Locale, group: ToolGroup, search: string): Html | undefined {
  const found = toolGroups[group].filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  if (found.length === 0) return undefined;
  return html`<h2>${locale.t(`connect.groups.${group}`)}</h2>
<ul class="tools">${found.map((tool) => toolCard(locale, tool))}</ul>
`;
}

function toolCard({ t }: Locale, tool: ConnectTool): Html {
  return html`<li><a href="${paths.web.connect}/${tool.id}">${toolMark(tool.name, tools.indexOf(tool))}
<span><strong>${tool.name}</strong>
<span class="soft small">${t("connect.minutes", { minutes: tool.minutes })}</span></span></a></li>
`;
}
