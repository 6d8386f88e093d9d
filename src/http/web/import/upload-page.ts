// The page of an uploaded file at `/campaigns/import/:id`: maps its columns, previews it, imports it and undoes the import.

import { type EmailRecordField, recordFields } from "../../../campaign/record-fields.ts";
import { readSample } from "../../../counting/import/campaign-file.ts";
import { type ImportPreview, previewImport } from "../../../counting/import/preview-import.ts";
import { appendPiece, compressPiece, discardImport, readUpload } from "../../../counting/import/upload.ts";
import { AppError } from "../../../errors.ts";
import { limitConcurrency } from "../../../limits/limit-concurrency.ts";
import type { Queries } from "../../../storage/database.ts";
import { findImport, neverExpires, type StoredImport } from "../../../storage/imports/imports.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { Locale } from "../locale.ts";
import type { Action, Page, PageContent, PageRequest, WebSession } from "../page.ts";
import { hiddenField } from "../ui/field.ts";
import { actionForm, readField } from "../ui/form.ts";
import { breadcrumb } from "../ui/layout.ts";
import type { WebContext } from "../web-context.ts";
import { readColumnChoices } from "./column-choices.ts";
import { importState } from "./import-state.ts";
import { mappingForm } from "./mapping-form.ts";
import { discardForm, firstCampaigns, problemsCard, warningsCard } from "./preview-cards.ts";
import { sampleLine } from "./sample-data.ts";

const exampleRows = 5;

export function uploadPage(context: WebContext): Page {
  const preview = limitedPreview(context);
  return {
    path: `${paths.web.import}/:id`,
    role: "admin",
    hasUpload: true,
    async show(session, request) {
      const { locale } = session;
      const { database } = context;
      const found = await database.query((queries) => requireImport(queries, session, request));
      const { state, fileName } = found;
      const body =
        state === "waiting"
          ? await waitingBody(context, session, { found, query: request.query, preview })
          : found.expiresAt === neverExpires
            ? html`${await sampleLine(context, session)}`
            : state === "imported"
              ? importedBody(session, found)
              : otherBody(session, found);
      return {
        title: state === "waiting" ? locale.t("imports.checkTitle") : locale.t("imports.title"),
        lead: html`<bdi>${fileName}</bdi>`,
        breadcrumb: breadcrumb(locale, [
          { url: paths.web.campaigns, name: locale.t("campaigns.title") },
          { url: paths.web.import, name: locale.t("imports.title") },
        ]),
        body,
      };
    },
    actions: {
      piece: pieceAction,
      import: importAction(context),
      discard: discardAction,
      undo: undoAction(context),
    },
  };
}

/** @throws AppError `not_found` if the organization has no such file any more */
async function requireImport(
  queries: Queries,
  { organization, locale }: Pick<WebSession, "organization" | "locale">,
  { params }: PageRequest,
): Promise<StoredImport> {
  const id = /^\d{1,15}$/.test(params.id ?? "") ? Number(params.id) : -1;
  const found = await findImport(queries, organization.id, id);
  if (found && found.state !== "discarded") return found;
  throw new AppError("not_found", locale.t("imports.notFound"));
}

/** Reading a large file takes seconds of this process. */
function limitedPreview({ database }: WebContext): typeof previewImport {
  const limit = limitConcurrency({
    concurrency: 1,
    maxWaiting: 10,
    fullMessage: "Too many files are being read. Try again in a moment.",
  });
  return (_, ...rest) => limit(() => previewImport(database, ...rest));
}

function sampleOf({ database }: WebContext, { organization }: WebSession, { id }: StoredImport) {
  return readSample(readUpload(database, organization.id, { id }), exampleRows);
}

async function waitingBody(
  context: WebContext,
  session: WebSession,
  {
    found,
    query,
    preview: read,
  }: { found: StoredImport; query: URLSearchParams; preview: typeof previewImport },
): Promise<Html> {
  const { locale, organization } = session;
  const sample = await sampleOf(context, session, found);
  const choices = readColumnChoices(query, sample, organization.timeZone);
  const preview = await read(context.database, organization, found, choices.choice);
  if (choices.repeated !== undefined) {
    preview.result.addError("columns", repeatedText(locale, choices.repeated));
  }
  const columns = sample && mappingForm(locale, sample, choices);
  const next = preview.result.errorCount > 0 ? undefined : importCard(session, preview, query);
  return html`${next === undefined && problemsCard(session, preview, { query, hasColumns: sample !== undefined })}${firstCampaigns(session, preview)}${next}${warningsCard(locale, preview)}${columns}`;
}

function repeatedText({ t, translate }: Locale, field: EmailRecordField): string {
  return t("imports.repeated", { field: translate(`fields.${field}`, recordFields[field].title) });
}

function importCard(session: WebSession, preview: ImportPreview, query: URLSearchParams): Html {
  const { t } = session.locale;
  const { campaigns, replaced } = preview;
  const importForm = actionForm(
    session,
    { action: "import" },
    hiddenField("choices", String(query)),
    hiddenField("time_zone", session.organization.timeZone),
    html`<button>${t("imports.importCount", { count: campaigns })}</button>`,
  );
  return html`<section class="card">
${campaigns === 0 && html`<p>${t("imports.noCampaigns")}</p>`}
${replaced > 0 && html`<p><strong>${t("imports.replaced", { count: replaced })}</strong></p>`}
${campaigns > 0 && html`<p class="soft small">${t("imports.importHint")}</p>`}
<div class="row">${campaigns > 0 && importForm}${discardForm(session)}</div></section>
`;
}

function importedBody(session: WebSession, found: StoredImport): Html {
  const { locale, organization } = session;
  const { t, format } = locale;
  const until = format.dateTime(found.expiresAt, organization.timeZone);
  return html`<section class="card"><h2>${importState(locale, found)}</h2>
<p class="row"><a class="button" href="${paths.web.campaigns}?period=all">${t("imports.viewCampaigns")}</a><a class="button second" href="${paths.web.overview}">${t("overview.title")}</a></p></section>
<section class="card" id="undo"><h2>${t("imports.undoTitle")}</h2><p>${t("imports.undoHint", { until })}</p>
${actionForm(session, { action: "undo" }, html`<button class="danger">${t("imports.undo")}</button>`)}</section>`;
}

function otherBody(session: WebSession, { state, received, bytes }: StoredImport): Html {
  const { t, format } = session.locale;
  if (state === "undone") {
    return html`<section class="card"><p>${t("imports.states.undone")}</p>
<p><a href="${paths.web.import}">${t("imports.another")}</a></p></section>`;
  }
  return html`<section class="card"><p>${t("imports.incomplete", { share: format.rate(received / bytes) })}</p>
<div class="row"><a class="button" href="${paths.web.import}">${t("imports.another")}</a>${discardForm(session)}</div></section>`;
}

/** A piece of a file, from the script. It writes no entry of its own: the upload has one. */
const pieceAction: Action = async (
  { locale, organization, transaction },
  form,
  { upload, params, query },
) => {
  const position = Number(readField(locale, form, "position"));
  if (!upload) throw new AppError("bad_request", locale.t("imports.empty"));
  const content = await compressPiece(upload);
  await transaction(async (queries) => {
    const { id } = await requireImport(queries, { organization, locale }, { params, query });
    await appendPiece(queries, organization.id, { id, position, length: upload.length, content });
  });
  return { title: locale.t("imports.uploading"), body: html`` } satisfies PageContent;
};

function importAction(context: WebContext): Action {
  return async (actor, form, request) => {
    const { locale, organization, user } = actor;
    const waiting = await context.database.query((queries) => requireImport(queries, actor, request));
    if (waiting.state !== "waiting") throw new AppError("conflict", locale.t("imports.notWaiting"));
    // Local times would mean other ones than the preview showed.
    const [before, after] = [form.get("time_zone") ?? organization.timeZone, organization.timeZone];
    if (before !== after) throw new AppError("conflict", locale.t("imports.zoneChanged", { before, after }));
    const sample = await sampleOf(context, actor, waiting);
    const query = new URLSearchParams(form.get("choices") ?? "");
    const { choice, repeated } = readColumnChoices(query, sample, organization.timeZone);
    if (repeated !== undefined) throw new AppError("conflict", repeatedText(locale, repeated));
    const task = { name: "import_file", id: waiting.id, actor: user.email, choice } as const;
    try {
      await actor.write(task);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "conflict") throw error;
      throw new AppError("conflict", locale.t("imports.failed", { problem: error.message }));
    }
    return { notice: locale.t("imports.done"), redirectTo: `${paths.web.import}/${waiting.id}` };
  };
}

const discardAction: Action = async (actor, _form, request) => {
  const { locale, organization, transaction, record } = actor;
  await transaction(async (queries) => {
    const { id, state, fileName } = await requireImport(queries, actor, request);
    if (state !== "waiting" && state !== "uploading") {
      throw new AppError("conflict", locale.t("imports.notWaiting"));
    }
    await discardImport(queries, organization.id, id);
    await record(queries, "file.discard", fileName);
  });
  return { notice: locale.t("imports.discarded"), redirectTo: paths.web.import };
};

function undoAction({ database }: WebContext): Action {
  return async (actor, _form, request) => {
    const { locale, user } = actor;
    const found = await database.query((queries) => requireImport(queries, actor, request));
    const { id, state, expiresAt } = found;
    if (state !== "imported") throw new AppError("conflict", locale.t("imports.notImported"));
    const task = { name: "undo_import", id, actor: user.email } as const;
    const undone = await actor.write(task);
    if (expiresAt !== neverExpires) return { notice: locale.t("imports.undone", { ...undone }) };
    return { notice: locale.t("sample.removed"), redirectTo: paths.web.overview };
  };
}
