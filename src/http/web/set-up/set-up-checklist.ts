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

interface Step {
  isDone: boolean;
  title: string;
  text?: string;
  /** Label and URL of each way to do it. The first one is the obvious one. */
  links?: readonly (readonly [label: string, url: string])[];
  /** Another way to do it. */
  form?: Html;
}

/** Returns the steps for admins. */
export async function setUpChecklist(context: WebContext, session: WebSession): Promise<Html> {
  const { t } = session.locale;
  const steps = await listSteps(context, session);
  const done = steps.filter(({ isDone }) => isDone).length;
  const items = steps.map(({ isDone, title, text, links = [], form }) => {
    const buttons = links.map(
      ([label, url], index) =>
        html`<a class="button small${(isDone || index > 0) && " second"}" href="${url}">${label}</a>`,
    );
    const mark = isDone ? icon("success") : html`<span class="to-do"></span>`;
    return html`<li${isDone && html` class="done"`}>${mark}
<div><strong>${title}</strong>${isDone && html`<span class="visually-hidden">, ${t("overview.setUp.done")}</span>`}
${text !== undefined && html`<p class="soft">${text}</p>`}
${buttons.length > 0 && html`<div class="row">${buttons}${form}</div>`}</div></li>
`;
  });
  return html`<section class="card"><h2>${t("overview.setUp.title")}</h2>
<p class="soft">${t("overview.setUp.progress", { done, steps: steps.length })}</p>
<ol class="steps">${items}</ol></section>`;
}

async function listSteps({ database }: WebContext, session: WebSession): Promise<Step[]> {
  const { organization, user, locale } = session;
  const { t } = locale;
  const { id } = organization;
  const { sources, keys, users } = await database.snapshotOf(id, async (scope) => ({
    sources: await listSources(scope),
    keys: await listApiKeys(scope),
    users: await listUsers(scope),
  }));
  const isConnected = keys.some(({ scope }) => scope === "read");
  const { connect, people, sources: sourcesPath, analyticsApi } = paths.web;
  const isAwaited = sources.length > 0 || keys.some(({ scope }) => scope === "ingest");
  return [
    { isDone: true, title: t("overview.setUp.organization"), text: organization.name },
    { isDone: true, title: t("overview.setUp.you"), text: user.email },
    {
      isDone: false,
      title: t("overview.setUp.campaigns"),
      text: t(isAwaited ? "overview.setUp.waiting" : "overview.setUp.campaignsHint"),
      links: [
        [t("overview.setUp.import"), paths.web.import],
        [t("overview.setUp.provider"), sourcesPath],
        [t("overview.setUp.program"), analyticsApi],
        [t("campaign.register"), paths.web.registerCampaign],
      ],
      form: addSampleForm(session),
    },
    {
      isDone: isConnected,
      title: t("overview.setUp.tool"),
      links: [
        ["Power BI", `${connect}/power-bi`],
        ["Excel", `${connect}/excel`],
        [t("overview.setUp.allTools"), connect],
      ],
    },
    {
      isDone: users.length > 1,
      title: t("overview.setUp.colleagues"),
      links: [[t("overview.setUp.invite"), people]],
    },
  ];
}
