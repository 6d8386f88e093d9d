// Every public path, grouped by the component that serves it. `:name` marks a route parameter.

import type { FileTableName } from "./campaign/feed/feed-tables.ts";
import type { FileFormatName } from "./formats/feed-files.ts";

const ingest = "/ingest/v1";
const settings = "/settings";

export const paths = {
  /** Load balancers, orchestrators and `doctor` ask these. Every serving process answers them. */
  health: { live: "/healthz", ready: "/readyz", proxy: "/healthz/proxy" },
  /** The metrics have a port of their own; see the setting MONITORING. */
  metrics: "/metrics",
  api: {
    /** The list of the API's URLs. */
    root: "/data_api/v1",
    emails: "/data_api/v1/emails",
    /** A key with the scope `csv-link` and `.csv` follow. */
    csvLinks: "/data_api/v1/links/",
    changes: "/data_api/v1/emails/changes",
    metricContract: "/data_api/v1/metrics.json",
    /** The JSON Schema of a feed record. */
    recordSchema: "/data_api/v1/emails.schema.json",
    openApi: "/data_api/v1/openapi.json",
  },
  /** The root of the OData service: the tables follow. */
  odata: { root: "/odata/v1" },
  /** The Model Context Protocol, for assistants. */
  mcp: "/mcp",
  /** Assistants sign in (OAuth 2.1; RFC 8414 and RFC 9728 say where clients look). */
  oauth: {
    resource: "/.well-known/oauth-protected-resource",
    server: "/.well-known/oauth-authorization-server",
    authorization: "/oauth/authorize",
    // Where the Python SDK of MCP refreshes after a restart, when it has forgotten the metadata of the server.
    token: "/token",
    registration: "/oauth/register",
    revocation: "/oauth/revoke",
    jwks: "/oauth/jwks",
  },
  ingest: {
    campaign: `${ingest}/campaigns/:id`,
    recipients: `${ingest}/campaigns/:id/recipients`,
    directory: `${ingest}/directory`,
    events: `${ingest}/events`,
    /** The id of the source follows. */
    webhooks: `${ingest}/webhooks`,
  },
  tracking: {
    messages: `${ingest}/campaigns/:id/messages`,
    /** The links and images of tracked messages: a letter for the kind and a token follow. */
    tracked: "/t/",
  },
} as const;

/** The pages of the web application, and what they load. */
export const webPaths = {
  overview: "/",
  campaigns: "/campaigns",
  campaignsCsv: "/campaigns.csv",
  compare: "/campaigns/compare",
  import: "/campaigns/import",
  editCampaigns: "/campaigns/edit",
  registerCampaign: "/campaigns/register",
  breakdown: "/breakdown",
  breakdownCsv: "/breakdown.csv",
  series: "/series",
  links: "/links",
  linksCsv: "/links.csv",
  audience: "/audience",
  audienceCsv: "/audience.csv",
  nonReaders: "/audience/non-readers",
  nonReadersCsv: "/audience/non-readers.csv",
  surveys: "/surveys",
  comments: "/comments",
  commentsCsv: "/comments.csv",
  connect: "/connect",
  /** The id of an authorization request follows. */
  assistant: "/connect/assistant",
  help: "/help",
  sources: "/sources",
  traffic: "/sources/traffic",
  search: "/search",
  /** Redirects to the first page of the settings that the user may see. */
  settings,
  analyticsApi: `${settings}/integrations/analytics-api`,
  audienceSettings: `${settings}/audience`,
  tags: `${settings}/tags`,
  people: `${settings}/people`,
  organization: `${settings}/organization`,
  privacy: `${settings}/privacy`,
  account: `${settings}/account`,
  secondFactor: `${settings}/account/second-factor`,
  shareLinks: `${settings}/share-links`,
  chat: `${settings}/chat`,
  audit: `${settings}/audit`,
  auditCsv: `${settings}/audit.csv`,
  signIn: "/sign-in",
  /** The second step after the password. */
  signInCode: "/sign-in/code",
  signOut: "/sign-out",
  openId: "/sign-in/open-id",
  choosePassword: "/sign-in/password",
  forgotPassword: "/sign-in/forgot",
  /** The signed token of a mail follows. */
  unsubscribe: "/unsubscribe",
  /** A secret that `serve` prints follows, while there is no organization. */
  setUp: "/set-up",
  /** The key of a share link follows. The page needs no session. */
  shared: "/shared",
  /** The page needs no session. */
  apiReference: "/docs",
  favicon: "/favicon.ico",
  touchIcon: "/apple-touch-icon.png",
} as const;

/** The path of a campaign's page. */
export const campaignPath = (id: number): string => `${webPaths.campaigns}/${id}`;

/** The path of a download: `/data_api/v1/emails.csv`. */
export function filePath(table: FileTableName, format: FileFormatName): string {
  return `${paths.api.root}/${table}.${format}`;
}

/** A path with a query string, unless the query is empty. */
export function urlWithQuery(path: string, query: URLSearchParams): string {
  return query.size > 0 ? `${path}?${query}` : path;
}

const programPaths = /^\/(?:(?:data_api|odata|ingest|t)\/|mcp(?:[/?]|$))/;
const readerPaths = /^\/(?:data_api|odata)\//;
const odataPaths = /^\/odata(?:\/|$)/;

/** Whether only programs call paths like this one: they get JSON errors, never a page. */
export function isForPrograms(path: string): boolean {
  return programPaths.test(path);
}

/** Whether paths like this one are read with an API key of the scope `read`, or as a CSV link. */
export function isForReaders(path: string): boolean {
  return readerPaths.test(path);
}

/** Whether OData clients call paths like this one: they get its version in every answer, and errors of its shape. */
export function isForODataClients(path: string): boolean {
  return odataPaths.test(path);
}
