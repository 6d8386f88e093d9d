// The table `chats`: the incoming webhooks of Slack and Teams to which an organization posts.

import { type ChatService, type NotificationKind, parseKinds } from "../../access/notification-kinds.ts";
import { upsertInto } from "../queries/insert-rows.ts";
import type { Scope } from "../queries/scope.ts";

export interface Chat {
  service: ChatService;
  /** Anyone who has it may post: never in a page, a log or an error. */
  url: string;
  /** BCP 47 tag of the messages. */
  language: string;
  notifications: NotificationKind[];
}

export async function listChats(scope: Scope): Promise<Chat[]> {
  const rows = await scope.selectRows("chats").orderBy("service").execute();
  return rows.map(({ service, url, language, notifications }) => ({
    service,
    url,
    language,
    notifications: parseKinds(notifications),
  }));
}

const upsertChats = upsertInto("chats");

/** Adds or replaces the chat of a service. */
export async function saveChat(scope: Scope, { notifications, ...chat }: Chat): Promise<void> {
  await upsertChats(scope, [{ ...chat, notifications: notifications.join(" ") }]);
}

export async function deleteChat(scope: Scope, service: Chat["service"]): Promise<void> {
  await scope.deleteRows("chats", { service });
}
