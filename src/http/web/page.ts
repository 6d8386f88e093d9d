// What a page of the web application is: who may see it, what it shows, and what can be done on it.

import type { Role } from "../../access/role.ts";
import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import type { User } from "../../storage/users.ts";
import type { Html } from "../html.ts";

/** Who has signed in. */
export interface Visitor {
  organization: Organization;
  user: User;
  /** Which of the user's sessions it is: the hash of its secret. */
  session: string;
  /** What shows that a form comes from a page of theirs. */
  formToken: string;
}

/** Who does something. */
export interface Actor extends Visitor {
  /**
   * Writes, as long as they still may: session and role are looked at in the same transaction, in which nobody else changes
   * the organization.
   *
   * @throws Refusal `forbidden`
   */
  write<Result>(work: (queries: Queries, organization: Organization) => Promise<Result>): Promise<Result>;
}

/** What is asked for. */
export interface PageRequest {
  /** Parts of the address that the path names, decoded. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** What was sent and could not be done, and why: the page is shown again with it. */
  refused?: { action: string; form: URLSearchParams; problem: string };
}

/** A page as it is shown. */
export interface PageContent {
  title: string;
  /** What stands under the heading, which is the title. */
  body: Html;
  /** Stands beside the heading. */
  beside?: Html;
  /** 200 unless it is said otherwise. */
  status?: number;
}

/** What became of an action: the next page with a notice on it, or something that is shown this once. */
export type ActionResult = Done | PageContent;

interface Done {
  notice: string;
  goTo?: string;
  /** The secret of the session that takes the place of the visitor's. */
  session?: string;
}

export interface Page {
  /** With parameters as Fastify has them: `/campaigns/:id`. */
  path: string;
  /** Who may see it. */
  role: Role;
  show(visitor: Visitor, asked: PageRequest): Promise<PageContent>;
  /**
   * What can be done on it, by the value of the form's field `action`, and who may. A Refusal shows the page again with
   * what was sent.
   */
  actions?: Readonly<Record<string, Action>>;
}

export interface Action {
  role: Role;
  run(visitor: Actor, form: URLSearchParams, asked: PageRequest): Promise<ActionResult>;
}
