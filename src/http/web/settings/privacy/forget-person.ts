// Forgets a person (GDPR, article 17): a search that says what will happen, and the deletion.

import { normalizeRecipient } from "../../../../campaign/events/parse-event.ts";
import { findTraces } from "../../../../counting/campaigns/forget-recipient.ts";
import { type Html, html } from "../../../../locale/html.ts";
import { isolatedText } from "../../../../locale/isolated-text.ts";
import type { Locale } from "../../../../locale/locale.ts";
import type { Action, PageRequest, WebSession } from "../../frame/page.ts";
import { hiddenField, inputField, submittedOf } from "../../ui/forms/field.ts";
import { actionForm, fieldsForm, readField, rejectField } from "../../ui/forms/form.ts";

/** The search. */
export function forgetCard(session: WebSession, request: PageRequest): Html {
  const { t } = session;
  return html`<section class="card"><h2>${t("privacy.forgetTitle")}</h2>
<p>${t("privacy.forgetIntro")}</p>
${fieldsForm(
  session,
  "find",
  inputField(
    submittedOf(request, "find"),
    { name: "recipient", label: t("privacy.recipient") },
    html` dir="auto" maxlength="320" autocomplete="off" spellcheck="false" required`,
  ),
  html`<button class="second">${t("privacy.find")}</button>`,
)}</section>`;
}

export const forgetActions: Record<"find" | "forget", Action> = {
  /** Shows what forgetting would do. It looks at a person's data, so it is in the audit log. */
  async find(actor, form) {
    const { transaction, t } = actor;
    const recipient = readRecipient(actor, form);
    const { campaigns, isInDirectory } = await transaction(
      (scope, organization) => findTraces(scope, organization, recipient),
      ["recipients.view", "one person, to forget"],
    );
    const confirm = actionForm(
      actor,
      { action: "forget", className: "row" },
      hiddenField("recipient", recipient),
      html`<button class="danger">${t("privacy.forget")}</button> <a href="">${t("keys.cancel")}</a>`,
    );
    const body = html`<section class="card"><h2>${isolatedText(recipient)}</h2>
<ul><li>${t("privacy.inCampaigns", { campaigns })}</li>
<li>${t(isInDirectory ? "privacy.inDirectory" : "privacy.notInDirectory")}</li>
<li>${t("privacy.inQuarantine")}</li>
<li>${t("privacy.namelessStay")}</li></ul>
<p>${t("privacy.forgetEffect")}</p>
<p class="warning">${t("ui.cannotUndo")}</p>
${confirm}</section>`;
    return { title: t("privacy.forgetTitle"), body };
  },
  /** Runs in the writer thread, because it decrypts every quarantined event. */
  async forget(actor, form) {
    const { user, write, t } = actor;
    const { campaigns, quarantined, wasInDirectory } = await write({
      name: "forget_recipient",
      address: readRecipient(actor, form),
      actor: user.email,
    });
    const wasKnown = campaigns.length + quarantined > 0 || wasInDirectory;
    const notice = wasKnown
      ? t("privacy.forgotten", { campaigns: campaigns.length, quarantined })
      : t("privacy.nothingFound");
    return { notice };
  },
};

/** @throws AppError `bad_request` if it is blank */
function readRecipient(locale: Locale, form: URLSearchParams): string {
  const text = readField(locale, form, "recipient");
  if (normalizeRecipient(text) !== "") return text;
  return rejectField(locale, locale.t("privacy.recipient"), text, locale.t("privacy.recipientRule"));
}
