// The largest work that one organization may give the service: files of campaigns, lists and directories.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { addAttributes } from "../../src/counting/audience/add-attributes.ts";
import { findCampaignGroups } from "../../src/storage/audience/campaign-groups.ts";
import { listGroups } from "../../src/storage/audience/store-groups.ts";
import { isInWork, listImports } from "../../src/storage/imports/imports.ts";
import type { Database } from "../../src/storage/queries/database.ts";
import type { Scope } from "../../src/storage/queries/scope.ts";
import { request } from "./request.ts";
import type { Keys, RunningService } from "./service-process.ts";
import { uploadInPieces } from "./upload-in-pieces.ts";
import { startSession, type UserSession } from "./user-session.ts";
import { requestPage } from "./web-world.ts";

const attributes = Array.from({ length: 8 }, (_, index) => `Attribute ${index + 1}`);
const valuesPerAttribute = 300;

/** Recipients with their groups. @param shift moves each of them to other groups */
export function largeList(recipients: number, shift: number): string {
  const lines = Array.from({ length: recipients }, (_, index) => {
    const values = attributes.map((_each, at) => `Value ${(index * (at + 3) + shift) % valuesPerAttribute}`);
    return [`person.${index}@example.com`, ...values].join();
  });
  return `${["recipient", ...attributes].join()}\n${lines.join("\n")}\n`;
}

/** @param tagged how many of them have the tag `Newsletter` */
function largeFile(campaigns: number, tagged: number): Buffer {
  const lines = Array.from({ length: campaigns }, (_, index) => {
    const [id, at] = [index + 1, new Date(Date.UTC(2020, 0, 1) + index * 3_600_000).toISOString()];
    const numbers = `${1_000 + (index % 500)},${300 + (index % 200)}`;
    return `${id},Campaign ${id},${at},${numbers},${index < tagged ? "Newsletter" : ""}`;
  });
  return Buffer.from(`id,subject,sent_at,recipient_count,unique_opens,tags\n${lines.join("\n")}\n`);
}

/** Recipients by value, of the list of a campaign, as a text that tells two lists apart. */
export function groupsOfList(
  database: Database,
  organizationId: number,
  campaignId: number,
): Promise<string> {
  return database.snapshotOf(organizationId, async (scope) => {
    const names = new Map((await listGroups(scope)).map((group) => [group.id, group.name]));
    const counted = await findCampaignGroups(scope, [campaignId]);
    return JSON.stringify(
      counted
        .map(({ attributeId, groupId, recipients }) => [attributeId, names.get(groupId), recipients])
        .sort(),
    );
  });
}

/** Waits until nothing of the organization's large work is left to be done or purged. */
export async function untilSettled(database: Database, organizationId: number): Promise<void> {
  for (;;) {
    const left = await database.snapshotOf(organizationId, async (scope) => {
      const rows = (table: string, condition = "true") => {
        const own = sql`organization_id = ${organizationId} and ${sql.raw(condition)}`;
        return sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)} where ${own}`.execute(
          scope,
        );
      };
      const [lists, staged] = [await rows("recipient_lists"), await rows("ledgers", "secret is null")];
      const imports = (await listImports(scope)).filter(isInWork);
      return imports.length + Number(lists.rows[0]?.rows) + Number(staged.rows[0]?.rows);
    });
    if (left === 0) return;
    await pause(100);
  }
}

export class LargeWork {
  /** Another one, after the first was killed. */
  service: RunningService;
  readonly #keys: Keys;
  readonly #session: UserSession;

  private constructor(service: RunningService, keys: Keys, session: UserSession) {
    this.service = service;
    this.#keys = keys;
    this.#session = session;
  }

  /** Signs in an admin, and adds attributes. */
  static async start(database: Database, service: RunningService, keys: Keys): Promise<LargeWork> {
    const session = await startSession(database, keys.organizationId);
    await database.transactionOf(keys.organizationId, (scope: Scope) => addAttributes(scope, attributes));
    return new LargeWork(service, keys, session);
  }

  /** @returns the path of the file's page */
  upload(campaigns: number, tagged = 0): Promise<string> {
    const file = { name: "large.csv", content: largeFile(campaigns, tagged) };
    return uploadInPieces(this.service.url, this.#session, file);
  }

  async show(path: string): Promise<string> {
    const { status, text } = await requestPage(this.service.url + path, this.#session);
    assert.equal(status, 200, text.slice(0, 3_000));
    return text;
  }

  /** @returns the path of the page that shows what was done */
  async post(path: string, fields: Record<string, string>): Promise<string> {
    const { cookie, csrfToken } = this.#session;
    const form = { cookie, fields: { form_token: csrfToken, ...fields } };
    const { status, text, location } = await requestPage(this.service.url + path, form);
    assert.equal(status, 303, text.slice(0, 3_000));
    return location ?? path;
  }

  /** @returns how many recipients the service has saved */
  async put(path: string, list: string): Promise<number> {
    const headers = {
      authorization: `Bearer ${this.#keys.ingest}`,
      "content-type": "text/csv",
      "content-encoding": "gzip",
    };
    const body = new Uint8Array(gzipSync(list));
    const response = await fetch(this.service.url + path, { method: "PUT", headers, body });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return JSON.parse(text).recipients;
  }

  /** How many campaigns the organization has. */
  async total(): Promise<number> {
    const { text } = await request(`${this.service.url}/data_api/v1/emails?per_page=1`, this.#keys.read);
    return JSON.parse(text).meta.total_entries;
  }
}
