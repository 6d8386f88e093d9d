// The tags page at `/settings/tags`: all tags with their ids for the API, and a form to add one.

import { hasPermission } from "../../../access/role.ts";
import type { Tag } from "../../../campaign/campaign.ts";
import { quoteName } from "../../../campaign/names.ts";
import { countCampaignsOfTags } from "../../../storage/campaigns/campaign-tags.ts";
import { addTag, listTags } from "../../../storage/tags.ts";
import { type Html, html } from "../../html.ts";
import type { Page, PageRequest, WebSession } from "../page.ts";
import { tagsStrings } from "../strings/tags.ts";
import { copyable } from "../ui/copyable.ts";
import { actionForm } from "../ui/form.ts";
import { paginate } from "../ui/list-pagination.ts";
import { columnHeader, numberCell, numberColumnHeader, renderTable, textColumnHeader } from "../ui/table.ts";
import { tagLabel } from "../ui/tag-label.ts";
import type { WebContext } from "../web-context.ts";
import { tagPage } from "./tag.ts";
import { readColor, readUniqueName, renderTagFields } from "./tag-fields.ts";

const path = "/settings/tags";
const pageSize = 200;

export function tagPages(context: WebContext): Page[] {
  return [tagsPage(context), tagPage(context, path)];
}

function tagsPage({ database }: WebContext): Page {
  return {
    path,
    role: "viewer",
    async show(session, request) {
      const { id } = session.organization;
      const { tags, campaigns } = await database.snapshot(async (queries) => ({
        tags: await listTags(queries, id),
        campaigns: await countCampaignsOfTags(queries, id),
      }));
      const isAdmin = hasPermission(session.user.role, "admin");
      const list = tagsTable(tags, { campaigns, isAdmin, page: request.query.get("page") });
      const body = html`<section class="card"><h2>${tagsStrings.title}</h2>${list}</section>
${isAdmin && addForm(session, request)}`;
      return { title: tagsStrings.title, body };
    },
    actions: {
      add: {
        role: "admin",
        async run({ organization, transaction }, form) {
          const color = readColor(form);
          const { name } = await transaction(async (queries) => {
            const unique = readUniqueName(form, await listTags(queries, organization.id));
            return addTag(queries, { organizationId: organization.id, name: unique, color });
          });
          return { notice: tagsStrings.added(quoteName(name)) };
        },
      },
    },
  };
}

function addForm(session: WebSession, { rejected }: PageRequest): Html {
  const submitted = rejected?.action === "add" ? rejected : undefined;
  const values = {
    name: submitted?.form.get("name") ?? "",
    color: submitted?.form.get("color") ?? "#4e79a7",
  };
  const button = html`<button>${tagsStrings.add}</button>`;
  return html`<section class="card"><h2>${tagsStrings.addTag}</h2>
${actionForm(session, { action: "add", className: "fields" }, renderTagFields(values, submitted?.problem), button)}
</section>`;
}

interface TagsTableOptions {
  /** The number of campaigns by tag id. */
  campaigns: ReadonlyMap<number, number>;
  isAdmin: boolean;
  page: string | null;
}

function tagsTable(tags: readonly Tag[], { campaigns, isAdmin, page }: TagsTableOptions): Html {
  if (tags.length === 0) return html`<p>${tagsStrings.noTags}</p>`;
  const { shown, links } = paginate(tags, { page, pageSize, what: tagsStrings.plural });
  const rows = shown.map(({ id, name, color }) => {
    const label = tagsStrings.editNamed(name);
    const edit = html`<td><a href="${path}/${id}" aria-label="${label}">${tagsStrings.edit}</a></td>`;
    return html`<tr><th scope="row" class="text">${tagLabel({ name, color })}</th>
<td>${copyable(`tag-${id}`, String(id), tagsStrings.idOf(name))}</td>
${numberCell(campaigns.get(id) ?? 0)}${isAdmin && edit}</tr>
`;
  });
  const headers = [
    textColumnHeader(tagsStrings.tag),
    columnHeader(tagsStrings.id),
    numberColumnHeader(tagsStrings.campaigns),
    isAdmin && columnHeader(tagsStrings.edit),
  ];
  return html`<p class="soft">${tagsStrings.intro}</p>
${renderTable(tagsStrings.caption(tags.length), headers, rows, tagsStrings.title)}
${links}`;
}
