// The page of one source at `/sources/:source`: the steps at its provider, its secret, and deleting it. Only for admins,
// because anyone who knows the webhook URL can send events.

import { describeSource } from "../../../access/audit-actions.ts";
import { deliveryReports } from "../../../campaign/events/outcomes.ts";
import { AppError, orNotFound } from "../../../errors.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { paths, webPaths } from "../../../paths.ts";
import { describeProvider, findProvider } from "../../../providers/providers.ts";
import { findSecretProblem } from "../../../providers/secret-problem.ts";
import { listDeliveries } from "../../../storage/keys/deliveries.ts";
import { changeSource, deleteSource, listSources, type Source } from "../../../storage/keys/sources.ts";
import type { Organization } from "../../../storage/organizations/organizations.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import type { Actor, Page, PageRequest, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { refuseSenders } from "../settings/keys/create-key.ts";
import { copyable } from "../ui/forms/copyable.ts";
import { inputField, submittedOf } from "../ui/forms/field.ts";
import { actionForm, fieldsForm, readName } from "../ui/forms/form.ts";
import { renderInline } from "../ui/texts/markdown.ts";
import { campaignFieldInput } from "./campaign-field.ts";
import { deliveriesCard } from "./deliveries.ts";
import { shortId } from "./source-url.ts";

export function sourcePage(context: WebContext): Page {
  const change = async (
    actor: Actor,
    request: PageRequest,
    work: (scope: Scope, source: Source, organization: Organization) => Promise<string | undefined>,
    action: "source.change" | "source.delete" = "source.change",
  ) =>
    actor.transaction(async (scope, locked) => {
      const source = await requireSource(actor, scope, request);
      const changed = await work(scope, source, locked);
      const target = describeSource(source);
      await actor.record(scope, action, changed === undefined ? target : `${target}, ${changed}`);
      return { provider: describeProvider(source.provider).title };
    });
  return {
    path: `${webPaths.sources}/:source`,
    role: "admin",
    async show(session, request) {
      const { source, deliveries } = await session.snapshot(async (scope) => {
        const source = await requireSource(session, scope, request);
        return { source, deliveries: await listDeliveries(scope, source.id) };
      });
      const { title, secret } = describeProvider(source.provider);
      // A provider that only a newer version knows has no steps.
      const steps = secret && stepsCard(session, source, request, context);
      return {
        title,
        breadcrumb: [{ url: webPaths.sources, name: session.t("pages.sources") }],
        body: html`${steps}${reportsCard(session, source)}${deliveriesCard(session, source, deliveries)}
${deleteCard(session, title)}`,
      };
    },
    actions: {
      async secret(actor, form, request) {
        const { provider } = await change(actor, request, async (scope, source, locked) => {
          refuseSenders(actor, locked, "sources.operatorOnly");
          await changeSource(scope, source, {
            secret: readSecret(actor, form, source),
            createdBy: actor.user.email,
          });
          return "secret";
        });
        return { notice: actor.t("sources.secretSaved", { provider }) };
      },
      async field(actor, form, request) {
        const campaignField = readName(actor, form, actor.t("sources.campaignField"), "campaign_field");
        await change(actor, request, async (scope, source) => {
          await changeSource(scope, source, { campaignField });
          return "campaign field";
        });
        return { notice: actor.t("sources.fieldSaved", { field: campaignField }) };
      },
      async reports(actor, form, request) {
        await change(actor, request, async (scope, source) => {
          const ticked = deliveryReports.filter((each) => form.getAll("reports").includes(each));
          const reports = Object.fromEntries(ticked.map((each) => [each, source.reports[each] ?? 0]));
          await changeSource(scope, source, { reports });
          return `delivery events ${ticked.join(", ")}`;
        });
        return { notice: actor.t("sources.reportsSaved") };
      },
      async delete(actor, _form, request) {
        const { provider } = await change(
          actor,
          request,
          async (scope, source) => {
            await deleteSource(scope, source.id);
            return undefined;
          },
          "source.delete",
        );
        return { notice: actor.t("sources.deleted", { provider }), redirectTo: webPaths.sources };
      },
    },
  };
}

/** @throws AppError `not_found` without such a source in the organization */
async function requireSource({ t }: Locale, scope: Scope, { params }: PageRequest): Promise<Source> {
  const sources = await listSources(scope);
  return orNotFound(
    sources.find((source) => shortId(source) === params.source),
    t("sources.notFound"),
  );
}

function stepsCard(
  session: WebSession,
  source: Source,
  request: PageRequest,
  { publicUrl }: WebContext,
): Html {
  const { t, rich } = session;
  const { title, secret, campaignFieldLocation } = findProvider(source.provider);
  const url = `${publicUrl()}${paths.ingest.webhooks}/${source.id}`;
  const { problem } = submittedOf(request, "secret");
  const secretAttributes = html` type="password" autocomplete="off" spellcheck="false" required`;
  const secretInput = inputField(
    { problem },
    { name: "secret", label: t("sources.secret") },
    secretAttributes,
  );
  const fieldInput = campaignFieldInput(session, submittedOf(request, "field"), source.campaignField);
  return html`<section class="card"><h2>${t("connect.steps")}</h2><ol class="steps numbered">
<li><div><strong>${t("sources.stepWebhook", { provider: title })}</strong>
<p class="soft">${t("sources.stepWebhookHint")}</p>
${
  source.createdBy === null
    ? html`<p class="soft small">${t("sources.urlHidden")}</p>`
    : html`${copyable(session, "webhook-url", url, t("sources.webhookUrlOf", { provider: title }))}
<p class="soft small">${t("sources.urlIsSecret")}</p>`
}</div></li>
<li><div><strong>${rich("sources.stepField", { field: source.campaignField })}</strong>
<p class="soft" lang="en">${renderInline(capitalize(campaignFieldLocation))}.</p>
<details><summary>${t("sources.changeField")}</summary>${fieldsForm(session, "field", fieldInput, html`<button class="second">${t("ui.save")}</button>`)}</details></div></li>
<li><div><strong>${t(secret.isRequired ? "sources.stepSecret" : "sources.stepSecretOptional")}</strong>
<p class="soft" lang="en">${renderInline(capitalize(secret.description))}.</p>
<p>${t(source.secret === undefined ? (secret.isRequired ? "sources.secretMissing" : "sources.secretNotSet") : "sources.secretSet")} ${t(session.organization.persons === "refuse" ? "sources.operatorOnly" : "sources.secretWarning")}</p>
${fieldsForm(session, "secret", secretInput, html`<button class="second">${t("sources.saveSecret")}</button>`)}</div></li>
<li><div><strong>${t("sources.stepTest")}</strong>
<p class="soft">${t("sources.stepTestEvent", { provider: title })}</p>
<p class="soft">${t("sources.stepTestHint")}</p></div></li>
</ol></section>`;
}

/** The delivery events that the source sends, each with the time of the last one. An event that arrives ticks its type. */
function reportsCard(session: WebSession, { reports }: Source): Html {
  const { t, timeText } = session;
  const boxes = deliveryReports.map((each) => {
    const at = reports[each];
    const time = at ? t("sources.reportLast", { time: timeText(at) }) : "";
    const note = at === 0 ? t("sources.reportNone") : time;
    return html`<div><label class="inline"><input type="checkbox" name="reports" value="${each}"${at !== undefined && html` checked`}> ${t(`sources.reports.${each}`)}</label> <span class="soft small">${note}</span></div>`;
  });
  return html`<section class="card"><h2>${t("sources.reportsTitle")}</h2><p class="soft">${t("sources.reportsHint")}</p>
${actionForm(session, "reports", html`<fieldset><legend class="visually-hidden">${t("sources.reportsTitle")}</legend><div class="boxes">${boxes}</div></fieldset>`, html`<button class="second">${t("ui.save")}</button>`)}</section>`;
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function deleteCard(session: WebSession, provider: string): Html {
  const { t } = session;
  return html`<section class="card"><h2>${t("sources.deleteTitle")}</h2>
<p class="warning">${t("sources.deleteWarning", { provider })}</p>
${actionForm(
  session,
  { action: "delete", className: "row" },
  html`<button class="danger">${t("sources.delete")}</button> <a href="${webPaths.sources}">${t("keys.cancel")}</a>`,
)}</section>`;
}

/** @throws AppError `bad_request` if the provider cannot have such a secret; the message does not contain it */
function readSecret({ t }: Locale, form: URLSearchParams, { provider }: Source): string {
  const text = (form.get("secret") ?? "").trim();
  const accepted = findSecretProblem(text, findProvider(provider).secret);
  if (accepted === undefined) return text;
  throw new AppError(
    "bad_request",
    t("ui.fieldProblem", {
      label: t("sources.secret"),
      problem: t("sources.secretRule", { accepted }),
    }),
  );
}
