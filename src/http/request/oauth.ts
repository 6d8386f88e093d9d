// What the authorization server of the web application and the resource `/mcp` agree on (OAuth 2.1, RFC 9728).

import { isLoopback } from "../../access/loopback.ts";

/** What assistants may do. */
export const oauthScope = "read";

/** Whether tokens may be sent to this URL: over HTTPS, or on this computer. */
export function allowsOAuth(publicUrl: string): boolean {
  return publicUrl.startsWith("https:") || isLoopback(publicUrl);
}

/** The organization and the user as one id. */
export const accountOf = (user: { organizationId: number; id: number }): string =>
  `${user.organizationId}.${user.id}`;
