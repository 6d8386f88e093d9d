// The table `chats`: the incoming webhooks of Slack and Teams to which an organization posts.

import { type ChatService, type NotificationKind, parseKinds } from "../../access/notification-kinds.ts";
import type { Queries } from "../queries/database.ts";
import { deleteRows, selectRows } from "../queries/rows.ts";

export interface Chat {
  service: ChatService;
  /** Anyone who has it may post: never in a page, a log or an error. */
  url: string;
  /** BCP 47 tag of the messages. */
  language: string;
  notifications: NotificationKind[];
}

export async function listChats(queries: Queries, organizationId: number): Promise<Chat[]> {
  const rows = await selectRows(queries, "chats", { organization_id: organizationId })
    .orderBy("service")
    .execute();
  return rows.map(({ service, url, language, notifications }) => ({
    ...{ service, url, language, notifications: parseKinds(notifications) },
  }));
}

/** Adds or replaces the chat of a service. */
export async function saveChat(
  queries: Queries,
  organizationId: number,
  { service, url, language, notifications }: Chat,
): Promise<void> {
  const row = { url, language, notifications: notifications.join(" ") };
  await queries
    .insertInto("chats")
    .values({ organization_id: organizationId, service, ...row })
    .onConflict((conflict) => conflict.columns(["organization_id", "service"]).doUpdateSet(row))
    .execute();
}

export async function deleteChat(
  queries: Queries,
  organizationId: number,
  service: Chat["service"],
): Promise<void> {
  await deleteRows(queries, "chats", { organization_id: organizationId, service });
}
