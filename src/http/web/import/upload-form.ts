// The form that uploads a file of campaigns.

import { uploadLimits } from "../../../counting/import/pieces.ts";
import { type Html, html } from "../../../locale/html.ts";
import { webPaths } from "../../../paths.ts";
import { bodyLimits } from "../../request/body-limits.ts";
import type { WebSession } from "../frame/page.ts";
import { inputField } from "../ui/forms/field.ts";
import { actionForm } from "../ui/forms/form.ts";

/**
 * Without the script, the file comes in one request, which must be small. The script sends it in pieces. It replaces a file of
 * the user that still waits.
 *
 * @param label what the file is; `File` by default
 */
export function uploadForm(session: WebSession, label = session.t("imports.file")): Html {
  const { t } = session;
  const [max, small] = [megabytes(uploadLimits.bytes), megabytes(bodyLimits.recipients)];
  const texts = html` data-too-large="${t("imports.tooLarge", { max })}" data-empty="${t("imports.empty")}" data-failed="${t("imports.uploadFailed")}"`;
  return html`<div data-upload data-max="${uploadLimits.bytes}" data-piece="${uploadLimits.pieceBytes}"${texts}>
${actionForm(
  session,
  { action: "upload", to: webPaths.import, hasUpload: true },
  inputField(
    {},
    {
      name: "file",
      label,
      hint: html`${t("imports.fileHint")} <noscript>${t("imports.smallFiles", { max: small })}</noscript>`,
    },
    html` type="file" accept=".xlsx,.csv,.tsv,.txt,.json,.ndjson,.jsonl" required`,
  ),
  html`<p><button>${t("imports.upload")}</button></p>`,
)}
<p hidden><progress max="1" value="0" aria-label="${t("imports.uploading")}"></progress> <span class="soft small" role="status"></span></p>
<p class="problem" role="alert" hidden></p></div>`;
}

export const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
