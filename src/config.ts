// Every setting: its variable, its default and what it means. The only reader of the environment; help, docs and
// tests come from this table.

import { isIP } from "node:net";
import { regionPattern } from "./access/api-key.ts";
import { AppError } from "./errors.ts";
import type { DatabaseOptions } from "./storage/database.ts";
import { acceptedDatabaseUrls, isPostgresUrl, sqlitePath } from "./storage/open-database.ts";

interface Setting<Value> {
  /** The text that stands for "not set". */
  default: string;
  meaning: string;
  /** What is accepted, in words that end the sentence "… is not". */
  accepts: string;
  /** Undefined when the text is not accepted. */
  parse(text: string): Value | undefined;
}

const trackingSecretLength = 32;

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

export const settings = {
  DATABASE_URL: {
    default: "sqlite:data/email-analytics.db",
    meaning:
      "Where the data is kept: a file, `sqlite:PATH`, which is made with its folder when it does not exist; or PostgreSQL 15 or later, `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.",
    accepts: acceptedDatabaseUrls,
    parse: (text: string) => (sqlitePath(text) || isPostgresUrl(text) ? text : undefined),
  },
  DATABASE_READ_URL: {
    default: "",
    meaning:
      "A read replica of the PostgreSQL database, which the emails endpoint reads records from as long as it is up to date; keys are looked up in `DATABASE_URL` all the same. Empty: none.",
    accepts: "an address of the form postgres://USER:PASSWORD@HOST:PORT/DATABASE",
    parse: (text: string) => (text === "" || isPostgresUrl(text) ? text : undefined),
  },
  DATABASE_CONNECTIONS: {
    default: "10",
    meaning:
      "How many connections to PostgreSQL a process may open to read; it opens half as many to write, and two for upkeep.",
    accepts: "a whole number from 2 to 1000",
    parse: (text: string) => wholeNumber(text, 2, 1_000),
  },
  UNSAFE_COMMITS: {
    default: "refuse",
    meaning:
      "Whether a PostgreSQL server is used that may lose what it has committed, since its `synchronous_commit` or `fsync` is off: `refuse` or `allow`.",
    accepts: "one of refuse, allow",
    parse: (text: string) => (["refuse", "allow"] as const).find((choice) => choice === text),
  },
  HOST: {
    default: "127.0.0.1",
    meaning:
      "The address that `serve` listens on. `0.0.0.0` listens on all of the machine's; put a proxy with TLS in front of it.",
    accepts: "a host name or an IP address",
    parse: (text: string) => (/^[\w.:-]+$/.test(text) ? text : undefined),
  },
  PORT: {
    default: "8080",
    meaning: "The port that `serve` listens on; 0 takes a free one.",
    accepts: "a port from 0 to 65535",
    parse: (text: string) => wholeNumber(text, 0, 65_535),
  },
  REGION: {
    default: "local",
    meaning:
      "The name of the region that this deployment serves, such as `us`, `eu`, `ca` or `au`. Every key carries it, and a key of another region is refused.",
    accepts: "a name of 2 to 8 lower-case letters and digits",
    parse: (text: string) => (regionPattern.test(text) ? text : undefined),
  },
  PUBLIC_URL: {
    default: "",
    meaning:
      "The address under which clients reach the service; it stands in `Link` headers and in the OpenAPI document. Empty: `http://HOST:PORT`.",
    accepts: "an http or https address without query, such as https://analytics.example.com",
    parse: (text: string) => (text === "" ? "" : publicUrl(text)),
  },
  LOG_LEVEL: {
    default: "info",
    meaning: `How much is logged, as JSON lines on standard error: ${logLevels.join(", ")}. \`info\` has a line for each request.`,
    accepts: `one of ${logLevels.join(", ")}`,
    parse: (text: string) => logLevels.find((level) => level === text),
  },
  TRUSTED_PROXIES: {
    default: "",
    meaning:
      "Addresses or networks (CIDR) of the proxies in front of the service, separated by commas. Only their `X-Forwarded-For` is believed.",
    accepts: "a list of IP addresses or networks, such as 10.0.0.0/8,192.168.1.5",
    parse: parseNetworks,
  },
  INGEST_QUEUE_BYTES: {
    default: "268435456",
    meaning:
      "How many bytes of requests with campaigns and events may be coming in or wait to be written. Further ones are answered 503 at once, to be tried again.",
    accepts: "a whole number from 1 to 10000000000",
    parse: (text: string) => wholeNumber(text, 1, 10_000_000_000),
  },
  QUARANTINE_MAX: {
    default: "100000",
    meaning:
      "How many events of one organization may be set aside, as when their campaign is not known yet. Beyond it they are answered 503, to be tried again.",
    accepts: "a whole number from 0 to 100000000",
    parse: (text: string) => wholeNumber(text, 0, 100_000_000),
  },
  TRACKING_SECRET: {
    default: "",
    meaning: `What the addresses inside messages are sealed with: at least ${trackingSecretLength} random characters, the same for all processes. Several are separated by commas: the first one seals, the others are still accepted, so that old messages go on working after a change. Empty: no tracked messages are made or answered.`,
    accepts: `a list of secrets of at least ${trackingSecretLength} characters each, without spaces`,
    parse: (text: string) => parseSecrets(text),
  },
  TRACKING_URL: {
    default: "",
    meaning:
      "The address under which readers of messages reach the service, such as a host of its own for links. Empty: `PUBLIC_URL`.",
    accepts: "an http or https address without query, such as https://links.example.com",
    parse: (text: string) => (text === "" ? "" : publicUrl(text)),
  },
  READINGS_MAX: {
    default: "400",
    meaning:
      "How many messages may be held open at the same time to measure how long they are read; each takes a connection, and together they take half of `MAX_CONNECTIONS` at most. In further ones only the opening is seen.",
    accepts: "a whole number from 0 to 1000000",
    parse: (text: string) => wholeNumber(text, 0, 1_000_000),
  },
  OIDC_ISSUER: {
    default: "",
    meaning:
      "The OpenID provider with whose accounts people may sign in to the web application, by its issuer address. It sends them back to `PUBLIC_URL/sign-in/open-id/callback`, and only those whose email was added get in (see `OIDC_EMAILS`). Empty: none.",
    accepts:
      "an https address without query, such as https://login.example.com (http only of the same machine)",
    parse: (text: string) => (text === "" || isIssuer(text) ? text : undefined),
  },
  OIDC_CLIENT_ID: {
    default: "",
    meaning: "How the OpenID provider knows this service. Needed with `OIDC_ISSUER`.",
    accepts: "an id in one line without spaces",
    parse: (text: string) => (/^[\x21-\x7e]{0,500}$/.test(text) ? text : undefined),
  },
  OIDC_CLIENT_SECRET: {
    default: "",
    meaning: "The secret that the OpenID provider gave for it. Needed with `OIDC_ISSUER`.",
    accepts: "a secret in one line without spaces",
    parse: (text: string) => (/^[\x21-\x7e]{0,4000}$/.test(text) ? text : undefined),
  },
  OIDC_EMAILS: {
    default: "verified",
    meaning:
      "Which emails of the OpenID provider count: `verified`, those that it says it has verified; or `all`, where nobody but your company gives an email to an account there. (A tenant of Microsoft Entra ID does not say whether it has verified one.)",
    accepts: "one of verified, all",
    parse: (text: string) => (["verified", "all"] as const).find((choice) => choice === text),
  },
  PAGE_MEMORY_BYTES: {
    default: "67108864",
    meaning:
      "How many bytes of memory pages of the emails endpoint may take that are asked for repeatedly: they are sent again as long as nothing has changed; those that were asked for least recently go first. 0 remembers none.",
    accepts: "a whole number from 0 to 1000000000000",
    parse: (text: string) => wholeNumber(text, 0, 1_000_000_000_000),
  },
  TIMELINE_MEMORY_BYTES: {
    default: "134217728",
    meaning:
      "How many bytes of memory the timelines may take: of each organization whose records are read, when its campaigns were sent and which tags they carry, some 20 bytes for a campaign. One that is not remembered is read from the database before its organization is answered.",
    accepts: "a whole number from 0 to 1000000000000",
    parse: (text: string) => wholeNumber(text, 0, 1_000_000_000_000),
  },
  MAX_CONNECTIONS: {
    default: "1000",
    meaning: "How many connections may be open; further ones are closed immediately.",
    accepts: "a whole number from 1 to 1000000",
    parse: (text: string) => wholeNumber(text, 1, 1_000_000),
  },
  MONITORING: {
    default: "",
    meaning:
      "Where `serve` answers `GET /metrics` for Prometheus, on a port of its own that only your monitoring should reach; port 0 takes a free one. Empty: nowhere.",
    accepts: "an address of the form HOST:PORT, such as 127.0.0.1:9464 or [::1]:9464",
    parse: (text: string) => (text === "" ? null : listeningAddress(text)),
  },
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof settings;
export type Settings = {
  [Name in SettingName]: Exclude<ReturnType<(typeof settings)[Name]["parse"]>, undefined>;
};

export const processEnvironment: Record<string, string | undefined> = process.env;

/**
 * Reads the settings; those in `given` (from the command line) go before the environment.
 *
 * @throws Refusal that names the variable, its content and what is accepted
 */
export function readSettings(
  given: Partial<Record<SettingName, string>> = {},
  environment: Record<string, string | undefined> = processEnvironment,
): Settings {
  const read: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const text = given[name as SettingName] ?? environment[name] ?? setting.default;
    const value = setting.parse(text);
    if (value === undefined)
      throw new AppError("bad_request", `${name}: ${hidden(name, text)} is not ${setting.accepts}`);
    read[name] = value;
  }
  return read as Settings;
}

const openIdNames = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;

/**
 * The OpenID provider, if there is one.
 *
 * @throws Refusal where only a part of it is set
 */
export function openIdOf(
  settings: Settings,
): { issuer: string; clientId: string; clientSecret: string; trustsEmails: boolean } | undefined {
  const missing = openIdNames.filter((name) => settings[name] === "");
  if (missing.length === openIdNames.length) return undefined;
  if (missing.length > 0) {
    const all = openIdNames.join(", ");
    throw new AppError(
      "bad_request",
      `${missing.join(", ")}: not set; ${all} are set together, or not at all`,
    );
  }
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings;
  return { issuer, clientId, clientSecret, trustsEmails: settings.OIDC_EMAILS === "all" };
}

const databaseAddressNames = ["DATABASE_URL", "DATABASE_READ_URL"];

/** Addresses may hold a password: of a database's only the kind is shown, and no user of any other. */
function hidden(name: string, text: string): string {
  if (name === "TRACKING_SECRET" || name === "OIDC_CLIENT_SECRET") return "its content (not shown)";
  if (!databaseAddressNames.includes(name))
    return JSON.stringify(text.slice(0, 100).replace(/\/\/[^/]*@/, "//…@"));
  const kind = /^[a-z]{1,10}(?=:\/\/)/.exec(text)?.[0];
  return kind === undefined ? "its content (not shown)" : `"${kind}://…"`;
}

function wholeNumber(text: string, minimum: number, maximum: number): number | undefined {
  const value = Number(text);
  return /^\d{1,15}$/.test(text) && value >= minimum && value <= maximum ? value : undefined;
}

/** An IPv6 address stands in brackets, as in a URL. */
function listeningAddress(text: string): { host: string; port: number } | undefined {
  const [, inBrackets, name, digits = ""] = /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d+)$/i.exec(text) ?? [];
  const host = inBrackets ?? name;
  const port = wholeNumber(digits, 0, 65_535);
  if (host === undefined || port === undefined) return undefined;
  return inBrackets === undefined || isIP(inBrackets) === 6 ? { host, port } : undefined;
}

/** Kept as it was given: providers compare it letter by letter. */
function isIssuer(text: string): boolean {
  if (publicUrl(text) === undefined) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

function publicUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || /[?#]/.test(text)) return undefined;
  if (url.username || url.password) return undefined;
  return url.href.replace(/\/+$/, "");
}

function parseSecrets(text: string): string[] | undefined {
  if (text === "") return [];
  const secrets = text.split(",").map((secret) => secret.trim());
  return secrets.every((secret) => secret.length >= trackingSecretLength && !/\s/.test(secret))
    ? secrets
    : undefined;
}

function parseNetworks(text: string): string[] | undefined {
  const networks = text
    .split(",")
    .map((network) => network.trim())
    .filter((network) => network !== "");
  return networks.every(isNetwork) ? networks : undefined;
}

function isNetwork(text: string): boolean {
  const [address = "", bits, rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest !== undefined) return false;
  return bits === undefined || wholeNumber(bits, 1, version === 4 ? 32 : 128) !== undefined;
}

/** The database options that the settings contain, besides the URL. */
export function databaseOptionsOf({ UNSAFE_COMMITS }: Settings): DatabaseOptions {
  return { allowsUnsafeCommits: UNSAFE_COMMITS === "allow" };
}
