// The page `/connect`: the tools that can read the campaigns, the three that most people use first.

import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { webPaths } from "../../../paths.ts";
import type { ConnectTool } from "../../connect/connect-tool.ts";
import { toolGroups, tools } from "../../connect/tools.ts";
import type { Page } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { icon } from "../ui/icons/icon.ts";
import { firstRequestPage } from "./first-request.ts";
import { toolPage } from "./tool.ts";

const large: readonly string[] = ["power-bi", "excel", "google-sheets"];

export function connectPages(context: WebContext): Page[] {
  return [listPage, toolPage(context), firstRequestPage(context)];
}

const listPage: Page = {
  path: webPaths.connect,
  role: "viewer",
  async show(actor) {
    const { t } = actor;
    const first = large.flatMap((id) => tools.filter((tool) => tool.id === id));
    const groups = (["reports", "dashboards", "programs", "assistants", "pipelines"] as const).map(
      (group) => {
        const others = toolGroups[group].filter(({ id }) => !large.includes(id));
        const list = html`<h2>${t(`connect.groups.${group}`)}</h2>
<ul class="tool-list">${others.map((tool) => toolItem(actor, tool))}</ul>`;
        return group === "pipelines"
          ? html`<details><summary>${t("connect.allTools")}</summary>${list}</details>`
          : list;
      },
    );
    const body = html`<ul class="tools">${first.map((tool) => toolItem(actor, tool, icon("connect")))}</ul>
<section class="card">${groups}</section>`;
    return { title: t("pages.connect"), lead: t("connect.intro"), body };
  },
};

/** We show no logos of others. */
function toolItem(
  { t }: Locale,
  { id, name, minutes }: Pick<ConnectTool, "id" | "name" | "minutes">,
  glyph?: Html,
): Html {
  return html`<li><a href="${webPaths.connect}/${id}">${glyph}<strong>${name}</strong>
<span class="soft small">${t("connect.minutes", { minutes })}</span></a></li>
`;
}
