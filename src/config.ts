// Every setting: environment variable, default and meaning. Only this file reads the environment; the help, the docs and
// the tests use its table.

import { readFileSync } from "node:fs";
import { regionPattern } from "./access/api-key.ts";
import { readEmail } from "./access/email.ts";
import { AppError } from "./errors.ts";
import {
  hideSecrets,
  parseInteger,
  parseIssuer,
  parseListenAddress,
  parseNetworks,
  parseOrigins,
  parseSecrets,
  parseSmtpUrl,
  parseUrl,
} from "./setting-values.ts";
import { acceptedDatabaseUrls, isPostgresUrl, sqlitePath } from "./storage/open-database.ts";
import type { DatabaseOptions } from "./storage/queries/database.ts";

interface Setting<Value> {
  /** The text used when the variable is not set. */
  default: string;
  meaning: string;
  /** The accepted values; completes the sentence "… is not". */
  accepts: string;
  /** Its variable with the suffix `_FILE` may name a file with the value instead, and no message shows it. */
  isSecret?: true;
  /** Undefined when the text is not accepted. */
  parse(text: string): Value | undefined;
}

const minSecretLength = 32;

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const wholeNumber = (minimum: number, maximum: number) => ({
  accepts: `an integer from ${minimum} to ${maximum}`,
  parse: (text: string) => parseInteger(text, minimum, maximum),
});

const oneOf = <const Choice extends string>(...choices: readonly Choice[]) => ({
  accepts: `one of ${choices.join(", ")}`,
  parse: (text: string) => choices.find((choice) => choice === text),
});

/** @param what with its article */
const ascii = (what: string, maximum: number) => ({
  accepts: `${what} of at most ${maximum} ASCII characters without spaces`,
  parse: (text: string) => (/^[\x21-\x7e]*$/.test(text) && text.length <= maximum ? text : undefined),
});

const baseUrl = (example: string) => ({
  accepts: `an http or https URL without a query, such as ${example}`,
  parse: (text: string) => (text === "" ? "" : parseUrl(text)),
});

export const settings = {
  DATABASE_URL: {
    default: "sqlite:data/email-analytics.db",
    meaning:
      "The database: `sqlite:PATH`, or PostgreSQL 15 or later as `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.",
    isSecret: true,
    accepts: acceptedDatabaseUrls,
    parse: (text: string) => (sqlitePath(text) || isPostgresUrl(text) ? text : undefined),
  },
  DATABASE_CONNECTIONS: {
    default: "10",
    meaning:
      "Maximum number of PostgreSQL connections of a process for reads. It opens up to half as many for writes, two for maintenance, and one for each download (`DOWNLOADS_MAX`).",
    ...wholeNumber(2, 1_000),
  },
  UNSAFE_COMMITS: {
    default: "refuse",
    meaning:
      "`allow` accepts a PostgreSQL server that can lose committed data because its `synchronous_commit` or `fsync` is off.",
    ...oneOf("refuse", "allow"),
  },
  HOST: {
    default: "127.0.0.1",
    meaning: "The address that `serve` listens on. `0.0.0.0` is all network interfaces.",
    accepts: "a host name or an IP address",
    parse: (text: string) => (/^[\w.:-]+$/.test(text) ? text : undefined),
  },
  PORT: {
    default: "8080",
    meaning: "The port that `serve` listens on. 0 picks a free port.",
    accepts: "a port from 0 to 65535",
    parse: (text: string) => parseInteger(text, 0, 65_535),
  },
  REGION: {
    default: "local",
    meaning:
      "The name of this deployment, such as `us` or `eu`: 2 to 8 lowercase letters and digits. Every API key contains it.",
    accepts: "a name of 2 to 8 lowercase letters and digits",
    parse: (text: string) => (regionPattern.test(text) ? text : undefined),
  },
  PUBLIC_URL: {
    default: "",
    meaning:
      "The base URL at which clients reach the service, for links and webhook URLs. Empty: `http://HOST:PORT`, without the options of `serve`.",
    ...baseUrl("https://analytics.example.com"),
  },
  LOG_LEVEL: {
    default: "info",
    meaning: `The log level: ${logLevels.join(", ")}. \`info\` logs every request.`,
    ...oneOf(...logLevels),
  },
  SETUP_TOKEN: {
    default: "",
    meaning:
      "The end of the set-up link, `PUBLIC_URL/set-up/SETUP_TOKEN`, which works until there is an organization: 32 to 256 letters, digits, hyphens and underscores. Empty: `serve` makes one at each start and prints it.",
    isSecret: true,
    accepts: "32 to 256 letters, digits, hyphens and underscores",
    parse: (text: string) => (/^([\w-]{32,256})?$/.test(text) ? text : undefined),
  },
  TRUSTED_PROXIES: {
    default: "",
    meaning:
      "IP addresses or networks (CIDR) of the proxies in front of the service, separated by commas. `X-Forwarded-For` is trusted only from them.",
    accepts: "a list of IP addresses or networks, such as 10.0.0.0/8,192.168.1.5",
    parse: parseNetworks,
  },
  CORS_ORIGINS: {
    default: "",
    meaning:
      "Origins whose [pages may read](api.md#browsers) the API, downloads, CSV links and OData in the browser, separated by commas. Empty: none.",
    accepts: "a list of origins in lowercase, such as https://intranet.example.com,http://localhost:3000",
    parse: parseOrigins,
  },
  SCANNER_NETWORKS: {
    default: "",
    meaning:
      "The path of a file with more [networks of security gateways](numbers.md#networks-of-scanners), read at the start.",
    accepts: "a path",
    parse: (text: string) => text,
  },
  INGEST_QUEUE_BYTES: {
    default: "268435456",
    meaning:
      "Maximum size of all ingest requests that arrive or wait to be written, in bytes. Further ones get 503.",
    ...wholeNumber(1, 10_000_000_000),
  },
  QUARANTINE_BYTES: {
    default: "536870912",
    meaning:
      "Maximum size on disk, about, of the quarantined events of an organization. Requests with further ones get 503. Test sends may take half of it.",
    ...wholeNumber(0, 100_000_000_000),
  },
  TRACKING_SECRET: {
    default: "",
    meaning: `The secret that encrypts the tracking URLs in messages: at least ${minSecretLength} random characters, the same for all processes. To rotate it, list several, separated by commas: the first encrypts, all are accepted. Empty: tracking is off.`,
    isSecret: true,
    accepts: `a list of secrets of at least ${minSecretLength} characters each, without spaces`,
    parse: (text: string) => parseSecrets(text, minSecretLength),
  },
  TRACKING_URL: {
    default: "",
    meaning: "The base URL of the tracking URLs in messages. Empty: `PUBLIC_URL`.",
    ...baseUrl("https://links.example.com"),
  },
  READINGS_MAX: {
    default: "400",
    meaning:
      "Maximum number of messages whose read time is measured at the same time, at most half of `MAX_CONNECTIONS`. Beyond it, only the open is recorded. One organization gets half of it, the next half of the rest, and so on.",
    ...wholeNumber(0, 1_000_000),
  },
  OIDC_ISSUER: {
    default: "",
    meaning:
      "The issuer URL of an OpenID Connect provider, for single sign-on. Its redirect URI is `PUBLIC_URL/sign-in/open-id/callback`. Empty: single sign-on is off.",
    accepts: "an https URL without a query, such as https://login.example.com (http only for localhost)",
    parse: (text: string) => (text === "" ? "" : parseIssuer(text)),
  },
  OIDC_CLIENT_ID: {
    default: "",
    meaning: "The client ID that the provider assigned. Required with `OIDC_ISSUER`.",
    ...ascii("a client ID", 500),
  },
  OIDC_CLIENT_SECRET: {
    default: "",
    meaning: "The client secret that the provider assigned. Required with `OIDC_ISSUER`.",
    isSecret: true,
    ...ascii("a secret", 4_000),
  },
  OIDC_EMAILS: {
    default: "verified",
    meaning:
      "Which emails of the provider to trust: those that it marks as `verified`; or `all`, if only your company can set the email of an account, as with Microsoft Entra ID.",
    ...oneOf("verified", "all"),
  },
  INDEX_MEMORY_BYTES: {
    default: "134217728",
    meaning:
      "Maximum memory for the order of campaigns and for their records, in bytes. 100,000 campaigns take about 90 MB, 5,000 about 5 MB.",
    ...wholeNumber(1_000_000, 100_000_000_000),
  },
  DOWNLOADS_MAX: {
    default: "3",
    meaning:
      "Maximum number of downloads that a process sends at the same time, each with a thread and a database connection. One organization has at most one fewer. A few more wait; beyond that, requests get 503.",
    ...wholeNumber(1, 100),
  },
  DOWNLOAD_SECONDS: {
    default: "600",
    meaning: "Maximum duration of a download, in seconds. A longer one is cut.",
    ...wholeNumber(1, 86_400),
  },
  MAX_CONNECTIONS: {
    default: "1000",
    meaning: "Maximum number of open connections. Further ones are closed.",
    ...wholeNumber(1, 1_000_000),
  },
  EMAIL_ANALYTICS_PULL_KEY: {
    default: "",
    meaning: "The API key of the hosted service from which `pull` copies campaigns.",
    isSecret: true,
    ...ascii("an API key", 4_000),
  },
  SMTP_URL: {
    default: "",
    meaning:
      "The mail server: `smtp://USER:PASSWORD@HOST:587` (STARTTLS) or `smtps://USER:PASSWORD@HOST:465`. With credentials it must offer TLS, unless it is on this machine. Empty: the service sends no mail, and admins pass links on.",
    isSecret: true,
    accepts: "a URL such as smtps://USER:PASSWORD@smtp.example.com:465",
    parse: (text: string) => (text === "" ? text : parseSmtpUrl(text)),
  },
  MAIL_FROM: {
    default: "",
    meaning: "The address that mail comes from. Required with `SMTP_URL`.",
    accepts: "an email address, such as analytics@example.com",
    parse: (text: string) => (text === "" ? text : readEmail(text)),
  },
  MCP: {
    default: "off",
    meaning: "`on` also serves read-only tools for [assistants](mcp.md), at `/mcp`.",
    ...oneOf("on", "off"),
  },
  MONITORING: {
    default: "",
    meaning:
      "The address and port on which `serve` answers `GET /metrics` for Prometheus. Only your monitoring should reach it. Empty: metrics are off.",
    accepts: "an address of the form HOST:PORT, such as 127.0.0.1:9464 or [::1]:9464",
    parse: (text: string) => (text === "" ? null : parseListenAddress(text)),
  },
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof settings;
export type Settings = {
  [Name in SettingName]: Exclude<ReturnType<(typeof settings)[Name]["parse"]>, undefined>;
};

export const processEnvironment: Record<string, string | undefined> = process.env;

/**
 * Reads the settings. `overrides` (from the command line) win over the environment.
 *
 * @throws AppError `bad_request` that names the variable, its value and the accepted values
 */
export function readSettings(
  overrides: Partial<Record<SettingName, string | undefined>> = {},
  environment: Record<string, string | undefined> = processEnvironment,
): Settings {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<Setting<unknown>>(settings)) {
    const { isSecret = false, accepts, default: byDefault } = setting;
    const given = overrides[name as SettingName] ?? environment[name];
    // Compose files pass on variables that are not set as empty ones.
    const text = (given || (isSecret && readSecretFile(`${name}_FILE`, environment)) || given) ?? byDefault;
    const value = setting.parse(text);
    if (value === undefined) {
      throw new AppError("bad_request", `${name}: ${hideSecrets(text, isSecret)} is not ${accepts}`);
    }
    values[name] = value;
  }
  return values as Settings;
}

/** Returns the text of the file that a variable names, without the line break at its end. */
function readSecretFile(name: string, { [name]: path }: Record<string, string | undefined>) {
  try {
    return path && readFileSync(path, "utf8").trimEnd();
  } catch (error) {
    throw new AppError("bad_request", `${name}: cannot read ${path} (${(error as { code: string }).code})`);
  }
}

const openIdNames = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;

/**
 * The OpenID Connect provider; undefined if single sign-on is off.
 *
 * @throws AppError `bad_request` if only some of its settings are set
 */
export function openIdOf(
  settings: Settings,
): { issuer: string; clientId: string; clientSecret: string; trustsEmails: boolean } | undefined {
  const missing = openIdNames.filter((name) => settings[name] === "");
  if (missing.length === openIdNames.length) return undefined;
  if (missing.length > 0) {
    throw new AppError(
      "bad_request",
      `${missing.join(", ")}: not set; set ${openIdNames.join(", ")} together, or leave all of them empty`,
    );
  }
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings;
  return { issuer, clientId, clientSecret, trustsEmails: settings.OIDC_EMAILS === "all" };
}

/**
 * How to send mail; undefined if the service sends none.
 *
 * @throws AppError `bad_request` if only one of its settings is set
 */
export function mailOf({
  SMTP_URL: url,
  MAIL_FROM: from,
}: Settings): { url: string; from: string } | undefined {
  if (url === "" && from === "") return undefined;
  if (url !== "" && from !== "") return { url, from };
  const missing = url === "" ? "SMTP_URL" : "MAIL_FROM";
  throw new AppError(
    "bad_request",
    `${missing}: not set; set SMTP_URL and MAIL_FROM together, or leave both empty`,
  );
}

/** The database options that are settings, other than the URL. */
export function databaseOptionsOf({ UNSAFE_COMMITS }: Settings): DatabaseOptions {
  return { allowsUnsafeCommits: UNSAFE_COMMITS === "allow" };
}

/** The most connections that the parts of a serving process open to PostgreSQL. Each download has one. */
export function connectionsOf({
  DATABASE_CONNECTIONS: reads,
  DOWNLOADS_MAX: downloads,
}: Pick<Settings, "DATABASE_CONNECTIONS" | "DOWNLOADS_MAX">) {
  return { reads, writes: Math.floor(reads / 2), upkeep: 2, downloads };
}
