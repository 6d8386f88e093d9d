// Auto-close on the organization page: when campaigns close. Fewer days delete data, so they need a confirmation.

import {
  type ClosingDays,
  closesSooner,
  countCampaignsToClose,
} from "../../../storage/campaigns/campaigns-to-close.ts";
import { changeOrganization } from "../../../storage/organizations.ts";
import { type Html, html } from "../../html.ts";
import type { Action, PageContent, PageRequest, WebSession } from "../page.ts";
import { organizationStrings } from "../strings/organization.ts";
import { formField } from "../ui/field.ts";
import { actionForm, isFieldUnedited, originalValue, readField, rejectField } from "../ui/form.ts";
import type { WebContext } from "../web-context.ts";

const action = "closing";
const individual = "close_after_days";
const nameless = "close_nameless_after_days";
type DaysField = typeof individual | typeof nameless;

const labels: Record<DaysField, string> = {
  [individual]: organizationStrings.closeAfterDays,
  [nameless]: organizationStrings.closeNamelessAfterDays,
};

export function autoCloseForm(session: WebSession, { rejected }: PageRequest): Html {
  const { closeAfterDays, closeNamelessAfterDays } = session.organization;
  const submitted = rejected?.action === action ? rejected : undefined;
  const daysField = (name: DaysField, value: number) =>
    formField(
      { name, label: labels[name], hint: organizationStrings.closeDaysHint },
      submitted?.problem,
      (attributes) =>
        html`<input ${attributes} inputmode="numeric" maxlength="6" autocomplete="off" value="${submitted?.form.get(name) ?? value}" required>`,
    );
  return html`<section class="card"><h2>${organizationStrings.autoClose}</h2>
<p>${organizationStrings.autoCloseIntro}</p>
${actionForm(
  session,
  { action },
  daysField(individual, closeAfterDays),
  daysField(nameless, closeNamelessAfterDays),
  originalValue(individual, String(closeAfterDays), submitted?.form),
  originalValue(nameless, String(closeNamelessAfterDays), submitted?.form),
  html`<p class="soft small">${organizationStrings.fewerDaysHint}</p>
<p><button>${organizationStrings.saveDays}</button></p>`,
)}</section>`;
}

export function autoCloseAction({ now }: WebContext): Action {
  return {
    role: "admin",
    async run(actor, form) {
      const { id } = actor.organization;
      const edited = {
        ...(!isFieldUnedited(form, individual) && { closeAfterDays: readDays(form, individual) }),
        ...(!isFieldUnedited(form, nameless) && { closeNamelessAfterDays: readDays(form, nameless) }),
      };
      const isConfirmed = readField(form, "agreed") === "yes";
      const unconfirmed = await actor.transaction(async (queries, before) => {
        const { closeAfterDays, closeNamelessAfterDays } = before;
        const days = { closeAfterDays, closeNamelessAfterDays, ...edited };
        if (closesSooner(before, days) && !isConfirmed) {
          const due = await countCampaignsToClose(queries, { organizationId: id, now: now(), days });
          return { before, days, due };
        }
        await changeOrganization(queries, id, edited, now());
        return undefined;
      });
      return unconfirmed ? confirmPage(actor, unconfirmed) : { notice: organizationStrings.daysSaved };
    },
  };
}

/** @param options.due how many campaigns would close immediately */
function confirmPage(
  session: WebSession,
  { before, days, due }: { before: ClosingDays; days: ClosingDays; due: number },
): PageContent {
  const { closesNone, closesSome, daysUnchanged, daysChanged, cannotUndo } = organizationStrings;
  const { closeAfterDays, closeNamelessAfterDays } = days;
  const item = (label: string, from: number, to: number) =>
    html`<li>${label}: ${from === to ? daysUnchanged(to) : daysChanged(to, from)}</li>`;
  const body = html`<section class="card">
<p class="warning"><strong>${due === 0 ? closesNone : closesSome(due)}</strong> ${cannotUndo}</p>
<ul>${item(organizationStrings.individual, before.closeAfterDays, closeAfterDays)}
${item(organizationStrings.nameless, before.closeNamelessAfterDays, closeNamelessAfterDays)}</ul>
${actionForm(
  session,
  { action },
  html`<input type="hidden" name="${individual}" value="${closeAfterDays}">
<input type="hidden" name="${nameless}" value="${closeNamelessAfterDays}">
<p><label class="inline"><input type="checkbox" name="agreed" value="yes" required> ${organizationStrings.understand}</label></p>
<div class="row"><button class="danger">${organizationStrings.closeSooner}</button> <a href="/settings/organization">${organizationStrings.keepDays}</a></div>`,
)}
</section>`;
  return { title: organizationStrings.confirmTitle, body };
}

/** @throws AppError `bad_request` if the field is not a whole number of days in range */
function readDays(form: URLSearchParams, name: DaysField): number {
  const text = readField(form, name);
  const days = Number(text);
  if (/^\d{1,6}$/.test(text) && days >= 1 && days <= 100_000) return days;
  return rejectField(labels[name], text, organizationStrings.daysRule);
}
