// The environment of a test: a real database in a temporary folder, a real server on a real socket, a fixed clock, and
// a shell with captured output. Everything is removed when the test ends.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { pino } from "pino";
import type { Tag } from "../../src/campaign/campaign.ts";
import { parseCountedCampaign } from "../../src/campaign/counted-campaign.ts";
import { metricNames, type ReportedMetrics } from "../../src/campaign/metrics.ts";
import type { TagReference } from "../../src/campaign/parse-tags.ts";
import type { ReportedCampaign } from "../../src/campaign/reported-campaign.ts";
import type { Shell } from "../../src/cli/shell/shell.ts";
import { changeOrganization } from "../../src/counting/campaigns/change-organization.ts";
import { closeCampaign } from "../../src/counting/campaigns/close-campaigns.ts";
import { saveCountedCampaign } from "../../src/counting/campaigns/save-counted-campaign.ts";
import {
  type SaveStatus,
  saveReportedCampaigns,
} from "../../src/counting/campaigns/save-reported-campaigns.ts";
import { classifyEvents } from "../../src/counting/events/classify-events.ts";
import { type IngestResult, ingestEvents } from "../../src/counting/events/ingest-events.ts";
import { publishAllDue } from "../../src/counting/publish.ts";
import type { ServerOptions } from "../../src/http/server/server.ts";
import { addApiKey } from "../../src/storage/keys/api-keys.ts";
import { findSenders } from "../../src/storage/keys/senders.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import {
  addOrganization,
  findOrganization,
  type Organization,
  type OrganizationChange,
} from "../../src/storage/organizations/organizations.ts";
import { listTags } from "../../src/storage/organizations/tags.ts";
import type { Database } from "../../src/storage/queries/database.ts";
import { Scope } from "../../src/storage/queries/scope.ts";
import "./program.ts";
import { makePostgresDatabase } from "./postgres-databases.ts";
import { copySqliteTemplate } from "./sqlite-template.ts";

export const region = "test";

/** The current time in all tests. */
export const present = Date.UTC(2026, 5, 15, 12);

/** The secret that seals tracking URLs. */
export const trackingSecret = "a secret of the tests, long enough".replaceAll(" ", "-");

/** Runs steps when a test ends, or when all tests of a file have ended. */
export interface Cleanup {
  after(step: () => unknown): void;
}

interface AddedOrganization {
  organization: Organization;
  key: string;
  /** A key of the scope `ingest`. */
  ingestKey: string;
}

export interface World {
  database: Database;
  databaseUrl: string;
  /** A temporary folder. */
  folder: string;
  clock: { now: number };
  addOrganization(options?: { name?: string; timeZone?: string }): Promise<AddedOrganization>;
  /** Reads data of an organization. */
  read<Result>(of: Pick<Organization, "id">, work: (scope: Scope) => Promise<Result>): Promise<Result>;
  /** Changes data of an organization in a transaction. */
  write<Result>(of: Pick<Organization, "id">, work: (scope: Scope) => Promise<Result>): Promise<Result>;
  changeOrganization(organization: Organization, change: OrganizationChange): Promise<void>;
  tagsOf(organization: Organization): Promise<Tag[]>;
  save(organization: Organization, campaigns: ReportedCampaign[]): Promise<SaveStatus[]>;
  /** Registers a counted campaign with the `ingestKey`. `given` has fields as the API takes them, and overrides the defaults. */
  register(
    organization: Organization,
    id: number,
    given?: Record<string, unknown>,
  ): Promise<"added" | "changed" | "unchanged">;
  /** Ingests events, as the API takes them, in one batch that arrives now. */
  ingest(organization: Organization, events: readonly unknown[]): Promise<IngestResult>;
  closeCampaign(organization: Organization, id: number): Promise<void>;
  /** Publishes the campaigns whose send time has come, as upkeep does every second. */
  publishDue(): Promise<void>;
}

export async function makeWorld(test: Cleanup): Promise<World> {
  const folder = makeFolder(test);
  return worldOn(test, folder, await makeDatabase(test, { folder }));
}

/** A world with the organization Acme; registers campaign 1 if fields are given that override the default ones. */
export async function makeAcme(
  test: Cleanup,
  { register, ...options }: { timeZone?: string; register?: Record<string, unknown> } = {},
): Promise<AddedOrganization & { world: World }> {
  const world = await makeWorld(test);
  const added = await world.addOrganization(options);
  if (register) await world.register(added.organization, 1, register);
  return { world, ...added };
}

/** A world on SQLite, in the file `test.db` of its folder: for tests that concern SQLite only. */
export function makeSqliteWorld(test: Cleanup): Promise<World> {
  const folder = makeFolder(test);
  copySqliteTemplate(sqliteFile(folder));
  return worldOn(test, folder, sqliteUrl(folder));
}

/** A world on an existing database. */
export function makeWorldOn(test: Cleanup, databaseUrl: string, clock?: World["clock"]): Promise<World> {
  return worldOn(test, makeFolder(test), databaseUrl, clock);
}

async function worldOn(
  test: Cleanup,
  folder: string,
  databaseUrl: string,
  clock: World["clock"] = { now: present },
): Promise<World> {
  const database = await openDatabase(databaseUrl);
  test.after(() => database.close());
  /** Runs a transaction with the current state of the organization, which the test may have changed. */
  const change = <Result>(
    { id }: Organization,
    work: (scope: Scope, organization: Organization) => Promise<Result>,
  ) =>
    database.transactionOf(id, async (scope) => {
      const organization = await findOrganization(scope);
      if (!organization) throw new Error(`no organization ${id}`);
      return work(scope, organization);
    });
  return {
    database,
    databaseUrl,
    folder,
    clock,
    addOrganization: ({ name = "Acme", timeZone = "UTC" } = {}) =>
      database.transaction(async (queries) => {
        const organization = await addOrganization(queries, { name, timeZone, now: clock.now });
        const [scope, base] = [new Scope(queries, organization.id), { region, now: clock.now }];
        const key = await addApiKey(scope, { ...base, name: "test" });
        const ingestKey = await addApiKey(scope, { ...base, name: "sender", scope: "ingest" });
        return { organization, key: key.text, ingestKey: ingestKey.text };
      }),
    save: (to, campaigns) =>
      change(to, (scope, organization) => saveReportedCampaigns(scope, organization, campaigns, clock.now)),
    register: (to, id, given = {}) =>
      change(to, async (scope, organization) => {
        const counted = parseCountedCampaign(id, { ...countedCampaign(id), ...given }, organization.timeZone);
        if ("errors" in counted) throw new Error(JSON.stringify(counted.errors));
        const [sender] = (await findSenders(scope)).keys();
        return saveCountedCampaign(scope, organization, counted, clock.now, sender);
      }),
    read: ({ id }, work) => database.queryOf(id, work),
    write: ({ id }, work) => database.transactionOf(id, work),
    changeOrganization: (of, changed) =>
      database.transactionOf(of.id, (scope) => changeOrganization(scope, changed, clock.now)),
    tagsOf: ({ id }) => database.queryOf(id, listTags),
    closeCampaign: (of, id) =>
      change(of, (scope, organization) => closeCampaign(scope, organization, id, clock.now)),
    async publishDue() {
      while (await publishAllDue(database, clock.now));
    },
    ingest: (to, events) =>
      change(to, (scope, organization) => {
        const inputs = events.map((input) => ({ input }));
        const limits = { now: clock.now, maxQuarantineBytes: 100_000_000 };
        return ingestEvents(scope, organization, classifyEvents(inputs, clock.now), limits);
      }),
  };
}

/**
 * Creates a database and returns its URL: a file, or a database on the server of TEST_DATABASE_URL. In a test run it has its
 * tables already unless `isEmpty`.
 */
export async function makeDatabase(
  test: Cleanup,
  { folder = makeFolder(test), isEmpty = false } = {},
): Promise<string> {
  const url = await makePostgresDatabase(test, { isEmpty });
  if (url === undefined && !isEmpty) copySqliteTemplate(sqliteFile(folder));
  return url ?? sqliteUrl(folder);
}

const sqliteFile = (folder: string) => join(folder, "test.db");
const sqliteUrl = (folder: string) => `sqlite:${sqliteFile(folder)}`;

export function makeFolder(test: Cleanup): string {
  const folder = mkdtempSync(join(tmpdir(), "email-analytics-test-"));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The body of a PUT for a campaign: all required fields, sent an hour ago. */
export function countedCampaign(id: number): Record<string, unknown> {
  return {
    subject: `Campaign ${id}`,
    sent_at: "2026-06-15T11:00:00Z",
    sent_from: "news@example.com",
    team: "Default Team",
    sending_type: "Immediate",
    tracking_type: "Individual",
    recipient_count: 100,
    recipient_groups: ["Everybody"],
    tags: [],
    surveys_count: 0,
  };
}

/** A reported campaign with a different number in each metric. `given` overrides the defaults. */
export function campaign(
  given: Partial<ReportedCampaign["campaign"]> & {
    id: number;
    tags?: (string | TagReference)[];
    metrics?: Partial<ReportedMetrics>;
  },
): ReportedCampaign {
  const { tags = [], metrics = {}, ...rest } = given;
  const numbers = Object.fromEntries(metricNames.map((name, index) => [name, index + 1])) as ReportedMetrics;
  return {
    campaign: {
      subject: `Campaign ${given.id}`,
      sentAt: Date.UTC(2024, 0, 1, 9),
      sentFrom: "news@example.com",
      team: "Default Team",
      sendingType: "Timezone",
      trackingType: "Individual",
      recipientCount: 135,
      recipients: "Everybody",
      surveysCount: 0,
      ...rest,
    },
    metrics: { ...numbers, open_rate: 0.25, click_rate: 0.5, ...metrics },
    tags: tags.map((tag) => (typeof tag === "string" ? { name: tag, color: null } : tag)),
  };
}

export interface Service {
  url: string;
  port: number;
  /** Every log line, parsed. */
  logged: Record<string, unknown>[];
  /** The whole log as text. */
  log(): string;
  get(
    path: string,
    options?: { key?: string; headers?: Record<string, string>; method?: string },
  ): Promise<Response>;
  /** Sends a body: strings and bytes as they are, other values as JSON. */
  send(
    path: string,
    options: { key?: string; method?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Response>;
  emails(
    key: string,
    query?: string,
  ): Promise<{ emails: Record<string, unknown>[]; meta: Record<string, number> }>;
  /** Counts the open connections of the server. */
  connections(callback: (error: Error | null, count: number) => void): void;
  stop(): Promise<void>;
}

export interface Response {
  status: number;
  headers: Headers;
  text: string;
  // The fields that tests compare with literals.
  body: {
    emails: Record<string, unknown>[];
    meta: Record<string, number>;
    error: string;
    error_message: string;
  };
}

/** Options that override the defaults of a test server. */
export type ServedWith = Omit<Partial<ServerOptions>, "tracking"> & {
  tracking?: Partial<ServerOptions["tracking"]>;
};

/** Serves a world on a free port. */
export async function serve(
  test: Cleanup,
  world: World,
  { tracking, ...options }: ServedWith = {},
): Promise<Service> {
  const logged: Record<string, unknown>[] = [];
  let text = "";
  // Loaded only for tests that serve: it takes longer than most tests.
  const [{ buildServer }, { startWriterThread }] = await Promise.all([
    import("../../src/http/server/server.ts"),
    import("../../src/counting/writer/writer-thread.ts"),
  ]);
  const log = pino(
    { level: "trace" },
    {
      write(line: string) {
        text += line;
        logged.push(JSON.parse(line) as Record<string, unknown>);
      },
    },
  );
  const writer = startWriterThread({
    databaseUrl: world.databaseUrl,
    maxQueueBytes: 64 * 1024 * 1024,
    maxQuarantineBytes: 100_000_000,
  });
  let url = "";
  const app = await buildServer({
    database: world.database,
    writer,
    region,
    publicUrl: () => "https://analytics.example.com",
    indexBytes: 10_000_000,
    downloads: { databaseUrl: world.databaseUrl, maxDownloads: 2, maxSeconds: 60 },
    tracking: { secrets: [trackingSecret], url: () => url, maxOpenReads: 10, ...tracking },
    log,
    now: () => world.clock.now,
    // No test depends on when this is written.
    keyUsageMs: 2 ** 30,
    ...options,
  });
  url = await app.listen({ host: "127.0.0.1", port: 0 });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= app.close().then(() => writer.stop());
    return stopped;
  };
  test.after(stop);
  const ask = async (
    path: string,
    { key, headers = {}, method, body: sent }: Parameters<Service["send"]>[1],
  ): Promise<Response> => {
    const isRaw = typeof sent === "string" || sent instanceof Uint8Array || sent === undefined;
    const response = await fetch(url + path, {
      method: method ?? "GET",
      ...(sent !== undefined && {
        body: isRaw ? (sent as string | Uint8Array<ArrayBuffer>) : JSON.stringify(sent),
      }),
      headers: {
        ...(sent !== undefined && { "content-type": "application/json" }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        connection: "close",
        ...headers,
      },
    });
    const body = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text: body,
      body: body === "" ? undefined : JSON.parse(body),
    };
  };
  return {
    url,
    port: Number(new URL(url).port),
    logged,
    log: () => text,
    get: (path, options = {}) => ask(path, options),
    send: (path, options) => ask(path, { method: "POST", ...options }),
    async emails(key, query = "") {
      const { status, body, text: raw } = await ask(`/data_api/v1/emails${query}`, { key });
      if (status !== 200) throw new Error(`${status}: ${raw}`);
      return body;
    },
    connections: (callback) => app.server.getConnections(callback),
    stop,
  };
}

export interface Run {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** The exit code and both texts. */
  output: [exitCode: number, stdout: string, stderr: string];
  /** With `--json`: the lines of standard output, parsed. */
  rows: Record<string, unknown>[];
}

/**
 * Runs a CLI command in this process, on the database with this URL.
 *
 * @param command its arguments, or a text that is split at each space
 */
export async function run(
  databaseUrl: string,
  command: string | readonly string[],
  given: Partial<Omit<Shell, "stdin">> & { stdin?: string | Uint8Array } = {},
): Promise<Run> {
  const stdout = collecting();
  const stderr = collecting();
  const argv = typeof command === "string" ? command.split(" ") : [...command];
  const { main } = await import("../../src/main.ts");
  const exitCode = await main(argv, {
    stdout: stdout.stream,
    stderr: stderr.stream,
    environment: { DATABASE_URL: databaseUrl, REGION: region, LOG_LEVEL: "silent" },
    now: () => present,
    sleep: async () => undefined,
    untilStopped: async () => undefined,
    ...given,
    stdin: Readable.from([Buffer.from(given.stdin ?? "")]),
  });
  const rows = argv.includes("--json")
    ? stdout
        .text()
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    : [];
  const texts = { stdout: stdout.text(), stderr: stderr.text() };
  return { exitCode, ...texts, output: [exitCode, texts.stdout, texts.stderr], rows };
}

/** Runs a command that must succeed. */
export async function succeeds(...[databaseUrl, argv, given]: Parameters<typeof run>): Promise<Run> {
  const ran = await run(databaseUrl, argv, given);
  assert.equal(ran.exitCode, 0, `${[argv].flat().join(" ")}: ${ran.stdout}${ran.stderr}`);
  return ran;
}

/** A stream, and what was written to it. */
export function collecting() {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      done();
    },
  });
  const bytes = () => Buffer.concat(pieces);
  return { stream, bytes, text: () => bytes().toString() };
}
