// The page `/connect/:tool/keys/:id`, which waits for the first request of a key.

import { parseId } from "../../../campaign/fields/parse-id.ts";
import { orNotFound } from "../../../errors.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { webPaths } from "../../../paths.ts";
import { listApiKeys, type StoredApiKey } from "../../../storage/keys/api-keys.ts";
import type { Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { clientName } from "./client-name.ts";
import { requireTool } from "./require-tool.ts";

/** Reloads without JavaScript, but not every second: each moves the reading position of a screen reader. */
const reloadSeconds = 2;

export const firstRequestUrl = (toolId: string, keyId: number): string =>
  `${webPaths.connect}/${toolId}/keys/${keyId}`;

export function firstRequestPage({ index }: WebContext): Page {
  return {
    path: `${webPaths.connect}/:tool/keys/:id`,
    role: "admin",
    async show(session, { params }) {
      const { organization, t } = session;
      const { id: toolId, name } = requireTool(session, params.tool);
      const keys = await session.query(listApiKeys);
      const keyId = parseId(params.id ?? "");
      const key = orNotFound(
        keys.find(({ id }) => id === keyId),
        t("keys.notFound"),
      );
      const isWaiting = key.firstUsedAt === null;
      const content = isWaiting
        ? waitingContent(session, name)
        : receivedContent(session, key, await index.count(organization));
      const body = html`${firstRequestCard(session, isWaiting && firstRequestUrl(toolId, key.id), content)}
<p><a href="${webPaths.connect}/${toolId}">${t("connect.backToTool", { name })}</a></p>`;
      return { title: key.name, body, ...(isWaiting && { reloadSeconds }) };
    },
  };
}

/** @param pollUrl where the script looks for news; false to stop */
export function firstRequestCard({ t }: Locale, pollUrl: string | false, content: Html): Html {
  return html`<section class="card"><h2>${t("connect.firstRequest")}</h2>
<div id="first-request" role="status"${pollUrl !== false && html` data-poll="${pollUrl}"`}>${content}</div></section>`;
}

export const waitingContent = (
  { t }: Locale,
  name: string,
): Html => html`<p><strong>${t("connect.waiting", { name })}</strong></p>
<p class="soft">${t("connect.waitingNote")}</p>
<p><a href="${webPaths.help}/troubleshooting#still-waiting-for-the-first-request">${t("connect.stillWaiting")}</a></p>`;

function receivedContent(
  session: WebSession,
  { firstUsedAt, firstClient }: StoredApiKey,
  campaigns: number,
): Html {
  const {
    organization: { timeZone },
    t,
    rich,
    format,
  } = session;
  const time = format.dateTime(firstUsedAt ?? 0, timeZone);
  return html`<p class="notice"><strong>${t("connect.received")}</strong>
${rich("connect.receivedFrom", { time, client: clientName(session, firstClient ?? "") })}</p>
<p>${t("connect.campaigns", { count: campaigns })}</p>`;
}
