// The page of one API key at `/settings/integrations/analytics-api/:id`, on which admins delete it.

import { quoteName } from "../../../campaign/names.ts";
import { parseId } from "../../../campaign/parse-id.ts";
import { AppError } from "../../../errors.ts";
import { deleteApiKey, listApiKeys, type StoredApiKey } from "../../../storage/api-keys.ts";
import type { Queries } from "../../../storage/database.ts";
import { html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import type { Page, PageRequest } from "../page.ts";
import { actionForm } from "../ui/form.ts";
import type { WebContext } from "../web-context.ts";

/** @param listPath the page of all keys */
export function keyPage({ database }: WebContext, listPath: string): Page {
  return {
    path: `${listPath}/:id`,
    role: "admin",
    async show(session, request) {
      const { id, timeZone } = session.organization;
      const { locale } = session;
      const { t, rich, format } = locale;
      const key = await database.query((queries) => requireKey(locale, queries, id, request));
      const { name, prefix, scope, lastUsedAt } = key;
      const use =
        lastUsedAt === null
          ? t("keys.neverUsed")
          : t("keys.lastUsedAt", { time: format.dateTime(lastUsedAt, timeZone) });
      const body = html`<section class="card">
<p>${rich("keys.describe", { name, prefix, scope, use })}</p>
<p class="warning">${t(`keys.consequences.${scope}`)} ${t("keys.cannotUndo")}</p>
${actionForm(
  session,
  { action: "delete", className: "row" },
  html`<button class="danger">${t("keys.deleteKey")}</button> <a href="${listPath}">${t("keys.cancel")}</a>`,
)}
</section>`;
      return { title: t("keys.deleteTitle"), body };
    },
    actions: {
      delete: {
        role: "admin",
        async run({ organization, transaction, locale }, _form, request) {
          const { name } = await transaction(async (queries) => {
            const key = await requireKey(locale, queries, organization.id, request);
            await deleteApiKey(queries, organization.id, key.id);
            return key;
          });
          return { notice: locale.t("keys.deleted", { name: quoteName(name) }), redirectTo: listPath };
        },
      },
    },
  };
}

/** @throws AppError `not_found` */
async function requireKey(
  { t }: Locale,
  queries: Queries,
  organizationId: number,
  { params }: PageRequest,
): Promise<StoredApiKey> {
  const id = parseId(params.id ?? "");
  const key = (await listApiKeys(queries, organizationId)).find((each) => each.id === id);
  if (key) return key;
  throw new AppError("not_found", t("keys.notFound"));
}
