// The page of one tag, on which admins rename, recolour and delete it.

import type { Tag } from "../../../campaign/campaign.ts";
import { quoteName } from "../../../campaign/names.ts";
import { parseId } from "../../../campaign/parse-id.ts";
import { AppError } from "../../../errors.ts";
import { countCampaignsOfTags } from "../../../storage/campaigns/campaign-tags.ts";
import type { Queries } from "../../../storage/database.ts";
import { changeTag, findTag, listTags } from "../../../storage/tags.ts";
import { type Html, html } from "../../html.ts";
import type { Page, PageRequest, Visitor } from "../page.ts";
import { actionForm, asShown } from "../ui/form.ts";
import { countedWords } from "../ui/number-format.ts";
import type { WebContext } from "../web-context.ts";
import { colorIn, freeNameIn, tagFields } from "./tag-fields.ts";

/** @param listPath the address of the page of all tags */
export function tagPage({ database, writing, now }: WebContext, listPath: string): Page {
  return {
    path: `${listPath}/:id`,
    role: "admin",
    async show(visitor, asked) {
      const { id } = visitor.organization;
      const { tag, campaigns } = await database.snapshot(async (queries) => {
        const found = await needTag(queries, id, asked);
        const counts = await countCampaignsOfTags(queries, id, found.id);
        return { tag: found, campaigns: counts.get(found.id) ?? 0 };
      });
      const body = html`${changeForm(visitor, asked, tag)}
${deleteForm(visitor, tag, campaigns)}
<p><a href="${listPath}">To all tags</a></p>`;
      return { title: `Tag ${tag.name}`, body };
    },
    actions: {
      change: {
        role: "admin",
        async run({ organization, write }, form, asked) {
          const name = await write(async (queries) => {
            const before = await needTag(queries, organization.id, asked);
            const all = await listTags(queries, organization.id);
            const change = { name: freeNameIn(form, all, before), color: colorIn(form, before) };
            if (change.name !== before.name || change.color !== before.color) {
              await changeTag(queries, {
                organizationId: organization.id,
                id: before.id,
                change,
                now: now(),
              });
            }
            return change.name;
          });
          return {
            notice: `Saved the tag ${quoteName(name)}. Every answer shows it at once.`,
            goTo: listPath,
          };
        },
      },
      delete: {
        role: "admin",
        async run({ organization }, _form, asked) {
          const { id, name } = await database.query((queries) => needTag(queries, organization.id, asked));
          // Many campaigns may carry it: nobody else waits meanwhile.
          const isDeleted = await writing.write({
            organizationId: organization.id,
            now: now(),
            body: new Uint8Array(),
            isGzipped: false,
            task: { name: "remove_tag", id },
          });
          if (!isDeleted) throw noSuchTag();
          return { notice: `Deleted the tag ${quoteName(name)}.`, goTo: listPath };
        },
      },
    },
  };
}

async function needTag(queries: Queries, organizationId: number, { params }: PageRequest): Promise<Tag> {
  const id = parseId(params.id ?? "");
  const tag = id === undefined ? undefined : await findTag(queries, organizationId, { id });
  if (!tag) throw noSuchTag();
  return tag;
}

function noSuchTag(): AppError {
  return new AppError("not_found", "There is no such tag. It may have been deleted meanwhile.");
}

function changeForm(visitor: Visitor, { refused }: PageRequest, tag: Tag): Html {
  const given = refused?.action === "change" ? refused.form : undefined;
  const filled = { name: given?.get("name") ?? tag.name, color: given?.get("color") ?? tag.color };
  const fields = [
    ...tagFields(filled, given && refused?.problem),
    asShown("name", tag.name, given),
    // As browsers send it.
    asShown("color", tag.color.toLowerCase(), given),
  ];
  return html`<section class="card"><h2>Name and colour</h2>
<p>Its id is <code>${tag.id}</code> and stays as it is. Every answer of the API shows a change at once.</p>
${actionForm(visitor, { action: "change", className: "fields" }, fields, html`<button>Save</button>`)}
</section>`;
}

function deleteForm(visitor: Visitor, { id, name }: Tag, campaigns: number): Html {
  const loss =
    campaigns === 0
      ? "No campaign carries this tag."
      : `${countedWords(campaigns, "campaign")} ${campaigns === 1 ? "loses" : "lose"} this tag. Nothing else of ${campaigns === 1 ? "it" : "them"} changes.`;
  return html`<section class="card"><h2>Delete</h2>
<details><summary>Delete this tag</summary>
<p>${loss} Reports that filter by <code>tag_ids=${id}</code> find nothing any more. There is no way back: a new tag has another id.</p>
${actionForm(visitor, { action: "delete" }, html`<button class="danger">Delete ${name}</button>`)}
</details></section>`;
}
