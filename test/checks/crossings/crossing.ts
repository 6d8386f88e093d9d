// What one sequence works with: an organization on the stage, its model, its admins, and what outsiders have of it.

import assert from "node:assert/strict";
import type { Tag } from "../../../src/campaign/campaign.ts";
import { purgeRetiredLedger } from "../../../src/counting/campaigns/purge-retired-ledger.ts";
import { publishDue } from "../../../src/counting/publish.ts";
import { runDueTasks } from "../../../src/counting/upkeep/due-tasks.ts";
import { AppError } from "../../../src/errors.ts";
import { csrfTokenOf } from "../../../src/http/web/frame/csrf.ts";
import { listApiKeys } from "../../../src/storage/keys/api-keys.ts";
import type { Organization } from "../../../src/storage/organizations/organizations.ts";
import { listTags } from "../../../src/storage/organizations/tags.ts";
import { addSession } from "../../../src/storage/users/sessions.ts";
import { addUser, type User } from "../../../src/storage/users/users.ts";
import { CopyingClient } from "../../support/copying-client.ts";
import type { Random } from "../../support/histories.ts";
import { type PageResponse, requestPage } from "../../support/web-world.ts";
import { type Cleanup, type Response, type Service, succeeds } from "../../support/world.ts";
import { Model } from "./model.ts";
import { expireImports } from "./model-imports.ts";
import { type FormFields, formsIn } from "./page-forms.ts";
import type { Stage } from "./stage.ts";

/** A message with tracking URLs that somebody still has. */
export interface SentMessage {
  campaignId: number;
  /** The registration that it was made for. */
  serial: number;
  recipient: string;
  pixel: string;
  link: string;
  answer: string;
}
export interface OpenForm {
  admin: number;
  id: number;
  existence: number;
  subject: string;
  fields: FormFields;
}

export interface ShareLink {
  name: string;
  url: string;
  expiresAt: number;
  /** Undefined for the overview. */
  campaign: { id: number; existence: number } | undefined;
}

/** What the organization has beside its campaigns, and what a backup has too. */
export interface Known {
  model: Model;
  shareLinks: ShareLink[];
  csvLinks: string[];
  readKeys: { text: string; name: string }[];
  /** The path of the webhook URL, once an email provider was added. */
  webhook: string | undefined;
}

/** Of the sample, and of everything else in a sequence. */
const maxCampaigns = 1_000;

/** A response that a client keeps with its ETag. */
interface KeptResponse {
  etag: string;
  text: string;
}

export class Crossing {
  stage: Stage;
  /** Of the current step. */
  random: Random;
  readonly organization: Organization;
  readonly ingestKey: string;
  known: Known;
  readonly admins: { user: User; secret: string }[] = [];
  /** Of all times: also links that no backup knows. */
  readonly allShareLinks = new Map<string, ShareLink>();
  readonly deletedKeys: string[] = [];
  readonly messages: SentMessage[] = [];
  readonly openForms: OpenForm[] = [];
  readonly kept = new Map<string, KeptResponse>();
  readonly client: CopyingClient;
  /** Of the key that sends events, as campaigns name it. */
  keyNumber = 0;
  /** Whether the client that reads changes has to start again. */
  wasRestored = false;
  backup: { restore(): Promise<void>; known: Known } | undefined;
  /** By how much the clock is ahead of the right time. */
  aheadMs = 0;
  forwardMs = 0;
  /** Where the sequence has a database of its own, which it may leave. */
  readonly cleanup: Cleanup | undefined;
  #count = 0;

  constructor(
    stage: Stage,
    random: Random,
    { organization, key, ingestKey }: Awaited<ReturnType<Stage["world"]["addOrganization"]>>,
    cleanup?: Cleanup,
  ) {
    this.cleanup = cleanup;
    this.stage = stage;
    this.random = random;
    this.organization = organization;
    this.ingestKey = ingestKey;
    this.known = {
      model: new Model(),
      shareLinks: [],
      csvLinks: [],
      readKeys: [{ text: key, name: "test" }],
      webhook: undefined,
    };
    this.client = this.newClient(2);
  }

  newClient(perPage: number): CopyingClient {
    return new CopyingClient((query) => this.#readChanges(query), { perPage, maxCampaigns });
  }

  get model(): Model {
    return this.known.model;
  }

  get now(): number {
    return this.stage.world.clock.now;
  }

  /** A number that nothing else in the sequence has. */
  next(): number {
    return ++this.#count;
  }

  get service(): Service {
    return this.random.pick(this.stage.services);
  }

  get readKey(): string {
    return this.known.readKeys.at(-1)?.text ?? "";
  }

  async #readChanges(query: string) {
    const response = await this.service.get(`/data_api/v1/emails/changes${query}`, { key: this.readKey });
    if (response.status === 410) throw new ChangesGone();
    assert.equal(response.status, 200, response.text);
    return response.body as never;
  }
  tags(): Promise<Tag[]> {
    return this.stage.world.database.queryOf(this.organization.id, listTags);
  }

  /** Lets the client read changes, from the beginning if its cursor is of a database that was restored. */
  async readChanges<Result>(read: (client: CopyingClient) => Promise<Result>): Promise<Result> {
    const { client } = this;
    try {
      return await read(client);
    } catch (error) {
      if (!(error instanceof ChangesGone)) throw error;
      assert.ok(this.wasRestored, "a cursor is refused, though no backup was restored");
      client.cursor = undefined;
      client.copy.clear();
      return await read(client);
    } finally {
      this.wasRestored = false;
    }
  }

  /** What the upkeep thread does every minute. */
  async upkeep(): Promise<void> {
    const { database } = this.stage.world;
    await this.publishDue();
    try {
      await runDueTasks(database, this.now);
    } catch (error) {
      // A clock that is far ahead is not trusted.
      if (!(error instanceof AppError) || error.code !== "conflict") throw error;
    }
    while (await database.transaction(purgeRetiredLedger));
    this.model.removeNames();
    expireImports(this.model, this.now);
  }

  /** What the upkeep thread does every second. */
  async publishDue(): Promise<void> {
    const { database } = this.stage.world;
    while (await database.transactionOf(this.organization.id, (scope) => publishDue(scope, this.now)));
    this.model.publishDue(this.now);
  }

  async moveClock(byMs: number): Promise<void> {
    this.stage.world.clock.now += byMs;
    await this.publishDue();
    await this.signIn();
  }

  async recount(): Promise<void> {
    const argv = ["recount", "--organization", String(this.organization.id), "--json"];
    await succeeds(this.stage.world.databaseUrl, argv);
  }

  /** All pages of the emails endpoint. */
  async readAll(service = this.service, perPage = 100): Promise<Record<string, unknown>[]> {
    const emails: Record<string, unknown>[] = [];
    for (let page = 1; ; page++) {
      const path = `/data_api/v1/emails?per_page=${perPage}&page=${page}`;
      const { body } = JSON.parse(`{"body":${await this.getCached(service, path)}}`);
      emails.push(...body.emails);
      if (page >= body.meta.total_pages) {
        assert.equal(emails.length, body.meta.total_entries);
        return emails;
      }
    }
  }

  /** Reads as a client that keeps responses with their ETags. */
  async getCached(service: Service, path: string): Promise<string> {
    const name = `${service.port} ${path}`;
    const kept = this.kept.get(name);
    const headers = kept && { "if-none-match": kept.etag };
    const response = await service.get(path, { key: this.readKey, ...(headers && { headers }) });
    if (response.status === 304 && kept) return kept.text;
    assert.equal(response.status, 200, `${path}: ${response.text}`);
    this.kept.set(name, { etag: response.headers.get("etag") ?? "", text: response.text });
    return response.text;
  }

  /** Signs both admins in, as they do again after the clock moved. */
  async signIn(): Promise<void> {
    const { world } = this.stage;
    const organizationId = this.organization.id;
    await world.database.transactionOf(organizationId, async (scope) => {
      const keys = await listApiKeys(scope);
      this.keyNumber = keys.find(({ scope }) => scope === "ingest")?.sender ?? 0;
      for (const index of [0, 1]) {
        const email = `admin-${index}@of-${organizationId}.example.com`;
        const user =
          this.admins[index]?.user ?? (await addUser(scope, { email, role: "admin", now: this.now }));
        const secret = await addSession(scope, user, { client: "a test", now: this.now });
        this.admins[index] = { user, secret };
      }
    });
  }

  /** A request of a program, which must not fail by a fault of the server. */
  async send(
    method: "PUT" | "POST" | "DELETE",
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response> {
    const response = await this.service.send(path, {
      ...{ method, body, key: this.ingestKey },
      ...(headers && { headers }),
    });
    assert.ok(response.status < 500, `${method} ${path}: ${response.status} ${response.text}`);
    return response;
  }

  async getPage(path: string, admin = 0): Promise<PageResponse> {
    const secret = this.admins[admin]?.secret ?? "";
    const page = await requestPage(this.service.url + path, { cookie: `ea_session=${secret}` });
    assert.ok(page.status < 500, `${path}: ${page.status}`);
    assert.notEqual(page.status, 303, `${path}: not signed in`);
    return page;
  }

  async post(path: string, fields: Record<string, string | File>, admin = 0): Promise<PageResponse> {
    const secret = this.admins[admin]?.secret ?? "";
    const sent = { ...fields, form_token: csrfTokenOf(secret) };
    const response = await requestPage(this.service.url + path, {
      cookie: `ea_session=${secret}`,
      fields: sent,
    });
    assert.ok(response.status < 500, `POST ${path}: ${response.status} ${problemIn(response.text)}`);
    return response;
  }

  /** The form of a page for an action; undefined if the page has none. @param with fields that it must have */
  async formOf(
    path: string,
    action: string,
    { admin = 0, having = {} }: { admin?: number; having?: FormFields } = {},
  ): Promise<{ to: string; fields: FormFields } | undefined> {
    const page = await this.getPage(path, admin);
    const wanted = Object.entries({ action, ...having });
    const form = formsIn(page.text).find(({ fields }) =>
      wanted.every(([name, value]) => fields[name] === value),
    );
    return form && { to: form.to || path, fields: form.fields };
  }

  /** Fills in a form of a page and sends it, as an admin does. The page must have it. */
  async submit(
    path: string,
    action: string,
    changes: Record<string, string | File> = {},
    options: { admin?: number; having?: FormFields } = {},
  ): Promise<PageResponse> {
    const form = await this.formOf(path, action, options);
    assert.ok(form, `${path} has no form for ${action}`);
    return this.post(form.to, { ...form.fields, ...changes }, options.admin);
  }
}

/** The cursor of a client is not of this database. */
class ChangesGone extends Error {}

/** A response to a form, which must be taken. */
export function taken(response: PageResponse, status = 303): PageResponse {
  assert.equal(response.status, status, problemIn(response.text));
  return response;
}

/** What an error page says. */
export function problemIn(html: string): string {
  const text = /<main.*?<\/main>/s.exec(html)?.[0] ?? html;
  return text
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .slice(0, 400);
}
