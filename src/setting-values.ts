// Parses the values of settings. Every parser returns undefined for text that is not accepted.

import { isIP } from "node:net";

export function parseInteger(text: string, minimum: number, maximum: number): number | undefined {
  const value = Number(text);
  return /^\d{1,15}$/.test(text) && value >= minimum && value <= maximum ? value : undefined;
}

/** An http or https URL without credentials, query or trailing slash. */
export function parseUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || /[?#]/.test(text)) return undefined;
  if (url.username || url.password) return undefined;
  return url.href.replace(/\/+$/, "");
}

/** The text is returned unchanged: OpenID Connect compares issuers character by character. */
export function parseIssuer(text: string): string | undefined {
  if (parseUrl(text) === undefined) return undefined;
  const { protocol, hostname } = new URL(text);
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  return protocol === "https:" || isLocal ? text : undefined;
}

/** `HOST:PORT`, with an IPv6 address in brackets, as in a URL. */
export function parseListenAddress(text: string): { host: string; port: number } | undefined {
  const [, ipv6, name, digits = ""] = /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d+)$/i.exec(text) ?? [];
  const host = ipv6 ?? name;
  const port = parseInteger(digits, 0, 65_535);
  if (host === undefined || port === undefined) return undefined;
  return ipv6 === undefined || isIP(ipv6) === 6 ? { host, port } : undefined;
}

/** A comma-separated list of secrets. */
export function parseSecrets(text: string, minLength: number): string[] | undefined {
  if (text === "") return [];
  const secrets = text.split(",").map((secret) => secret.trim());
  return secrets.every((secret) => secret.length >= minLength && !/\s/.test(secret)) ? secrets : undefined;
}

/** A comma-separated list of IP addresses and CIDR networks. */
export const parseNetworks = (text: string) => parseList(text, isNetwork);

/** A comma-separated list of origins, as browsers send them. */
export const parseOrigins = (text: string) =>
  parseList(
    text,
    (origin) => /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin,
  );

function parseList(text: string, isAccepted: (item: string) => boolean): string[] | undefined {
  const items = text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  return items.every(isAccepted) ? items : undefined;
}

function isNetwork(text: string): boolean {
  const [address = "", bits, rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest !== undefined) return false;
  return bits === undefined || parseInteger(bits, 1, version === 4 ? 32 : 128) !== undefined;
}

/** The URL of a mail server, without options in its query. */
export function parseSmtpUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "") return undefined;
  return /[?#]/.test(text) || !/^\/?$/.test(url.pathname) ? undefined : text;
}

/** The value of a setting as an error message may show it: no secret, no credentials, only the scheme of a secret URL. */
export function hideSecrets(text: string, isSecret: boolean): string {
  if (!isSecret) return JSON.stringify(text.slice(0, 100).replace(/\/\/[^/]*@/, "//…@"));
  const scheme = /^[a-z]{1,10}(?=:\/\/)/.exec(text)?.[0];
  return scheme === undefined ? "the value (not shown)" : `"${scheme}://…"`;
}
