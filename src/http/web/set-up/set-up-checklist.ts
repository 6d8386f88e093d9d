// The steps to the first numbers, on the overview of admins until they are done or dismissed. Done steps have a check mark.

import { type Html, html } from "../../../locale/html.ts";
import { webPaths } from "../../../paths.ts";
import { findSampleImport } from "../../../storage/imports/imports.ts";
import { listApiKeys } from "../../../storage/keys/api-keys.ts";
import { listSources } from "../../../storage/keys/sources.ts";
import { saveOrganization } from "../../../storage/organizations/organizations.ts";
import { listUsers } from "../../../storage/users/users.ts";
import type { Action, WebSession } from "../frame/page.ts";
import { addSampleForm } from "../import/sample-data.ts";
import { actionForm } from "../ui/forms/form.ts";
import { icon } from "../ui/icons/icon.ts";

export const dismissSetUp: Record<string, Action> = {
  async dismiss({ organization: { name }, transaction, t }) {
    await transaction(
      (scope) => saveOrganization(scope, { setUp: "dismissed" }),
      ["organization.change", `${name}, set-up: dismissed`],
    );
    return { notice: t("overview.setUp.dismissed") };
  },
};

/**
 * The first step that is left has the page's main button.
 *
 * @param options.isEmpty the organization has no campaigns: the steps are all that there is to show
 * @returns false for viewers, and if nothing is left or the steps were dismissed
 */
export async function setUpChecklist(session: WebSession, { isEmpty = false } = {}): Promise<Html | false> {
  const { t } = session;
  const { setUp } = session.organization;
  if (!session.isAdmin || (setUp === "dismissed" && !isEmpty)) return false;
  const { sources, keys, users, sample } = await session.snapshot(async (scope) => ({
    sources: await listSources(scope),
    keys: await listApiKeys(scope),
    users: await listUsers(scope),
    sample: await findSampleImport(scope),
  }));
  const isAwaited = sources.length > 0 || keys.some(({ scope }) => scope === "ingest");
  const steps: { isDone: boolean; title: string; link: [label: string, path: string]; others?: Html }[] = [
    {
      isDone: !isEmpty && sample?.isMixed !== false,
      title: t("overview.setUp.campaigns"),
      link: [t("overview.setUp.import"), webPaths.import],
      others: html`<a class="button small second" href="${webPaths.sources}">${t("overview.setUp.provider")}</a>${isEmpty && addSampleForm(session)}`,
    },
    {
      isDone: keys.some(({ scope }) => scope === "read"),
      title: t("overview.setUp.tool"),
      link: [t("connect.allTools"), webPaths.connect],
    },
    {
      isDone: users.length > 1,
      title: t("overview.setUp.colleagues"),
      link: [t("overview.setUp.invite"), webPaths.people],
    },
  ];
  const next = steps.find(({ isDone }) => !isDone);
  if (!next) return false;
  const items = steps.map((step) => {
    const { isDone, title, link, others } = step;
    const hint =
      others &&
      html`<p class="soft">${t(isAwaited ? "overview.setUp.waiting" : "overview.setUp.campaignsHint")}</p>\n`;
    const ways = html`${hint}<div class="row"><a class="button small${step !== next && " second"}" href="${link[1]}">${link[0]}</a>${others}</div>`;
    return html`<li${isDone && html` class="done"`}>${isDone ? icon("success") : html`<span class="to-do"></span>`}
<div><strong>${title}</strong>${isDone ? html`<span class="visually-hidden">, ${t("overview.setUp.done")}</span>` : ways}</div></li>
`;
  });
  const dismiss = actionForm(
    session,
    "dismiss",
    html`<button class="second small">${t("overview.setUp.dismiss")}</button>`,
  );
  return html`<section class="card no-print"><div class="card-head"><h2>${t("overview.setUp.title")}</h2>${!isEmpty && dismiss}</div>
<ol class="steps">${items}</ol></section>`;
}
