// The page that receives a file of campaigns, at `/campaigns/import`, with the imports of the last day.

import { basename } from "node:path/posix";
import { truncate } from "../../../campaign/fields/quote.ts";
import { importPresets } from "../../../counting/import/mapping/presets.ts";
import { compressPiece, uploadLimits } from "../../../counting/import/pieces.ts";
import { canBeUndone } from "../../../counting/import/undo-import.ts";
import { appendPiece, startUpload } from "../../../counting/import/upload.ts";
import { AppError } from "../../../errors.ts";
import { type Html, html } from "../../../locale/html.ts";
import { webPaths } from "../../../paths.ts";
import { listImports, neverExpires, type StoredImport } from "../../../storage/imports/imports.ts";
import type { Action, Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { readField } from "../ui/forms/form.ts";
import { dataTable } from "../ui/lists/table.ts";
import { editPage } from "./edit-page.ts";
import { importName, importState, undoText } from "./import-state.ts";
import { addSampleActions } from "./sample-data.ts";
import { megabytes, uploadForm } from "./upload-form.ts";
import { uploadPage } from "./upload-page.ts";

const path = webPaths.import;

function importsTable(session: WebSession, all: readonly StoredImport[]): Html {
  const { now, t, timeText } = session;
  const rows = all.map((each) => {
    const { id, createdBy, createdAt } = each;
    return [
      html`<a href="${path}/${id}"><bdi>${importName(session, each)}</bdi></a>`,
      html`${importState(session, each)}${canBeUndone(each, now) && html` <a class="small" href="${path}/${id}#undo">${undoText(session, each)}</a>`}`,
      createdBy,
      timeText(createdAt),
    ];
  });
  const titles = [t("imports.file"), t("imports.state"), t("imports.by"), t("imports.at")];
  const options = { classes: ["text"], isStacked: true, hidesCaption: true };
  return html`<section class="card"><h2>${t("imports.recent")}</h2>
<p class="soft small">${t("imports.recentHint")}</p>
${dataTable(t("imports.recent"), titles, rows, options)}</section>`;
}

/** Returns the name that the browser gives, without a folder. */
function fileNameOf(text: string): string {
  const name = basename(text.replaceAll("\\", "/"))
    .replaceAll(/\p{Cc}/gu, " ")
    .trim();
  return name === "" ? "file" : truncate(name);
}

/** The whole file, from a browser without the script. */
const uploadAction: Action = async ({ user, now, transaction, t }, _form, { upload, uploadName = "" }) => {
  if (!upload || upload.length === 0) throw new AppError("bad_request", t("imports.empty"));
  const fileName = fileNameOf(uploadName);
  const pieces: { position: number; length: number; content: Buffer }[] = [];
  for (let position = 0; position < upload.length; position += uploadLimits.pieceBytes) {
    const bytes = upload.subarray(position, position + uploadLimits.pieceBytes);
    pieces.push({ position, length: bytes.length, content: await compressPiece(bytes) });
  }
  const id = await transaction(
    async (scope) => {
      const added = await startUpload(scope, { now, user: user.email, fileName, bytes: upload.length });
      for (const piece of pieces) await appendPiece(scope, { id: added, ...piece });
      return added;
    },
    ["file.upload", fileName],
  );
  return { notice: t("imports.uploaded"), redirectTo: `${path}/${id}` };
};

/** Announces a file that the script sends in pieces. */
const startAction: Action = async (actor, form) => {
  const { user, now, transaction, t } = actor;
  const bytes = Number(readField(actor, form, "bytes"));
  if (!Number.isInteger(bytes) || bytes < 1) throw new AppError("bad_request", t("imports.empty"));
  if (bytes > uploadLimits.bytes) {
    throw new AppError("payload_too_large", t("imports.tooLarge", { max: megabytes(uploadLimits.bytes) }));
  }
  const fileName = fileNameOf(readField(actor, form, "name"));
  const id = await transaction(
    (scope) => startUpload(scope, { now, user: user.email, fileName, bytes }),
    ["file.upload", fileName],
  );
  return { notice: t("imports.uploading"), redirectTo: `${path}/${id}` };
};

const importPage: Page = {
  path,
  role: "admin",
  hasUpload: true,
  async show(session) {
    const { t } = session;
    const all = await session.query(listImports);
    const shown = all.filter(({ state, expiresAt }) => state !== "discarded" && expiresAt !== neverExpires);
    return {
      title: t("imports.title"),
      breadcrumb: [{ url: webPaths.campaigns, name: t("pages.campaigns") }],
      headingLink: html`<a class="button second" href="${webPaths.registerCampaign}">${t("campaign.registerButton")}</a>`,
      body: html`<section class="card"><h2>${t("imports.chooseFile")}</h2>
<p>${t("imports.presets", { tools: importPresets.map(({ tool }) => tool).join(", ") })}</p>
${uploadForm(session)}</section>
${shown.length > 0 && importsTable(session, shown)}`,
    };
  },
  actions: { upload: uploadAction, start: startAction, ...addSampleActions },
};

export function importPages(context: WebContext): Page[] {
  return [editPage(), importPage, uploadPage(context)];
}
