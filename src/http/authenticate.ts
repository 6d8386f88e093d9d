// Who asks: from the credential of a request to its key, and from the key to its organization; or 401, or 403 where the
// key is for another door.

import type { IncomingMessage } from "node:http";
import { type ApiKey, type KeyScope, parseApiKey } from "../access/api-key.ts";
import { AppError } from "../errors.ts";
import { findOrganizationOfKey } from "../storage/api-keys.ts";
import type { Queries } from "../storage/database.ts";
import type { Organization } from "../storage/organizations.ts";

/** Whose key a request carries, and which. */
export interface Caller {
  organization: Organization;
  keyId: number;
}

const howTo = "Send the header Authorization: Bearer <API_KEY>.";

/**
 * The key that a request carries, if it is one of this region. The database is not asked: a key of elsewhere leads to
 * nothing in it.
 *
 * @throws Refusal `unauthorized` when the key is missing, malformed, or of another region
 */
export function apiKeyOf(request: IncomingMessage, region: string): ApiKey {
  const [text, ...others] = credentials(request);
  if (text === undefined) throw new AppError("unauthorized", `The API key is missing. ${howTo}`);
  if (others.length > 0)
    throw new AppError("unauthorized", `The request has two credentials that differ. ${howTo}`);
  if (text === unknownScheme) {
    throw new AppError(
      "unauthorized",
      `The header Authorization has neither the scheme Bearer nor Basic. ${howTo}`,
    );
  }
  const key = parseApiKey(text);
  if (!key) throw new AppError("unauthorized", `The API key is malformed: it was cut or mistyped. ${howTo}`);
  if (key.region !== region) {
    throw new AppError(
      "unauthorized",
      `The API key belongs to the region "${key.region}", this is the region "${region}". Use the base address of the key's region.`,
    );
  }
  return key;
}

/**
 * Looked up anew for every request, so that a deleted key is refused by the very next one.
 *
 * @param door what the key has to be made for
 * @throws Refusal `unauthorized` when the key was deleted; `forbidden` when it is made for another door
 */
export async function authenticate(queries: Queries, key: ApiKey, door: KeyScope): Promise<Caller> {
  const found = await findOrganizationOfKey(queries, key);
  if (!found) {
    throw new AppError(
      "unauthorized",
      "The API key is not valid: it was deleted. Make a new one and use that.",
    );
  }
  if (found.scope !== door) {
    throw new AppError(
      "forbidden",
      `The API key is made for the scope "${found.scope}"; this address needs one of the scope "${door}".`,
    );
  }
  return found;
}

/**
 * The different credentials of a request. `Authorization: Bearer` is the usual one; the specification names a header
 * `bearer_auth`; proxies that drop names with underscores let `bearer-auth` pass; and `Authorization: Basic`, with
 * the key as the password, is what spreadsheets and visualization tools send when told no more than a key.
 */
function credentials({ rawHeaders }: IncomingMessage): string[] {
  const found: string[] = [];
  // As they came, since of a header that comes twice Node keeps the first one only in the headers that it has read.
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const text = credentialIn(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
    if (text !== "" && !found.includes(text)) found.push(text);
  }
  return found;
}

/** Empty where a header holds none. */
function credentialIn(name: string, value: string): string {
  // Most headers are told apart by the length of their names already.
  if (name.length !== "authorization".length && name.length !== "bearer_auth".length) return "";
  const lowerCase = name.toLowerCase();
  if (lowerCase === "authorization") return readAuthorization(value);
  return lowerCase === "bearer_auth" || lowerCase === "bearer-auth" ? withoutScheme(value) : "";
}

/** Stands for a credential that no header can hold. */
const unknownScheme = "\0";

function readAuthorization(header: string): string {
  if (header.startsWith("Bearer ")) return header.slice("Bearer ".length).trim();
  const basic = /^basic +(\S+) *$/i.exec(header)?.[1];
  if (basic === undefined) return /^bearer(?: |$)/i.test(header) ? withoutScheme(header) : unknownScheme;
  const userAndPassword = Buffer.from(basic, "base64").toString();
  return userAndPassword.slice(userAndPassword.indexOf(":") + 1).trim();
}

function withoutScheme(header: string): string {
  return header.replace(/^bearer(?: +|$)/i, "").trim();
}
