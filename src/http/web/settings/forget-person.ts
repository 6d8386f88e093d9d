// Forgets a person (GDPR, article 17): a search that says what will happen, and the deletion.

import { normalizeRecipient } from "../../../campaign/events/parse-event.ts";
import { findTraces } from "../../../counting/campaigns/forget-recipient.ts";
import { toJob } from "../../../counting/writer/jobs.ts";
import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import type { Action, PageRequest, WebSession } from "../page.ts";
import { formField } from "../ui/field.ts";
import { actionForm, readField, rejectField } from "../ui/form.ts";
import { isolatedText } from "../ui/isolated-text.ts";
import type { WebContext } from "../web-context.ts";

/** The search. */
export function forgetCard(session: WebSession, { rejected }: PageRequest): Html {
  const { t } = session.locale;
  const submitted = rejected?.action === "find" ? rejected : undefined;
  return html`<section class="card"><h2>${t("privacy.forgetTitle")}</h2>
<p>${t("privacy.forgetIntro")}</p>
${actionForm(
  session,
  { action: "find", className: "fields" },
  formField(
    { name: "recipient", label: t("privacy.recipient") },
    submitted?.problem,
    (attributes) =>
      html`<input ${attributes} dir="auto" maxlength="320" autocomplete="off" spellcheck="false" required>`,
  ),
  html`<button class="second">${t("privacy.find")}</button>`,
)}</section>`;
}

export function forgetActions(context: WebContext): Record<"find" | "forget", Action> {
  return { find: findAction(), forget: forgetAction(context) };
}

/** Shows what forgetting would do. It looks at a person's data, so it is in the audit log. */
function findAction(): Action {
  return {
    role: "admin",
    async run(actor, form) {
      const { locale, transaction, record } = actor;
      const { t } = locale;
      const recipient = readRecipient(locale, form);
      const { campaigns, isInDirectory } = await transaction(async (queries, organization) => {
        await record(queries, "recipients.view", "one person, to forget");
        return findTraces(queries, organization, recipient);
      });
      const confirm = actionForm(
        actor,
        { action: "forget", className: "row" },
        html`<input type="hidden" name="recipient" value="${recipient}">
<button class="danger">${t("privacy.forget")}</button> <a href="">${t("keys.cancel")}</a>`,
      );
      const body = html`<section class="card"><h2>${isolatedText(recipient)}</h2>
<ul><li>${t("privacy.inCampaigns", { campaigns })}</li>
<li>${t(isInDirectory ? "privacy.inDirectory" : "privacy.notInDirectory")}</li>
<li>${t("privacy.inQuarantine")}</li></ul>
<p>${t("privacy.forgetEffect")}</p>
<p class="warning">${t("ui.cannotUndo")}</p>
${confirm}</section>`;
      return { title: t("privacy.forgetTitle"), body };
    },
  };
}

/** In the writer thread: it decrypts every quarantined event. */
function forgetAction({ writer, now }: WebContext): Action {
  return {
    role: "admin",
    async run({ organization, user, locale }, form) {
      const address = readRecipient(locale, form);
      const task = { name: "forget_recipient", address, actor: user.email } as const;
      const { campaigns, quarantined, wasInDirectory } = await writer.write(
        toJob(organization.id, now(), task, undefined),
      );
      const found = campaigns.length + quarantined > 0 || wasInDirectory;
      const notice = found
        ? locale.t("privacy.forgotten", { campaigns: campaigns.length, quarantined })
        : locale.t("privacy.nothingFound");
      return { notice };
    },
  };
}

/** @throws AppError `bad_request` if it is blank */
function readRecipient(locale: Locale, form: URLSearchParams): string {
  const text = readField(locale, form, "recipient");
  if (normalizeRecipient(text) !== "") return text;
  return rejectField(locale, locale.t("privacy.recipient"), text, locale.t("privacy.recipientRule"));
}
