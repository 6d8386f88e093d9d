// Auto-close on the organization page: when campaigns close. Fewer days delete data, so they need a confirmation.

import { describeChange } from "../../../../access/audit-actions.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import {
  type ClosingDays,
  closesSooner,
  countCampaignsToClose,
} from "../../../../storage/campaigns/campaigns-to-close.ts";
import { saveOrganization } from "../../../../storage/organizations/organizations.ts";
import type { Action, PageContent, PageRequest, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { hiddenField, inputField, numberInput, submittedOf } from "../../ui/forms/field.ts";
import { actionForm, isFieldEdited, originalValue, readField, readNumber } from "../../ui/forms/form.ts";

const action = "closing";
const individual = "close_after_days";
const nameless = "close_nameless_after_days";
type DaysField = typeof individual | typeof nameless;

const labels = ({ t }: Locale): Record<DaysField, string> => ({
  [individual]: t("organization.closeAfterDays"),
  [nameless]: t("organization.closeNamelessAfterDays"),
});

export function autoCloseForm(session: WebSession, request: PageRequest): Html {
  const { closeAfterDays, closeNamelessAfterDays } = session.organization;
  const { locale } = session;
  const { t } = locale;
  const submitted = submittedOf(request, action);
  const hint = t("organization.closeDaysHint");
  const daysField = (name: DaysField, value: number) =>
    html`${inputField(submitted, { name, label: labels(locale)[name], hint, value }, numberInput)}${originalValue(name, String(value), submitted.form)}`;
  return html`<section class="card"><h2>${t("organization.autoClose")}</h2>
<p>${t("organization.autoCloseIntro")}</p>
${actionForm(
  session,
  { action },
  daysField(individual, closeAfterDays),
  daysField(nameless, closeNamelessAfterDays),
  html`<p class="soft small">${t("organization.fewerDaysHint")}</p>
<p><button class="second">${t("organization.saveDays")}</button></p>`,
)}</section>`;
}

export function autoCloseAction({ now }: WebContext): Action {
  return async (actor, form) => {
    const { organization, locale } = actor;
    const isEdited = (name: DaysField, current: number) =>
      isFieldEdited(locale, form, { name, label: labels(locale)[name], current: String(current) });
    const { closeAfterDays: days, closeNamelessAfterDays: namelessDays } = organization;
    const edited = {
      ...(isEdited(individual, days) && { closeAfterDays: readDays(locale, form, individual) }),
      ...(isEdited(nameless, namelessDays) && { closeNamelessAfterDays: readDays(locale, form, nameless) }),
    };
    const isConfirmed = readField(locale, form, "agreed") === "yes";
    const unconfirmed = await actor.transaction(async (scope, before) => {
      const { closeAfterDays, closeNamelessAfterDays } = before;
      const days = { closeAfterDays, closeNamelessAfterDays, ...edited };
      if (closesSooner(before, days) && !isConfirmed) {
        const due = await countCampaignsToClose(scope, { now: now(), days });
        return { before, days, due };
      }
      await saveOrganization(scope, edited);
      await actor.record(scope, "organization.change", describeChange(edited));
      return undefined;
    });
    return unconfirmed ? confirmPage(actor, unconfirmed) : { notice: locale.t("organization.daysSaved") };
  };
}

/** @param options.due how many campaigns would close immediately */
function confirmPage(
  session: WebSession,
  { before, days, due }: { before: ClosingDays; days: ClosingDays; due: number },
): PageContent {
  const { t } = session.locale;
  const { closeAfterDays, closeNamelessAfterDays } = days;
  const item = (label: string, from: number, to: number) =>
    html`<li>${label}: ${from === to ? t("organization.daysUnchanged", { days: to }) : t("organization.daysChanged", { days: to, before: from })}</li>`;
  const body = html`<section class="card">
<p class="warning"><strong>${due === 0 ? t("organization.closesNone") : t("organization.closesSome", { campaigns: due })}</strong> ${t("organization.cannotUndo")}</p>
<ul>${item(t("organization.individual"), before.closeAfterDays, closeAfterDays)}
${item(t("organization.nameless"), before.closeNamelessAfterDays, closeNamelessAfterDays)}</ul>
${actionForm(
  session,
  { action },
  html`${hiddenField(individual, closeAfterDays)}${hiddenField(nameless, closeNamelessAfterDays)}
<p><label class="inline"><input type="checkbox" name="agreed" value="yes" required> ${t("organization.understand")}</label></p>
<div class="row"><button class="danger">${t("organization.closeSooner")}</button> <a href="/settings/organization">${t("organization.keepDays")}</a></div>`,
)}
</section>`;
  return { title: t("organization.confirmTitle"), body };
}

/** @throws AppError `bad_request` if the field is not a whole number of days in range */
function readDays(locale: Locale, form: URLSearchParams, name: DaysField): number {
  const rule = locale.t("organization.daysRule");
  return readNumber(locale, form, name, { label: labels(locale)[name], min: 1, max: 100_000, rule });
}
