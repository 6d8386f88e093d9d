// The page of one API key at `/settings/integrations/analytics-api/:id`, on which admins see its requests, roll it and delete it.

import type { KeyScope, StoredScope } from "../../../../access/api-key.ts";
import { dayMs } from "../../../../campaign/calendar/durations.ts";
import { quoteName } from "../../../../campaign/fields/names.ts";
import { parseId } from "../../../../campaign/fields/parse-id.ts";
import { AppError, orNotFound } from "../../../../errors.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { webPaths } from "../../../../paths.ts";
import {
  defaultOverlapDays,
  deleteApiKey,
  listApiKeys,
  rollApiKey,
  type StoredApiKey,
} from "../../../../storage/keys/api-keys.ts";
import type { Scope } from "../../../../storage/queries/scope.ts";
import type { Page, PageRequest, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { inputField, submittedOf } from "../../ui/forms/field.ts";
import { actionForm, fieldsForm, readDays } from "../../ui/forms/form.ts";
import { refuseSenders } from "./create-key.ts";
import { newKeyPage } from "./new-key.ts";

const path = webPaths.analyticsApi;

type ListedKey = StoredApiKey & { scope: Exclude<StoredScope, "share-link"> };

/** Whether a key is in the list of API keys: share links have a page of their own. */
export const isListed = (key: StoredApiKey): key is ListedKey => key.scope !== "share-link";

export function keyPage(context: WebContext): Page {
  const { region } = context;
  return {
    path: `${path}/:id`,
    role: "admin",
    async show(session, request) {
      const { now, t, rich, timeText } = session;

      const key = await session.query((scope) => requireKey(session, scope, request));
      const { name, prefix, scope, lastUsedAt, expiresAt } = key;
      const use =
        lastUsedAt === null ? t("keys.neverUsed") : t("keys.lastUsedAt", { time: timeText(lastUsedAt) });
      const body = html`<section class="card">
<p>${rich("keys.describe", { name, prefix, scope, use })}${expiresAt !== null && html` ${t(isExpired(key, now) ? "keys.expiredAt" : "keys.expiresAt", { time: timeText(expiresAt) })}`}</p></section>
${scope !== "csv-link" && !isExpired(key, now) && rollCard(session, request, scope)}
<section class="card"><h2>${t("keys.deleteTitle")}</h2>
<p class="warning">${t(`keys.consequences.${scope}`)} ${t("keys.cannotUndo")}</p>
${actionForm(
  session,
  { action: "delete", className: "row" },
  html`<button class="danger">${t("keys.deleteKey")}</button> <a href="${path}">${t("keys.cancel")}</a>`,
)}
</section>`;
      return { title: t("keys.keyTitle", { name }), body };
    },
    actions: {
      async roll(actor, form, request) {
        const { user, now, transaction, t, timeText } = actor;
        const days = readDays(actor, form, { label: t("keys.overlapDays"), max: maxOverlapDays });
        const by = { region, createdBy: user.email, now };
        const { old, ...rolled } = await transaction(
          async (own, locked) => {
            const key = await requireKey(actor, own, request);
            if (key.scope === "ingest") refuseSenders(actor, locked, "keys.operatorOnly");
            if (key.scope === "csv-link" || isExpired(key, now)) {
              throw new AppError("conflict", t("keys.cannotRoll"));
            }
            return { old: key, ...(await rollApiKey(own, key, { ...by, overlapMs: days * dayMs })) };
          },
          ["key.roll", ({ old }) => old.name],
        );
        const { name, scope } = old;
        const note = t("keys.oldWorksUntil", { time: timeText(rolled.oldExpiresAt) });
        return newKeyPage(actor, { name, scope: scope as KeyScope, text: rolled.text, note }, context);
      },
      async delete(actor, _form, request) {
        const { transaction, t } = actor;
        const { name } = await transaction(
          async (scope) => {
            const key = await requireKey(actor, scope, request);
            await deleteApiKey(scope, key.id);
            return key;
          },
          ["key.delete", (key) => key.name],
        );
        return { notice: t("keys.deleted", { name: quoteName(name) }), redirectTo: path };
      },
    },
  };
}

const isExpired = ({ expiresAt }: StoredApiKey, now: number) => expiresAt !== null && expiresAt <= now;

const maxOverlapDays = 365;

function rollCard(session: WebSession, request: PageRequest, scope: KeyScope): Html {
  const { t } = session;
  const field = inputField(
    submittedOf(request, "roll"),
    { name: "days", label: t("keys.overlapDays"), isTight: true, value: defaultOverlapDays },
    html` type="number" min="1" max="${maxOverlapDays}" required`,
  );
  return html`<section class="card"><h2>${t("keys.rollTitle")}</h2>
<p>${t("keys.rollIntro")}${scope === "ingest" && html` ${t(session.organization.persons === "refuse" ? "keys.operatorOnly" : "keys.rollWarning")}`}</p>
${fieldsForm(session, "roll", field, html`<button class="second">${t("keys.roll")}</button>`)}
</section>`;
}

/** @throws AppError `not_found` */
async function requireKey({ t }: Locale, scope: Scope, { params }: PageRequest): Promise<ListedKey> {
  const id = parseId(params.id ?? "");
  const keys = (await listApiKeys(scope)).filter(isListed);
  return orNotFound(
    keys.find((key) => key.id === id),
    t("keys.notFound"),
  );
}
