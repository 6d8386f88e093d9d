// The page of an uploaded file at `/campaigns/import/:id`: maps its columns, previews it, imports it and undoes the import.

import type { Campaign } from "../../../campaign/campaign.ts";
import { type ImportField, importFields } from "../../../campaign/reported-campaign.ts";
import { TooCostlyFile } from "../../../counting/import/file-readers.ts";
import { compressPiece } from "../../../counting/import/pieces.ts";
import { type ImportPreview, previewImport } from "../../../counting/import/preview-import.ts";
import { choicesKey } from "../../../counting/import/reading.ts";
import { canBeUndone, undoneOf } from "../../../counting/import/undo-import.ts";
import { appendPiece, discardImport } from "../../../counting/import/upload.ts";
import { AppError, orNotFound } from "../../../errors.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { quoted } from "../../../locale/quoted.ts";
import { webPaths } from "../../../paths.ts";
import { deleteMapping, saveMapping } from "../../../storage/imports/import-mappings.ts";
import {
  findImport,
  isEdit,
  isInWork,
  neverExpires,
  type StoredImport,
} from "../../../storage/imports/imports.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import type { Action, Page, PageContent, PageRequest, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { hiddenField } from "../ui/forms/field.ts";
import { actionForm, readField } from "../ui/forms/form.ts";
import { readTag, readTeam, tagField, teamField } from "./edit-fields.ts";
import { finishImport } from "./finish-import.ts";
import { importName, importState, undoText } from "./import-state.ts";
import { mappingForm } from "./mapping-form.ts";
import { discardForm, firstCampaigns, problemsCard, warningsCard } from "./preview-cards.ts";
import { sampleLine } from "./sample-data.ts";
import { uploadForm } from "./upload-form.ts";

export function uploadPage(context: WebContext): Page {
  const { database, readFile } = context;
  const preview: Preview = ({ organization }, { id }, choices, { signal }) =>
    previewImport({ database, readFile }, organization, { id, choices: String(choices), signal });
  return {
    path: `${webPaths.import}/:id`,
    role: "admin",
    hasUpload: true,
    async show(session, request) {
      const { t } = session;
      const upload = await findUpload(session, request);
      const isWaiting = upload.state === "waiting";
      const read = isWaiting && (await unlessTooCostly(preview(session, upload, request.query, request)));
      const isUnreadable = upload.state === "unreadable" || (isWaiting && !read);
      const body = read
        ? previewBody(session, read)
        : isUnreadable
          ? tooCostlyBody(session)
          : upload.expiresAt === neverExpires
            ? html`${await session.query((scope) => sampleLine(scope, session))}`
            : upload.state === "imported"
              ? importedBody(session, upload)
              : otherBody(session, upload);
      return {
        title: t(read ? "imports.checkTitle" : "imports.title"),
        lead: html`<bdi>${importName(session, upload)}</bdi>`,
        breadcrumb: [
          { url: webPaths.campaigns, name: t("pages.campaigns") },
          { url: webPaths.import, name: t("imports.title") },
        ],
        body,
        status: isUnreadable ? 400 : undefined,
      };
    },
    actions: {
      piece: pieceAction,
      import: importAction(preview),
      discard: discardAction,
      forget: forgetAction,
      undo: undoAction,
    },
  };
}

/** @throws AppError `not_found` if the organization has no such file any more */
async function requireImport(
  scope: Scope,
  { t }: WebSession,
  { params }: Pick<PageRequest, "params">,
): Promise<StoredImport> {
  const id = /^\d{1,15}$/.test(params.id ?? "") ? Number(params.id) : -1;
  const upload = await findImport(scope, id);
  return orNotFound(upload?.state !== "discarded" && upload, t("imports.notFound"));
}

const findUpload = (session: WebSession, request: PageRequest) =>
  session.query((scope) => requireImport(scope, session, request));

type Preview = (
  session: WebSession,
  found: StoredImport,
  choices: URLSearchParams,
  request: PageRequest,
) => Promise<ImportPreview>;

/** Undefined for a file that takes too much time or memory. Pages say so in the language of the user. */
async function unlessTooCostly(reading: Promise<ImportPreview>): Promise<ImportPreview | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof TooCostlyFile) return undefined;
    throw error;
  }
}

function previewBody(session: WebSession, preview: ImportPreview): Html {
  const { columns, choices } = preview;
  if (choices.repeated !== undefined) {
    preview.errors.push(`columns: ${repeatedText(session, choices.repeated)}`);
    preview.errorCount += 1;
  }
  const hasProblems = preview.errorCount > 0;
  return html`${hasProblems && problemsCard(session, preview, new URLSearchParams(choices.query))}${firstCampaigns(session, preview)}${!hasProblems && importCard(session, preview)}${warningsCard(session, preview)}${columns.length > 0 && mappingForm(session, preview)}`;
}

function tooCostlyBody(session: WebSession): Html {
  return html`<section class="card"><p>${session.t("imports.tooCostly")}</p>
${uploadForm(session, session.t("imports.correctedFile"))}</section>`;
}

function repeatedText({ t, translate }: Locale, field: ImportField): string {
  return t("imports.repeated", { field: translate(`fields.${field}`, importFields[field].title) });
}

function importCard(session: WebSession, preview: ImportPreview): Html {
  const { t, timeText } = session;
  const { campaigns, known, others, firstOthers, renumbered, choices } = preview;

  const nameOf = ({ subject, sentAt }: Pick<Campaign, "subject" | "sentAt">) =>
    html`<bdi>${quoted(session, subject)}</bdi> (${timeText(sentAt)})`;
  const list = firstOthers.map(({ before, after }) => html`<li>${nameOf(before)} → ${nameOf(after)}</li>`);
  const importForm = actionForm(
    session,
    "import",
    hiddenField("choices", choices.query),
    hiddenField("header", choices.key ?? ""),
    hiddenField("time_zone", session.organization.timeZone),
    others > 0 &&
      html`<div class="warning"><p>${t("imports.others", { count: others })}</p><ul>${list}</ul>
<label class="inline"><input type="checkbox" name="replaces" value="1"> ${t("imports.replaceOthers")}</label></div>`,
    html`<details class="more-fields"><summary>${t("imports.forAll")}</summary><div class="fields">${tagField(session, [], {})}${teamField(t("campaigns.columns.team"), [], {})}</div></details>`,
    html`<button>${t("imports.importCount", { count: campaigns })}</button>`,
  );
  return html`<section class="card">
${campaigns === 0 && html`<p>${t("imports.noCampaigns")}</p>`}
${known > 0 && html`<p><strong>${t("imports.replaced", { count: known })}</strong> ${t("imports.keeps")}</p>`}
${renumbered > 0 && html`<p>${t("imports.renumbered", { count: renumbered })}</p>`}
${campaigns > 0 && html`<p class="soft small">${t("imports.importHint")}</p>`}
${campaigns > 0 && importForm}${discardForm(session)}</section>
`;
}

function importedBody(session: WebSession, found: StoredImport): Html {
  return html`<section class="card"><h2>${importState(session, found)}</h2>
<p class="row"><a class="button" href="${webPaths.campaigns}?period=all">${session.t("imports.viewCampaigns")}</a><a class="button second" href="${webPaths.overview}">${session.t("pages.overview")}</a></p></section>
${undoCard(session, found)}`;
}

function undoCard(session: WebSession, stored: StoredImport): Html {
  const { t, timeText } = session;
  const until = timeText(stored.expiresAt);
  return html`<section class="card" id="undo"><h2>${undoText(session, stored)}</h2><p>${isEdit(stored) ? t("edit.undoUntil", { until }) : t("imports.undoHint", { until })}</p>
${actionForm(session, "undo", html`<button class="danger">${undoText(session, stored)}</button>`)}</section>`;
}

function otherBody(session: WebSession, upload: StoredImport): Html {
  const { t, format } = session;
  const { state, received, bytes, outcomes } = upload;
  if (isInWork(upload)) {
    const isStuck = canBeUndone(upload, session.now);
    return html`<section class="card"><h2>${importState(session, upload)}</h2>
<p>${t("imports.outcomes", { ...outcomes })}</p><p class="soft small">${t(isStuck ? "imports.stuck" : "imports.inWork")}</p></section>${isStuck && undoCard(session, upload)}`;
  }
  if (state === "undone") {
    return html`<section class="card"><p>${t("imports.states.undone")}</p>
<p><a href="${webPaths.import}">${t("imports.another")}</a></p></section>`;
  }
  return html`<section class="card"><p>${t("imports.incomplete", { share: format.rate(received / bytes) })}</p>
<div class="row"><a class="button" href="${webPaths.import}">${t("imports.another")}</a>${discardForm(session)}</div></section>`;
}

/** A piece of a file, from the script. It writes no entry of its own: the upload has one. */
const pieceAction: Action = async (actor, form, { upload, params }) => {
  const { transaction, t } = actor;
  const position = Number(readField(actor, form, "position"));
  if (!upload) throw new AppError("bad_request", t("imports.empty"));
  const content = await compressPiece(upload);
  await transaction(async (scope) => {
    const { id } = await requireImport(scope, actor, { params });
    await appendPiece(scope, { id, position, length: upload.length, content });
  });
  return { title: t("imports.uploading"), body: html`` } satisfies PageContent;
};

/** Reads the file again if it was not read with these choices. */
function importAction(preview: Preview): Action {
  return async (actor, form, request) => {
    const { organization, user, t } = actor;
    const upload = await findUpload(actor, request);
    if (upload.state !== "waiting") throw new AppError("conflict", t("imports.notWaiting"));
    // Local times would mean other ones than the preview showed.
    const [before, after] = [form.get("time_zone") ?? organization.timeZone, organization.timeZone];
    if (before !== after) throw new AppError("conflict", t("imports.zoneChanged", { before, after }));
    const query = new URLSearchParams(form.get("choices") ?? "");
    let choices = String(query);
    if (upload.choices !== choicesKey(choices, organization)) {
      const read = await unlessTooCostly(preview(actor, upload, query, request));
      if (!read) throw new AppError("bad_request", t("imports.tooCostly"));
      const { repeated } = read.choices;
      if (repeated !== undefined) throw new AppError("conflict", repeatedText(actor, repeated));
      if (read.errorCount > 0) throw failed(actor, read.errors[0] ?? "");
      choices = read.choices.query;
    }
    const { id } = upload;
    const tag = await readTag(actor, form);
    const team = readTeam(actor, form);
    const edit = { ...(tag && { add: tag }), ...(team !== null && { team }) };
    const task = { replaces: form.has("replaces"), ...((tag || team !== null) && { edit }) };
    try {
      await actor.write({ name: "import_file", id, actor: user.email, choices, task });
    } catch (error) {
      throw error instanceof AppError && error.code === "conflict" ? failed(actor, error.message) : error;
    }
    await finishImport(actor, id);
    const header = headerOf(form);
    if (header !== "" && choices !== "" && choices.length <= 4_000)
      await actor.transaction((scope) => saveMapping(scope, { header, choices, used_at: actor.now }));
    return { notice: t("imports.done"), redirectTo: `${webPaths.import}/${id}` };
  };
}

/** The key of the file's header, if it has one. */
const headerOf = (form: URLSearchParams) => /^[\da-f]{64}$/.exec(form.get("header") ?? "")?.[0] ?? "";

/** The next file with the same columns is read without the choices of the last one. */
const forgetAction: Action = async ({ transaction, t }, form, { params }) => {
  await transaction((scope) => deleteMapping(scope, headerOf(form)));
  return { notice: t("imports.forgotten"), redirectTo: `${webPaths.import}/${params.id}` };
};

const failed = ({ t }: Locale, problem: string) => new AppError("conflict", t("imports.failed", { problem }));

const discardAction: Action = async (actor, _form, request) => {
  const { transaction, t } = actor;
  await transaction(
    async (scope) => {
      const { id, state, fileName } = await requireImport(scope, actor, request);
      if (state !== "waiting" && state !== "uploading") {
        throw new AppError("conflict", t("imports.notWaiting"));
      }
      await discardImport(scope, id);
      return fileName;
    },
    ["file.discard", (fileName) => fileName],
  );
  return { notice: t("imports.discarded"), redirectTo: webPaths.import };
};

const undoAction: Action = async (actor, _form, request) => {
  const { user, t } = actor;
  const upload = await findUpload(actor, request);
  const { id, expiresAt } = upload;
  if (!canBeUndone(upload, actor.now)) throw new AppError("conflict", t("imports.notImported"));
  await actor.write({ name: "undo_import", id, actor: user.email });
  const undone = await finishImport(actor, id);
  const done = undoneOf(undone);
  if (isEdit(undone)) return { notice: t("edit.undone", { count: done.restored }) };
  if (expiresAt !== neverExpires) return { notice: t("imports.undone", { ...done }) };
  return { notice: t("sample.removed"), redirectTo: webPaths.overview };
};
