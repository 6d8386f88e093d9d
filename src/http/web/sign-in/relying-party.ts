// Whom passkeys are for: the host of the service's public URL, and the user; and what the script sends of a passkey.

import type { User } from "../../../storage/users/users.ts";

/** Undefined if browsers give no passkeys to the URL: its host is an IP address. */
export function findRelyingParty(publicUrl: string): { id: string; origin: string } | undefined {
  const { hostname, origin } = new URL(publicUrl);
  return /^[\d.]+$|^\[/.test(hostname) ? undefined : { id: hostname, origin };
}

/** What a passkey says of its user when it is used. */
export const handleOf = ({
  organizationId,
  id,
}: Pick<User, "organizationId" | "id">): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(`${organizationId}.${id}`));

/** @param handle in base64url */
export function parseHandle(handle: string | undefined): Pick<User, "organizationId" | "id"> | undefined {
  const text = typeof handle === "string" ? Buffer.from(handle, "base64url").toString() : "";
  const [, organizationId, id] = /^([1-9]\d{0,14})\.([1-9]\d{0,14})$/.exec(text) ?? [];
  return id === undefined ? undefined : { organizationId: Number(organizationId), id: Number(id) };
}

/** Reads the JSON of a passkey's answer, whose fields the library checks. Undefined if the text is something else. */
export function parseCredential<Answer extends { id: string; response: object }>(
  text: string,
): Answer | undefined {
  try {
    const parsed: Answer | null = JSON.parse(text);
    const isAnswer = typeof parsed?.id === "string" && parsed.response instanceof Object;
    return isAnswer ? parsed : undefined;
  } catch {
    return undefined;
  }
}
