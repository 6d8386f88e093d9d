// Reads the API key and the client from the headers of a request, without a database.

import type { IncomingMessage } from "node:http";
import { type ApiKey, parseApiKey } from "../../access/api-key.ts";
import { AppError } from "../../errors.ts";

const howTo = "Send the header Authorization: Bearer <API_KEY>.";

/** Who sent a request. */
export interface ApiCaller {
  key: ApiKey;
  /** The User-Agent header; empty if there is none. */
  client: string;
}

/** @throws AppError `unauthorized` if the key is missing, malformed or of another region */
export function callerOf(request: IncomingMessage, region: string): ApiCaller {
  return { key: apiKeyOf(request, region), client: request.headers["user-agent"] ?? "" };
}

function apiKeyOf(request: IncomingMessage, region: string): ApiKey {
  const [text, ...others] = credentials(request);
  if (text === undefined) throw new AppError("unauthorized", describeMissingKey(request));
  if (others.length > 0) {
    throw new AppError(
      "unauthorized",
      `The request has two different credentials. Remove one of them. ${howTo}`,
    );
  }
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
      `The API key belongs to the region "${key.region}", but this is the region "${region}". Use the base URL of the key's region.`,
    );
  }
  return key;
}

function describeMissingKey({ headers }: IncomingMessage): string {
  return /^basic /i.test(headers.authorization ?? "")
    ? "The header Authorization has no password. With Basic, send the key as the password or as the user name."
    : `The API key is missing. ${howTo}`;
}

/**
 * Returns the distinct credentials of a request. Clients use four headers: `Authorization: Bearer` is the usual one;
 * the specification names `bearer_auth`; `bearer-auth` passes proxies that drop names with underscores; spreadsheets and
 * visualization tools send `Authorization: Basic` with the key as the password or as the user name, because some of their
 * dialogs require both.
 */
function credentials({ rawHeaders }: IncomingMessage): string[] {
  const found: string[] = [];
  // Raw headers, because Node keeps only the first of several Authorization headers in `headers`.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const text = credentialIn(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
    if (text !== "" && !found.includes(text)) found.push(text);
  }
  return found;
}

/** Returns "" for a header without a credential. */
function credentialIn(name: string, value: string): string {
  const lowerCase = name.toLowerCase();
  if (lowerCase === "authorization") return readAuthorization(value);
  return lowerCase === "bearer_auth" || lowerCase === "bearer-auth" ? withoutScheme(value) : "";
}

/** A marker that no header can contain. */
const unknownScheme = "\0";

function readAuthorization(header: string): string {
  const basic = /^basic +(\S+) *$/i.exec(header)?.[1];
  if (basic === undefined) return /^bearer(?: |$)/i.test(header) ? withoutScheme(header) : unknownScheme;
  const userAndPassword = Buffer.from(basic, "base64").toString();
  const colon = userAndPassword.indexOf(":");
  const password = userAndPassword.slice(colon + 1).trim();
  const user = userAndPassword.slice(0, Math.max(colon, 0)).trim();
  // Any other user name without a password is no mistyped key: the password is missing.
  const isUser = user.startsWith("ea_") && !password.startsWith("ea_");
  return isUser ? user : password;
}

function withoutScheme(header: string): string {
  return header.replace(/^bearer(?: +|$)/i, "").trim();
}
