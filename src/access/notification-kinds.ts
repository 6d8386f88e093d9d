// The kinds of mail and messages that people choose, and who receives them.

export const notificationKinds = ["digest", "results", "alerts"] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export const chatServices = ["slack", "teams"] as const;
export type ChatService = (typeof chatServices)[number];

/** A user by the id, or a chat. */
export type RecipientKey = `user ${number}` | ChatService;

/** Kinds as they are stored and submitted, separated by spaces; without others. */
export function parseKinds(text: string): NotificationKind[] {
  const given = new Set(text.split(" "));
  return notificationKinds.filter((kind) => given.has(kind));
}
