// The page of tags: what each is called, its colour, its id for the API, and how many campaigns carry it.

import type { Tag } from "../campaign/campaign.ts";
import { type Html, html } from "../html.ts";
import { mayAct } from "../role.ts";
import { countCampaignsOfTags } from "../storage/campaign-tags.ts";
import { lockOrganization } from "../storage/organizations.ts";
import { addTag, listTags } from "../storage/tags.ts";
import type { Asked, ConsolePage, Visitor } from "./console-page.ts";
import { copyable } from "./copyable.ts";
import type { ConsoleDoor } from "./door.ts";
import { countedWords } from "./figures.ts";
import { actionForm } from "./form.ts";
import { tagPage } from "./tag.ts";
import { colorIn, freeNameIn, swatchOf, tagFields } from "./tag-fields.ts";

export const tagsPath = "/settings/tags";

export function tagPages(door: ConsoleDoor): ConsolePage[] {
  return [tagsPage(door), tagPage(door, tagsPath)];
}

function tagsPage({ database }: ConsoleDoor): ConsolePage {
  return {
    path: tagsPath,
    role: "viewer",
    async show(visitor, asked) {
      const { id } = visitor.organization;
      const { tags, campaigns } = await database.read(async (queries) => ({
        tags: await listTags(queries, id),
        campaigns: await countCampaignsOfTags(queries, id),
      }));
      const isAdmin = mayAct(visitor.user.role, "admin");
      const body = html`${isAdmin && addForm(visitor, asked)}
${tags.length === 0 ? html`<p>There are no tags yet. A tag is a label that campaigns carry.</p>` : table(tags, campaigns, isAdmin)}`;
      return { title: "Tags", body };
    },
    actions: {
      add: {
        role: "admin",
        async run({ organization }, form) {
          const color = colorIn(form);
          const { name } = await database.write(async (queries) => {
            await lockOrganization(queries, organization.id);
            const free = freeNameIn(form, await listTags(queries, organization.id));
            return addTag(queries, { organizationId: organization.id, name: free, color });
          });
          return { notice: `Added the tag ${JSON.stringify(name)}.` };
        },
      },
    },
  };
}

function addForm(visitor: Visitor, { refused }: Asked): Html {
  const given = refused?.action === "add" ? refused.form : undefined;
  const fields = tagFields({ name: given?.get("name") ?? "", color: given?.get("color") ?? "#4e79a7" });
  return html`<section class="card"><h2>Add a tag</h2>
${actionForm(visitor, { action: "add", className: "fields" }, fields, html`<button>Add</button>`)}
</section>`;
}

function table(tags: readonly Tag[], campaigns: ReadonlyMap<number, number>, isAdmin: boolean): Html {
  return html`<p class="soft">The id is what <code>tag_ids</code> takes, the filter of the API and of reports: it stays the same when a tag is renamed.</p>
<div class="table" role="region" aria-label="Tags" tabindex="0"><table>
<caption>${countedWords(tags.length, "tag")}</caption>
<thead><tr><th scope="col" class="words">Tag</th><th scope="col">Id</th><th scope="col" class="number">Campaigns</th>${isAdmin && html`<th scope="col">Change</th>`}</tr></thead>
<tbody>
${tags.map(
  ({
    id,
    name,
    color,
  }) => html`<tr><th scope="row" class="words"><span class="tag">${swatchOf(color)}${name}</span></th>
<td>${copyable(`tag-${id}`, String(id), `the id of ${name}`)}</td>
<td class="number">${(campaigns.get(id) ?? 0).toLocaleString("en")}</td>
${isAdmin && html`<td><a href="${tagsPath}/${id}" aria-label="Change ${name}">Change</a></td>`}</tr>
`,
)}</tbody></table></div>`;
}
