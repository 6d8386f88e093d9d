// The Discard action: deletes quarantined events without counting them, after a page that shows which.

import { describeQuarantined } from "../../../access/audit-actions.ts";
import { problems } from "../../../counting/events/problems.ts";
import { html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { webPaths } from "../../../paths.ts";
import { deleteQuarantined } from "../../../storage/quarantine/delete-quarantined.ts";
import type { QuarantineFilter } from "../../../storage/quarantine/quarantine-filter.ts";
import type { QuarantineReason } from "../../../storage/tables/campaigns.ts";
import type { Action, Actor, PageContent } from "../frame/page.ts";
import { hiddenField } from "../ui/forms/field.ts";
import { actionForm, readField, rejectField } from "../ui/forms/form.ts";
import { findQuarantineView, quarantineTable } from "./quarantine.ts";
import { readCampaign } from "./replay.ts";

const action = "discard";

/** SQLite deletes these within some milliseconds, in which the process answers no request. */
const eventsPerTransaction = 1_000;

export const discardAction: Action = async (actor, form) => {
  const { organization, snapshot, transaction, t } = actor;
  const filter = readFilter(actor, form);
  const shownAt = readField(actor, form, "shown_at");
  if (!/^\d{1,15}$/.test(shownAt)) {
    const view = await snapshot((scope) => findQuarantineView(scope, organization, filter));
    return confirmPage(actor, form, view);
  }
  // Keeps what arrived since the page was shown.
  const shown = { ...filter, receivedBefore: Number(shownAt) + 1 };
  let discarded = 0;
  let deleted: number;
  do {
    deleted = await transaction(
      (scope) => deleteQuarantined(scope, shown, eventsPerTransaction),
      discarded === 0 ? ["quarantine.discard", describeQuarantined(filter)] : undefined,
    );
    discarded += deleted;
  } while (deleted === eventsPerTransaction);
  return { notice: t("sources.discarded", { events: discarded }) };
};

function confirmPage(
  actor: Actor,
  form: URLSearchParams,
  view: Awaited<ReturnType<typeof findQuarantineView>>,
): PageContent {
  const { t } = actor;
  const hidden = (name: string) => hiddenField(name, form.get(name) ?? "");
  const body = html`<section class="card">
<p class="warning"><strong>${t("sources.discardWarning", { events: view.total })}</strong> ${t("ui.cannotUndo")}</p>
${quarantineTable(actor, view)}
${actionForm(
  actor,
  { action, className: "row" },
  hidden("campaign"),
  hidden("reason"),
  hiddenField("shown_at", actor.now),
  html`<button class="danger">${t("sources.discard")}</button> <a href="${webPaths.sources}">${t("keys.cancel")}</a>`,
)}</section>`;
  return { title: t("sources.discardTitle"), body };
}

/** All events without fields. The button of a group sends its campaign as JSON, `null` for events that name none. */
function readFilter(locale: Locale, form: URLSearchParams): QuarantineFilter {
  const campaign = form.get("campaign") === "null" ? undefined : readCampaign(locale, form);
  const reason = form.get("reason") ?? "";
  const reasons = Object.keys(problems);
  if (reason !== "" && !reasons.includes(reason)) {
    const accepted = locale.t("ui.oneOf", { values: reasons.join(", ") });
    return rejectField(locale, locale.t("sources.reason"), reason, accepted);
  }
  return {
    campaigns: form.get("campaign") ? [campaign] : undefined,
    reason: reason === "" ? undefined : (reason as QuarantineReason),
  };
}
