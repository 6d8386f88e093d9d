// The overview of an organization without campaigns: the steps to its first numbers. Done steps have a check mark.

import { type Html, html } from "../../../locale/html.ts";
import { paths } from "../../../paths.ts";
import { listApiKeys } from "../../../storage/keys/api-keys.ts";
import { listSources } from "../../../storage/keys/sources.ts";
import { listUsers } from "../../../storage/users/users.ts";
import type { WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { addSampleForm } from "../import/sample-data.ts";
import { icon } from "../ui/icons/icon.ts";

/** Returns the steps for admins. The first one that is left has the page's main button. */
export async function setUpChecklist({ database }: WebContext, session: WebSession): Promise<Html> {
  const { t } = session.locale;
  const { sources, keys, users } = await database.snapshotOf(session.organization.id, async (scope) => ({
    sources: await listSources(scope),
    keys: await listApiKeys(scope),
    users: await listUsers(scope),
  }));
  const isAwaited = sources.length > 0 || keys.some(({ scope }) => scope === "ingest");
  const { web } = paths;
  const button = (label: string, path: string, kind = " second") =>
    html`<a class="button small${kind}" href="${path}">${label}</a>`;
  const steps: [isDone: boolean, title: string, ways: Html][] = [
    [
      false,
      t("overview.setUp.campaigns"),
      html`<p class="soft">${t(isAwaited ? "overview.setUp.waiting" : "overview.setUp.campaignsHint")}</p>
<div class="row">${button(t("overview.setUp.import"), web.import, "")}${button(t("overview.setUp.provider"), web.sources)}${addSampleForm(session)}</div>`,
    ],
    [
      keys.some(({ scope }) => scope === "read"),
      t("overview.setUp.tool"),
      html`<div class="row">${button(t("connect.allTools"), web.connect)}</div>`,
    ],
    [
      users.length > 1,
      t("overview.setUp.colleagues"),
      html`<div class="row">${button(t("overview.setUp.invite"), web.people)}</div>`,
    ],
  ];
  const items = steps.map(
    ([
      isDone,
      title,
      ways,
    ]) => html`<li${isDone && html` class="done"`}>${isDone ? icon("success") : html`<span class="to-do"></span>`}
<div><strong>${title}</strong>${isDone && html`<span class="visually-hidden">, ${t("overview.setUp.done")}</span>`}
${ways}</div></li>
`,
  );
  return html`<section class="card"><h2>${t("overview.setUp.title")}</h2>
<ol class="steps">${items}</ol></section>`;
}
