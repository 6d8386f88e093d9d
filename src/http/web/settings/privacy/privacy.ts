// The privacy page at `/settings/privacy`: the switch that refuses persons, and a statement of what the service can and
// cannot answer, to print and hand to a works council.

import { namelessMinimum } from "../../../../counting/campaigns/remove-names.ts";
import { type Html, html } from "../../../../locale/html.ts";
import { webPaths } from "../../../../paths.ts";
import type { Action, Page, PageRequest, WebSession } from "../../frame/page.ts";
import { inputField, nameInput, submittedOf } from "../../ui/forms/field.ts";
import { actionForm, readField, rejectField } from "../../ui/forms/form.ts";
import { changeOrganization } from "../organization/change-organization.ts";
import { forgetActions, forgetCard } from "./forget-person.ts";

function refuseForm(session: WebSession, request: PageRequest): Html {
  const { t } = session;
  const effects = [
    t("privacy.effects.tracking"),
    t("privacy.effects.names"),
    t("privacy.effects.closing", { days: session.organization.closeNamelessAfterDays }),
    t("privacy.effects.lists"),
    t("privacy.effects.minimums", { min: namelessMinimum }),
  ];
  return html`<p>${t("privacy.allowed")}</p>
${list(effects)}
<p class="warning">${t("privacy.cannotUndo")}</p>
${actionForm(
  session,
  "refuse",
  inputField(
    submittedOf(request, "refuse"),
    { name: "name", label: t("privacy.confirmName", { name: session.organization.name }) },
    nameInput,
  ),
  html`<p><button class="danger">${t("privacy.refuse")}</button></p>`,
)}`;
}

function allowForm(session: WebSession): Html {
  return html`<p>${session.t("privacy.refused")}</p>
${actionForm(session, "allow", html`<p><button>${session.t("privacy.allow")}</button></p>`)}`;
}

/** Says only what the settings of the organization make true. */
function statement({ organization, now, t, timeText }: WebSession): Html {
  const { name, persons, minAnswers, minGroup } = organization;
  const { closeAfterDays: days, closeNamelessAfterDays: namelessDays } = organization;
  const isNameless = persons === "refuse";
  const can = [
    t("privacy.can.campaigns"),
    t("privacy.can.groups", { minGroup }),
    t("privacy.can.surveys", { minAnswers }),
    ...(isNameless ? [] : [t("privacy.can.persons")]),
    t("privacy.can.changes", { minGroup, minAnswers }),
    t("privacy.can.senders"),
    t(isNameless ? "privacy.can.sendersOperator" : "privacy.can.sendersWeb"),
    t("privacy.can.directory"),
  ];
  const cannot = [
    ...(isNameless
      ? [t("privacy.cannot.whoOpened"), t("privacy.cannot.whoAnswered")]
      : [t("privacy.cannot.whoOpenedAnonymous")]),
    t("privacy.cannot.smallGroups", { minGroup }),
    t("privacy.cannot.fewAnswers", { minAnswers }),
    t("privacy.cannot.crossed"),
    t("privacy.cannot.individualBehavior"),
    t("privacy.cannot.networks"),
  ];
  const stored = [
    isNameless ? t("privacy.stored.hashes") : t("privacy.stored.names"),
    t("privacy.stored.directory"),
    t("privacy.stored.closing", { days, namelessDays }),
    t("privacy.stored.forgetting"),
  ];
  return html`<section class="card"><h2>${t("privacy.statement")}</h2>
<p>${t("privacy.statementOf", { name, date: timeText(now) })}</p>
<h3>${t("privacy.canTitle")}</h3>
${list(can)}
<h3>${t("privacy.cannotTitle")}</h3>
${list(cannot)}
<h3>${t("privacy.storedTitle")}</h3>
${list(stored)}
<p class="soft small">${t("privacy.printHint")}</p></section>`;
}

const list = (items: readonly string[]) => html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;

const refuseAction: Action = async (actor, form) => {
  const { organization, t } = actor;
  const [entered, { name }] = [readField(actor, form, "name"), organization];
  if (entered !== name) {
    rejectField(actor, t("privacy.confirmName", { name }), entered, t("privacy.nameRule", { name }));
  }
  await changeOrganization(actor, { persons: "refuse" });
  return { notice: t("privacy.saved") };
};

const allowAction: Action = async (actor) => {
  await changeOrganization(actor, { persons: "allow" });
  return { notice: actor.t("privacy.savedAllow") };
};

export const privacyPage: Page = {
  path: webPaths.privacy,
  role: "admin",
  async show(session, request) {
    const { persons } = session.organization;
    const body = html`<section class="card"><h2>${session.t("privacy.persons")}</h2>
${persons === "allow" ? refuseForm(session, request) : allowForm(session)}</section>
${forgetCard(session, request)}
${statement(session)}`;
    return { title: session.t("pages.privacy"), body };
  },
  actions: { refuse: refuseAction, allow: allowAction, ...forgetActions },
};
