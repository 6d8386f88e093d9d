// The page of tags: what each is called, its colour, its id for the API, and how many campaigns carry it.

import { hasPermission } from "../../../access/role.ts";
import type { Tag } from "../../../campaign/campaign.ts";
import { quoteName } from "../../../campaign/names.ts";
import { countCampaignsOfTags } from "../../../storage/campaigns/campaign-tags.ts";
import { addTag, listTags } from "../../../storage/tags.ts";
import { type Html, html } from "../../html.ts";
import type { Page, PageRequest, Visitor } from "../page.ts";
import { copyable } from "../ui/copyable.ts";
import { actionForm } from "../ui/form.ts";
import { paginate } from "../ui/list-pagination.ts";
import { countedWords } from "../ui/number-format.ts";
import { head, numberCell, numberHead, tableOf, wordsHead } from "../ui/table.ts";
import { tagLabel } from "../ui/tag-label.ts";
import type { WebContext } from "../web-context.ts";
import { tagPage } from "./tag.ts";
import { colorIn, freeNameIn, tagFields } from "./tag-fields.ts";

const path = "/settings/tags";

/** So many at once. */
const shownMax = 200;

export function tagPages(door: WebContext): Page[] {
  return [tagsPage(door), tagPage(door, path)];
}

function tagsPage({ database }: WebContext): Page {
  return {
    path,
    role: "viewer",
    async show(visitor, asked) {
      const { id } = visitor.organization;
      const { tags, campaigns } = await database.snapshot(async (queries) => ({
        tags: await listTags(queries, id),
        campaigns: await countCampaignsOfTags(queries, id),
      }));
      const isAdmin = hasPermission(visitor.user.role, "admin");
      const listed = list(tags, { campaigns, isAdmin, from: asked.query.get("page") });
      const body = html`<section class="card"><h2>Tags</h2>${listed}</section>
${isAdmin && addForm(visitor, asked)}`;
      return { title: "Tags", body };
    },
    actions: {
      add: {
        role: "admin",
        async run({ organization, write }, form) {
          const color = colorIn(form);
          const { name } = await write(async (queries) => {
            const free = freeNameIn(form, await listTags(queries, organization.id));
            return addTag(queries, { organizationId: organization.id, name: free, color });
          });
          return { notice: `Added the tag ${quoteName(name)}.` };
        },
      },
    },
  };
}

function addForm(visitor: Visitor, { refused }: PageRequest): Html {
  const sent = refused?.action === "add" ? refused : undefined;
  const filled = { name: sent?.form.get("name") ?? "", color: sent?.form.get("color") ?? "#4e79a7" };
  return html`<section class="card"><h2>Add a tag</h2>
${actionForm(visitor, { action: "add", className: "fields" }, tagFields(filled, sent?.problem), html`<button>Add</button>`)}
</section>`;
}

interface Counted {
  campaigns: ReadonlyMap<number, number>;
  isAdmin: boolean;
  from: string | null;
}

function list(tags: readonly Tag[], { campaigns, isAdmin, from }: Counted): Html {
  if (tags.length === 0) return html`<p>There are no tags yet. A tag is a label that campaigns carry.</p>`;
  const { shown, links } = paginate(tags, { from, size: shownMax, what: "tags" });
  const rows = shown.map(({ id, name, color }) => {
    const change = html`<td><a href="${path}/${id}" aria-label="Change ${name}">Change</a></td>`;
    return html`<tr><th scope="row" class="words">${tagLabel({ name, color })}</th>
<td>${copyable(`tag-${id}`, String(id), `the id of ${name}`)}</td>
${numberCell(campaigns.get(id) ?? 0)}${isAdmin && change}</tr>
`;
  });
  const heads = [wordsHead("Tag"), head("Id"), numberHead("Campaigns"), isAdmin && head("Change")];
  return html`<p class="soft">The id is what <code>tag_ids</code> takes, the filter of the API and of reports: it stays the same when a tag is renamed.</p>
${tableOf(countedWords(tags.length, "tag"), heads, rows, "Tags")}
${links}`;
}
