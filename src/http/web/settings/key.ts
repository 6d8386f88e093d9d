// The page of one API key at `/settings/integrations/analytics-api/:id`, on which admins delete it.

import { quoteName } from "../../../campaign/names.ts";
import { parseId } from "../../../campaign/parse-id.ts";
import { AppError } from "../../../errors.ts";
import { deleteApiKey, listApiKeys, type StoredApiKey } from "../../../storage/api-keys.ts";
import type { Queries } from "../../../storage/database.ts";
import { html } from "../../html.ts";
import type { Page, PageRequest } from "../page.ts";
import { keysStrings } from "../strings/keys.ts";
import { actionForm } from "../ui/form.ts";
import { hourRangeFormat } from "../ui/hour-range.ts";
import type { WebContext } from "../web-context.ts";

/** @param listPath the page of all keys */
export function keyPage({ database }: WebContext, listPath: string): Page {
  return {
    path: `${listPath}/:id`,
    role: "admin",
    async show(session, request) {
      const { id, timeZone } = session.organization;
      const key = await database.query((queries) => requireKey(queries, id, request));
      const { scope, lastUsedAt } = key;
      const use =
        lastUsedAt === null
          ? keysStrings.neverUsed
          : keysStrings.lastUsedAt(hourRangeFormat(timeZone)(lastUsedAt));
      const body = html`<section class="card">
<p>${keysStrings.describe({ ...key, use })}</p>
<p class="warning">${keysStrings.consequences[scope]} ${keysStrings.cannotUndo}</p>
${actionForm(
  session,
  { action: "delete", className: "row" },
  html`<button class="danger">${keysStrings.deleteKey}</button> <a href="${listPath}">${keysStrings.cancel}</a>`,
)}
</section>`;
      return { title: keysStrings.deleteTitle, body };
    },
    actions: {
      delete: {
        role: "admin",
        async run({ organization, transaction }, _form, request) {
          const { name } = await transaction(async (queries) => {
            const key = await requireKey(queries, organization.id, request);
            await deleteApiKey(queries, organization.id, key.id);
            return key;
          });
          return { notice: keysStrings.deleted(quoteName(name)), redirectTo: listPath };
        },
      },
    },
  };
}

/** @throws AppError `not_found` */
async function requireKey(
  queries: Queries,
  organizationId: number,
  { params }: PageRequest,
): Promise<StoredApiKey> {
  const id = parseId(params.id ?? "");
  const key = (await listApiKeys(queries, organizationId)).find((each) => each.id === id);
  if (key) return key;
  throw new AppError("not_found", keysStrings.notFound);
}
