// The upload of a directory: a CSV file that says which department, site and so on recipients have.

import { normalizeName } from "../../../campaign/fields/names.ts";
import { pluralize } from "../../../campaign/fields/pluralize.ts";
import { addAttributes } from "../../../counting/audience/add-attributes.ts";
import { chooseColumns } from "../../../counting/audience/directory-columns.ts";
import type { ListRow } from "../../../counting/audience/parse-list.ts";
import { replaceDirectory } from "../../../counting/audience/save-directory.ts";
import { TooCostlyFile } from "../../../counting/import/file-readers.ts";
import { AppError } from "../../../errors.ts";
import { type Html, html } from "../../../locale/html.ts";
import { listAttributes } from "../../../storage/audience/store-groups.ts";
import { chunksOf } from "../../request/chunks-of.ts";
import type { Action, Actor, PageRequest, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { inputField, submittedOf } from "../ui/forms/field.ts";
import { actionForm, readField } from "../ui/forms/form.ts";

/** @param recipients in the directory */
export function directoryForm(session: WebSession, request: PageRequest, recipients: number): Html {
  const { t } = session;
  const { form } = submittedOf(request, "upload");
  const [label, hint] = [t("audienceSettings.recipientColumn"), t("audienceSettings.recipientHint")];
  return html`<section class="card"><h2>${t("audienceSettings.directory")}</h2>
<p>${t("audienceSettings.directoryCount", { count: recipients })} ${t("audienceSettings.directoryIntro")}</p>
${actionForm(
  session,
  { action: "upload", hasUpload: true },
  inputField(
    {},
    { name: "file", label: t("audienceSettings.file"), hint: t("audienceSettings.fileHint") },
    html` type="file" accept=".csv,text/csv" required`,
  ),
  inputField(
    {},
    { name: "recipient", label, hint, value: form?.get("recipient") ?? "" },
    html` dir="auto" maxlength="200" autocomplete="off"`,
  ),
  html`<p><label class="inline"><input type="checkbox" name="adds" value="1"${form?.get("adds") === "1" && html` checked`}> ${t("audienceSettings.addColumns")}</label></p>`,
  html`<p><button>${t("audienceSettings.upload")}</button></p>`,
)}</section>`;
}

export function uploadAction({ database, readFile }: WebContext): Action {
  return async (actor, form, { upload, signal }) => {
    const { organization, record, t } = actor;
    if (!upload || upload.length === 0) {
      throw new AppError("bad_request", t("audienceSettings.noFile"));
    }
    const { columns, others } = await matchColumns(actor, upload, {
      recipient: readField(actor, form, "recipient"),
      adds: form.get("adds") === "1",
    });
    const source = { bytes: chunksOf(upload), organizationId: organization.id, signal };
    const rows = readRows(actor, readFile({ name: "list", columns }, source));
    const recipients = await replaceDirectory(database, organization.id, rows, (scope, count) =>
      record(scope, "directory.replace", pluralize(count, "recipient")),
    );
    const notice = t("audienceSettings.uploaded", {
      recipients,
      attributes: columns.attributes?.size ?? 0,
    });
    if (others.length === 0) return { notice };
    return {
      notice: `${notice} ${t("audienceSettings.ignored", { columns: others.join(", ").slice(0, 500) })}`,
    };
  };
}

/** Adds the columns that are no attribute yet, if the user wants that. */
function matchColumns(
  { transaction, record }: Actor,
  upload: Uint8Array,
  { recipient, adds }: { recipient: string; adds: boolean },
) {
  return transaction(async (scope) => {
    const found = await chooseColumns(upload, recipient, await listAttributes(scope));
    if (!adds || found.others.length === 0) return found;
    const names = found.others.flatMap((name) => normalizeName(name) ?? []);
    for (const name of await addAttributes(scope, names)) await record(scope, "attribute.add", name);
    return chooseColumns(upload, recipient, await listAttributes(scope));
  });
}

async function* readRows(
  { t }: Actor,
  parts: AsyncIterable<readonly ListRow[]>,
): AsyncGenerator<readonly ListRow[]> {
  try {
    yield* parts;
  } catch (error) {
    throw error instanceof TooCostlyFile ? new AppError("bad_request", t("imports.tooCostly")) : error;
  }
}
