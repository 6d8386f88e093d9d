// The page on which a key is deleted: it says first what stops working.

import type { KeyScope } from "../../../access/api-key.ts";
import { formatSentAt } from "../../../campaign/calendar/sent-at.ts";
import { quoteName } from "../../../campaign/names.ts";
import { parseId } from "../../../campaign/parse-id.ts";
import { AppError } from "../../../errors.ts";
import { deleteApiKey, listApiKeys, type StoredApiKey } from "../../../storage/api-keys.ts";
import type { Queries } from "../../../storage/database.ts";
import { html } from "../../html.ts";

import type { Page, PageRequest } from "../page.ts";
import { actionForm } from "../ui/form.ts";
import type { WebContext } from "../web-context.ts";

const losses: Record<KeyScope, string> = {
  read: "Reports, spreadsheets and programs that read records with it get no more of them: the very next request is refused with 401.",
  ingest:
    "Programs that send campaigns and events with it are refused with 401, from the very next request on. What they do not send again is not counted.",
};

/** @param listPath the address of the page of all keys */
export function keyPage({ database }: WebContext, listPath: string): Page {
  return {
    path: `${listPath}/:id`,
    role: "admin",
    async show(visitor, asked) {
      const { id, timeZone } = visitor.organization;
      const key = await database.query((queries) => needKey(queries, id, asked));
      const { name, scope, prefix, lastUsedAt } = key;
      const use =
        lastUsedAt === null
          ? "No use of it has been noted."
          : `It was last used in the hour from ${formatSentAt(lastUsedAt, timeZone)}.`;
      const body = html`<section class="card">
<p>The key <strong>${name}</strong> begins with <code>${prefix}…</code> and has the scope <strong>${scope}</strong>. ${use}</p>
<p class="warning">${losses[scope]} There is no way back; a new key can be generated and put in its place first.</p>
${actionForm(
  visitor,
  { action: "delete", className: "row" },
  html`<button class="danger">Delete this key</button> <a href="${listPath}">Keep it</a>`,
)}
</section>`;
      return { title: "Delete a key", body };
    },
    actions: {
      delete: {
        role: "admin",
        async run({ organization, write }, _form, asked) {
          const { name } = await write(async (queries) => {
            const key = await needKey(queries, organization.id, asked);
            await deleteApiKey(queries, organization.id, key.id);
            return key;
          });
          return { notice: `Deleted the key ${quoteName(name)}.`, goTo: listPath };
        },
      },
    },
  };
}

async function needKey(
  queries: Queries,
  organizationId: number,
  { params }: PageRequest,
): Promise<StoredApiKey> {
  const id = parseId(params.id ?? "");
  const key = (await listApiKeys(queries, organizationId)).find((each) => each.id === id);
  if (key) return key;
  throw new AppError("not_found", "There is no such key. It may have been deleted meanwhile.");
}
