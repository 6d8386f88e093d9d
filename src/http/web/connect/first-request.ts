// The page `/connect/:tool/keys/:id`, which waits for the first request of a key.

import { formatSentAt } from "../../../campaign/calendar/sent-at.ts";
import { parseId } from "../../../campaign/parse-id.ts";
import { AppError } from "../../../errors.ts";
import { listApiKeys, type StoredApiKey } from "../../../storage/api-keys.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { Page, WebSession } from "../page.ts";
import { connectStrings } from "../strings/connect.ts";
import { keysStrings } from "../strings/keys.ts";
import type { WebContext } from "../web-context.ts";
import { clientName } from "./client-name.ts";
import { requireTool } from "./require-tool.ts";

/** Without JavaScript. Each reload moves the reading position of a screen reader, so not every second. */
const reloadSeconds = 2;

export const firstRequestUrl = (toolId: string, keyId: number): string =>
  `${paths.web.connect}/${toolId}/keys/${keyId}`;

export function firstRequestPage({ database, timelines }: WebContext): Page {
  return {
    path: `${paths.web.connect}/:tool/keys/:id`,
    role: "admin",
    async show(session, { params }) {
      const { id: toolId, name } = requireTool(params.tool);
      const { organization } = session;
      const keys = await database.query((queries) => listApiKeys(queries, organization.id));
      const keyId = parseId(params.id ?? "");
      const key = keys.find(({ id }) => id === keyId);
      if (!key) throw new AppError("not_found", keysStrings.notFound);
      const isWaiting = key.firstUsedAt === null;
      const content = isWaiting
        ? waitingContent(name)
        : receivedContent(session, key, (await timelines.current(organization)).size);
      const body = html`${firstRequestCard(isWaiting && firstRequestUrl(toolId, key.id), content)}
<p><a href="${paths.web.connect}/${toolId}">${connectStrings.backToTool(name)}</a></p>`;
      return { title: key.name, body, ...(isWaiting && { reloadSeconds }) };
    },
  };
}

/** @param pollUrl where the script looks for news; false to stop */
export function firstRequestCard(pollUrl: string | false, content: Html): Html {
  return html`<section class="card"><h2>${connectStrings.firstRequest}</h2>
<div id="first-request" role="status"${pollUrl !== false && html` data-poll="${pollUrl}"`}>${content}</div></section>`;
}

export const waitingContent = (
  name: string,
): Html => html`<p><strong>${connectStrings.waiting(name)}</strong></p>
<p class="soft">${connectStrings.waitingNote}</p>`;

function receivedContent(
  { organization: { timeZone } }: WebSession,
  { firstUsedAt, firstClient }: StoredApiKey,
  campaigns: number,
): Html {
  const time = formatSentAt(firstUsedAt ?? 0, timeZone);
  return html`<p class="notice"><strong>${connectStrings.received}</strong>
${connectStrings.receivedFrom(time, clientName(firstClient ?? ""))}</p>
<p>${connectStrings.rows(campaigns)}</p>`;
}
