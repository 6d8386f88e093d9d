// The components of the service: what each serves, whether it writes, and how it adds its routes.

import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { ReadFile } from "../../counting/import/file-readers.ts";
import type { WriterThread } from "../../counting/writer/writer-thread.ts";
import type { Mailer } from "../../letters/mailer.ts";
import type { PostToChat } from "../../letters/post-to-chat.ts";
import type { IndexCache } from "../../listing/index/index-cache.ts";
import type { LatestCommentsReader } from "../../listing/reports/latest-comments.ts";
import type { Database } from "../../storage/queries/database.ts";
import type { ApiOptions } from "../api/routes.ts";
import type { KeyUsage } from "../request/key-usage.ts";
import type { TrackingOptions } from "../tracking/routes.ts";
import type { DemoSignIn, OpenIdSettings } from "../web/frame/web-context.ts";

export interface ComponentOptions {
  database: Database;
  writer: WriterThread;
  keyUsage: KeyUsage;
  region: string;
  /** The public base URL, without a trailing slash. */
  publicUrl: () => string;
  log: Logger;
  /** Fetches a URL of an email provider, such as a certificate. */
  fetchUrl?: (url: string) => Promise<Buffer>;
  tracking: Pick<TrackingOptions, "secrets" | "url" | "maxOpenReads">;
  /** The company's OpenID provider, if people sign in with it. */
  openId?: OpenIdSettings | undefined;
  downloads: ApiOptions["downloads"];
  /** Whether this process also opens the component `mcp`. */
  servesMcp: boolean;
  /** Whether this process also opens the component `web`. */
  servesWeb: boolean;
  /** A link that signs people in without a password. Only the demo has one. */
  welcome?: DemoSignIn | undefined;
  /** See `WebContext.mailer`. */
  mailer?: Mailer | undefined;
  /** See `WebContext.resetMailMs`. */
  resetMailMs?: number | undefined;
  /** Posts to the incoming webhooks of Slack and Teams, unless a test sets another one. */
  postToChat?: PostToChat | undefined;
  /** See `WebContext.setUpSecret`. */
  setUpSecret?: string | undefined;
  /** Reads files of strangers. Shared by every component, because it bounds how many are read at once. */
  readFile: ReadFile;
  /** Aborts when the server stops. */
  shutdownSignal: AbortSignal;
  /** Shared by every component that lists campaigns. */
  index: IndexCache;
  /** Shared by every component that shows comments, because it keeps them. */
  comments: LatestCommentsReader;
  /** Milliseconds since 1970. */
  now: () => number;
}

interface Component {
  /** What it serves, without a full stop. */
  meaning: string;
  /** A process without a component that writes starts no writer thread. */
  writes: boolean;
  /** Loads its code, so that a process without it starts sooner, and adds its routes. */
  open(app: FastifyInstance, options: ComponentOptions): Promise<void>;
}

export const components = {
  api: {
    meaning: "the API, changes, downloads, OData, schemas and the list of URLs",
    writes: false,
    async open(app, options) {
      const { addApiRoutes } = await import("../api/routes.ts");
      addApiRoutes(app, options);
    },
  },
  mcp: {
    meaning: "read-only tools for assistants (Model Context Protocol)",
    writes: false,
    async open(app, options) {
      const { addMcpRoutes } = await import("../mcp/routes.ts");
      addMcpRoutes(app, options);
    },
  },
  ingest: {
    meaning: "campaigns, events and webhooks",
    writes: true,
    async open(app, options) {
      const { addIngestRoutes } = await import("../ingest/routes.ts");
      addIngestRoutes(app, options);
    },
  },
  tracking: {
    meaning: "tracked messages, and the requests of their readers",
    writes: true,
    async open(app, { tracking, ...options }) {
      const { addTrackingRoutes } = await import("../tracking/routes.ts");
      addTrackingRoutes(app, { ...options, ...tracking });
    },
  },
  web: {
    meaning: "the web application",
    writes: true,
    async open(app, options) {
      const { openApiDocument } = await import("../api/contract/openapi.ts");
      const { addWebRoutes } = await import("../web/routes.ts");
      const canTrack = options.tracking.secrets.length > 0;
      const { postToChat = (await import("../../letters/post-to-chat.ts")).postToChat } = options;
      addWebRoutes(app, { ...options, postToChat, openApiDocument, canTrack });
    },
  },
} as const satisfies Record<string, Component>;

export type ComponentName = keyof typeof components;
export const componentNames = Object.keys(components) as ComponentName[];

/** Returns what `serve` opens by default. Assistants get an interface only where an operator wants it. */
export function defaultComponents({ MCP = "off" }: { MCP?: "on" | "off" } = {}): ComponentName[] {
  return componentNames.filter((name) => name !== "mcp" || MCP === "on");
}
