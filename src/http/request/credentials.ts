// Reads the API key and the client from the headers of a request, without a database.

import type { IncomingMessage } from "node:http";
import { type ApiKey, parseApiKey } from "../../access/api-key.ts";
import { AppError } from "../../errors.ts";
import { webPaths } from "../../paths.ts";

const howToSendKey = "Send the header Authorization: Bearer <API_KEY>.";

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
      `The request has two different credentials. Remove one of them. ${howToSendKey}`,
    );
  }
  if (text === unknownScheme) {
    throw new AppError(
      "unauthorized",
      `The header Authorization has neither the scheme Bearer nor Basic. ${howToSendKey}`,
    );
  }
  const key = parseApiKey(text);
  if (!key) throw new AppError("unauthorized", `${describeMalformedKey(text)} ${howToSendKey}`);
  if (key.region !== region) {
    throw new AppError(
      "unauthorized",
      `The API key belongs to the region "${key.region}", but this is the region "${region}". Use the base URL of the key's region.`,
    );
  }
  return key;
}

/** Headers in which other services take a key. */
const otherHeaders = ["X-API-Key", "Api-Key", "ApiKey", "X-Auth-Token", "X-Access-Token", "Token"];

function describeMissingKey({ headers, url = "" }: IncomingMessage): string {
  if (/^basic /i.test(headers.authorization ?? ""))
    return "The header Authorization has no password. With Basic, send the key as the password or as the user name.";
  const header = otherHeaders.find((name) => headers[name.toLowerCase()] !== undefined);
  if (header !== undefined) return `The header ${header} is not read. ${howToSendKey}`;
  if (/[?&](?:[^=&]*(?:key|token)|[^&]*=ea_)/i.test(url))
    return `A key in the URL is not read, because proxies log URLs. ${howToSendKey}`;
  const page = headers.accept?.includes("text/html")
    ? `Admins create one in the web application, at ${webPaths.analyticsApi}. `
    : "";
  return `The API key is missing. ${page}${howToSendKey}`;
}

/** What a key that is none looks like, and why. Nothing of it is quoted: it may be the key. */
const malformedKeys: readonly [form: RegExp, problem: string][] = [
  [/^bearer\b/i, "The word Bearer is there twice, or is part of the password."],
  [/^["'‘’“”«»].*|.*["'‘’“”«»]$/, "The API key is in quotation marks."],
  [
    /[${}<>%]|^(?:undefined|null|none|your[ _-].*|.*api[_ -]key)$/i,
    "A variable or placeholder was not replaced by the API key.",
  ],
  [/^ea_.*\s/, "The API key has a space or a line break in it."],
];

function describeMalformedKey(text: string): string {
  const [, problem] = malformedKeys.find(([form]) => form.test(text)) ?? [];
  return problem ?? "The API key is malformed: it was cut or mistyped.";
}

/**
 * Returns the distinct credentials of a request. Clients use four headers: `Authorization: Bearer` is the usual one;
 * the specification names `bearer_auth`; `bearer-auth` passes proxies that drop names with underscores; spreadsheets and
 * visualization tools send `Authorization: Basic` with the key as the password or as the user name, because some of their
 * dialogs require both.
 */
function credentials({ rawHeaders }: IncomingMessage): string[] {
  const texts: string[] = [];
  // Raw headers, because Node keeps only the first of several Authorization headers in `headers`.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const text = credentialIn(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
    if (text !== "" && !texts.includes(text)) texts.push(text);
  }
  return texts;
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
