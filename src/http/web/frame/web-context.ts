// The dependencies and settings that the pages of the web application share.

import type { Logger } from "pino";
import type { ReadFile } from "../../../counting/import/file-readers.ts";
import type { WriterThread } from "../../../counting/writer/writer-thread.ts";
import type { Mailer } from "../../../letters/mailer.ts";
import type { PostToChat } from "../../../letters/post-to-chat.ts";
import type { IndexCache } from "../../../listing/index/index-cache.ts";
import type { LatestCommentsReader } from "../../../listing/reports/latest-comments.ts";
import type { Database } from "../../../storage/queries/database.ts";
import type { OpenApiDocument } from "../../api/contract/openapi-types.ts";
import type { KeyUsage } from "../../request/key-usage.ts";

export interface WebContext {
  database: Database;
  index: IndexCache;
  comments: LatestCommentsReader;
  /** Runs long writes off the event loop. */
  writer: WriterThread;
  keyUsage: KeyUsage;
  region: string;
  /** The service's base URL, without a trailing slash. */
  publicUrl: () => string;
  /** Passed in, because the web application may not import the API. */
  openApiDocument(baseUrl: string): OpenApiDocument;
  /** Whether the service can track messages. */
  canTrack: boolean;
  /** Whether assistants can connect to this process. */
  servesMcp: boolean;
  log: Logger;
  /** Only the demo sets it. */
  welcome?: DemoSignIn | undefined;
  /** Undefined if the service sends no mail. */
  mailer?: Mailer | undefined;
  /** The mail of a forgotten password goes out after this time, or up to twice of it. Only tests set it. */
  resetMailMs?: number | undefined;
  postToChat: PostToChat;
  /** The end of the URL of the set-up page; undefined if the process started with an organization. */
  setUpSecret?: string | undefined;
  /** Undefined turns off sign-in with OpenID Connect. */
  openId?: OpenIdSettings | undefined;
  /** Aborted when the service starts to shut down, so that long reads stop early. */
  shutdownSignal?: AbortSignal | undefined;
  readFile: ReadFile;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Our registration with an OpenID provider. */
export interface OpenIdSettings {
  /** The issuer URL, exactly as the provider spells it. */
  issuer: string;
  clientId: string;
  /** The secret is never shown or logged. */
  clientSecret: string;
  /** Whether to accept an email if the provider does not say that it is verified. */
  trustsEmails: boolean;
}

/** A URL that signs in everyone who opens it. */
export interface DemoSignIn {
  /** The last path segment of the URL. */
  secret: string;
  organizationId: number;
  userId: number;
}
