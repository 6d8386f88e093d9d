// The types of a page of the web application: its path, its permissions, what it shows and its actions.

import type { Readable } from "node:stream";
import type { AuditAction } from "../../../access/audit-actions.ts";
import type { Role } from "../../../access/role.ts";
import type { Job, TaskResults } from "../../../counting/writer/jobs.ts";
import type { SourcesAlert } from "../../../listing/reports/sources-alert.ts";
import type { Html, HtmlValue } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import type { Language } from "../../../locale/preferred-language.ts";
import type { Organization } from "../../../storage/organizations/organizations.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import type { User } from "../../../storage/users/users.ts";

export interface Page {
  /** The path with parameters as in Fastify routes: `/campaigns/:id`. */
  path: string;
  /** The role that a user needs to see the page. */
  role: Role;
  /** The role that a user needs to run its actions; that of the page by default. */
  actionRole?: Role;
  /** Forms of the page may have a file: larger bodies are accepted. */
  hasUpload?: boolean;
  show(session: WebSession, request: PageRequest): Promise<PageContent | FileContent>;
  /** The actions by the value of the form field `action`. */
  actions?: Readonly<Record<string, Action>>;
}

/** What a form does. An AppError shows the page again, with the submitted values. */
export type Action = (actor: Actor, form: URLSearchParams, request: PageRequest) => Promise<ActionResult>;

/** The signed-in user behind a request, and the locale of the pages. */
export interface WebSession extends Locale {
  organization: Organization;
  user: User;
  /** An instant in the time zone of the organization. */
  timeText(at: number): string;
  /** The locale of users who chose no language. */
  browserLocale: Locale;
  /** The hash of the session's secret, which identifies the session. */
  hash: string;
  csrfToken: string;
  /** When the last event of the organization arrived; undefined before the first one. */
  lastEventAt: number | undefined;
  /** Whether its sources need a look. */
  sourcesAlert: SourcesAlert;
  /** When the request arrived. */
  now: number;
  /** Whether the user has the Admin role. */
  isAdmin: boolean;
  /** Reads from the organization with one statement. */
  query<Result>(work: (scope: Scope) => Promise<Result>): Promise<Result>;
  /** Reads from the organization with several statements, of one state of the data. */
  snapshot<Result>(work: (scope: Scope) => Promise<Result>): Promise<Result>;
}

/** A signed-in user who runs an action. */
export interface Actor extends WebSession {
  /**
   * Runs a transaction that locks the organization and checks session and role again, inside the transaction.
   *
   * @param audit the entry of the audit log, written after the work
   * @throws AppError `forbidden` if the session has ended or the user lost the role
   */
  transaction<Result>(
    work: (scope: Scope, organization: Organization) => Promise<Result>,
    audit?: [action: AuditAction, target: string | ((result: Result) => string)],
  ): Promise<Result>;
  /** Writes to the audit log, inside of {@link transaction}. @param target never a secret */
  record(scope: Scope, action: AuditAction, target: string): Promise<void>;
  /**
   * Has the writer thread run a task: one that takes long would block the event loop.
   *
   * @param audit the entry of the audit log; undefined for tasks that write it themselves
   * @param body of the task, as JSON
   */
  write<const Task extends Job["task"]>(
    task: Task,
    audit?: [action: AuditAction, target: string],
    body?: object,
  ): Promise<TaskResults[Task["name"]]>;
}

/** Data about people that a page or a file shows, for the audit log. */
export interface AuditedView {
  action: AuditAction;
  target: string;
}

export interface PageRequest {
  /** Path parameters, decoded. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
  /** The file of a submitted form, if it has one. */
  upload?: Uint8Array | undefined;
  /** The name of that file, as the browser sent it. */
  uploadName?: string | undefined;
  /** The submission that failed, if the page is shown again because of one. */
  rejected?: { action: string; form: URLSearchParams; problem: string };
}

export interface PageContent {
  title: string;
  /** The title, if it has elements. */
  heading?: HtmlValue;
  /** The language of the title, if it may differ from that of the page. */
  titleLanguage?: Language | undefined;
  /** The title of the window, if it says more than that of the page. */
  windowTitle?: string;
  /** The content below the heading. */
  body: Html;
  /** The pages above it, from the top. */
  breadcrumb?: readonly { url: string; name: string }[] | undefined;
  /** Links and buttons beside the title. */
  headingLink?: HtmlValue;
  /** A sentence below the title. */
  lead?: HtmlValue;
  /** What the numbers are of, such as period and filters: in the header of a printed page. */
  printedScope?: string | undefined;
  /** 200 by default. */
  status?: number | undefined;
  /** The body has {@link results}: a second skip link leads there, past the filters. */
  hasResults?: boolean | undefined;
  audited?: AuditedView;
  /** Reloads the page after this many seconds in browsers without JavaScript. */
  reloadSeconds?: number | undefined;
  /** Goes on to this URL at once, which a redirect after a form could not where it leaves the site. */
  continueTo?: string | undefined;
}

/** A file to download instead of a page. */
export interface FileContent {
  /** The name of the file. */
  file: string;
  /** The media type of the file. */
  type: string;
  body: Readable;
  /** An export of data by default. */
  audited?: AuditedView;
}

/** Either a redirect with a notice, or a page that is shown once. */
export type ActionResult = ActionRedirect | PageContent;

interface ActionRedirect {
  notice: string;
  /** The same page by default. */
  redirectTo?: string;
  /** The secret of a new session that replaces the current one. */
  sessionSecret?: string;
}
