// The clients of assistants. A client id is what the client said of itself, so registering stores nothing (RFC 7591).

import { isLoopback } from "../../../access/loopback.ts";

interface Client {
  client_name: string;
  redirect_uris: string[];
}

/** Longer ones do not fit in URLs. */
const maxLength = 2_000;

/**
 * The id of a client that registers, which contains its name and its redirect URIs.
 *
 * @param metadata as the client sent it
 * @returns undefined if it is too long, or sends codes to another scheme than HTTPS, or HTTP on its own computer
 */
export function makeClientId(metadata: Record<string, unknown>): string | undefined {
  const { client_name: name, redirect_uris: uris } = metadata;
  if (!Array.isArray(uris) || !uris.every(isSafeRedirect)) return undefined;
  const client: Client = {
    client_name: typeof name === "string" ? name.replace(/\p{C}/gu, "").slice(0, 100) : "",
    redirect_uris: uris,
  };
  const id = Buffer.from(JSON.stringify(client)).toString("base64url");
  return id.length <= maxLength ? id : undefined;
}

/** The metadata in a client id, as the library expects it: a public client with PKCE. Undefined if it is no id of ours. */
export function readClientId(id: string): (Client & Record<string, unknown>) | undefined {
  if (id.length > maxLength) return undefined;
  try {
    const client: Client = JSON.parse(Buffer.from(id, "base64url").toString());
    if (makeClientId({ ...client }) !== id) return undefined;
    const isWeb = client.redirect_uris.every((uri) => uri.startsWith("https:"));
    return { ...client, client_id: id, ...publicClient, application_type: isWeb ? "web" : "native" };
  } catch {
    return undefined;
  }
}

const publicClient = {
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
};

function isSafeRedirect(uri: unknown): boolean {
  if (typeof uri !== "string" || !URL.canParse(uri)) return false;
  const { protocol, href } = new URL(uri);
  return protocol === "https:" || (protocol === "http:" && isLoopback(href));
}
