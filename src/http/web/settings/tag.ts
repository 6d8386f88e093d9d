// The page of one tag at `/settings/tags/:id`, on which admins rename, recolor and delete it.

import type { Tag } from "../../../campaign/campaign.ts";
import { quoteName } from "../../../campaign/names.ts";
import { parseId } from "../../../campaign/parse-id.ts";
import { AppError } from "../../../errors.ts";
import { countCampaignsOfTags } from "../../../storage/campaigns/campaign-tags.ts";
import type { Queries } from "../../../storage/database.ts";
import { changeTag, findTag, listTags } from "../../../storage/tags.ts";
import { type Html, html } from "../../html.ts";
import type { Action, Page, PageRequest, WebSession } from "../page.ts";
import { tagsStrings } from "../strings/tags.ts";
import { actionForm, originalValue } from "../ui/form.ts";
import type { WebContext } from "../web-context.ts";
import { readColor, readUniqueName, renderTagFields } from "./tag-fields.ts";

/** @param listPath the page of all tags */
export function tagPage(context: WebContext, listPath: string): Page {
  return {
    path: `${listPath}/:id`,
    role: "admin",
    async show(session, request) {
      const { id } = session.organization;
      const { tag, campaigns } = await context.database.snapshot(async (queries) => {
        const found = await requireTag(queries, id, request);
        const counts = await countCampaignsOfTags(queries, id, found.id);
        return { tag: found, campaigns: counts.get(found.id) ?? 0 };
      });
      const body = html`${editForm(session, request, tag)}
${deleteForm(session, tag, campaigns)}
<p><a href="${listPath}">${tagsStrings.allTags}</a></p>`;
      return { title: tagsStrings.tagTitle(tag.name), body };
    },
    actions: { change: changeAction(context, listPath), delete: deleteAction(context, listPath) },
  };
}

function changeAction({ now }: WebContext, listPath: string): Action {
  return {
    role: "admin",
    async run({ organization, transaction }, form, request) {
      const organizationId = organization.id;
      const saved = await transaction(async (queries) => {
        const before = await requireTag(queries, organizationId, request);
        const all = await listTags(queries, organizationId);
        const change = { name: readUniqueName(form, all, before), color: readColor(form, before) };
        if (change.name !== before.name || change.color !== before.color) {
          await changeTag(queries, { organizationId, id: before.id, change, now: now() });
        }
        return change.name;
      });
      return { notice: tagsStrings.saved(quoteName(saved)), redirectTo: listPath };
    },
  };
}

function deleteAction({ database, writer, now }: WebContext, listPath: string): Action {
  return {
    role: "admin",
    async run({ organization }, _form, request) {
      const { id, name } = await database.query((queries) => requireTag(queries, organization.id, request));
      // Many campaigns may have the tag, so the writer thread deletes it without blocking the event loop.
      const isDeleted = await writer.write({
        organizationId: organization.id,
        now: now(),
        body: new Uint8Array(),
        isGzipped: false,
        task: { name: "remove_tag", id },
      });
      if (!isDeleted) throw tagNotFound();
      return { notice: tagsStrings.deleted(quoteName(name)), redirectTo: listPath };
    },
  };
}

/** @throws AppError `not_found` */
async function requireTag(queries: Queries, organizationId: number, { params }: PageRequest): Promise<Tag> {
  const id = parseId(params.id ?? "");
  const tag = id === undefined ? undefined : await findTag(queries, organizationId, { id });
  if (!tag) throw tagNotFound();
  return tag;
}

function tagNotFound(): AppError {
  return new AppError("not_found", tagsStrings.notFound);
}

function editForm(session: WebSession, { rejected }: PageRequest, tag: Tag): Html {
  const submitted = rejected?.action === "change" ? rejected.form : undefined;
  const values = { name: submitted?.get("name") ?? tag.name, color: submitted?.get("color") ?? tag.color };
  const fields = [
    ...renderTagFields(values, submitted && rejected?.problem),
    originalValue("name", tag.name, submitted),
    // Browsers send colors in lower case.
    originalValue("color", tag.color.toLowerCase(), submitted),
  ];
  const button = html`<button>${tagsStrings.save}</button>`;
  return html`<section class="card"><h2>${tagsStrings.nameAndColor}</h2>
<p>${tagsStrings.idIsFixed(tag.id)}</p>
${actionForm(session, { action: "change", className: "fields" }, fields, button)}
</section>`;
}

function deleteForm(session: WebSession, { id, name }: Tag, campaigns: number): Html {
  const button = html`<button class="danger">${tagsStrings.deleteNamed(name)}</button>`;
  return html`<section class="card"><h2>${tagsStrings.delete}</h2>
<details><summary>${tagsStrings.deleteTag}</summary>
<p>${tagsStrings.loss(campaigns)} ${tagsStrings.deleteWarning(id)}</p>
${actionForm(session, { action: "delete" }, button)}
</details></section>`;
}
