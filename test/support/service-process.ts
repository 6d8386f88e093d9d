// Runs `serve` as a process, with an organization of generated campaigns, for checks and benchmarks.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { addApiKey } from "../../src/storage/keys/api-keys.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { addOrganization, saveOrganization } from "../../src/storage/organizations/organizations.ts";
import { Scope } from "../../src/storage/queries/scope.ts";
import { generateCampaign } from "./generated-events.ts";
import { programPath } from "./program.ts";
import { request } from "./request.ts";

export interface Keys {
  organizationId: number;
  read: string;
  ingest: string;
}

export async function makeOrganization(databaseUrl: string, name = "Verify"): Promise<Keys> {
  const database = await openDatabase(databaseUrl);
  const now = Date.now();
  const keys = await database.transaction(async (queries) => {
    const { id } = await addOrganization(queries, { name, timeZone: "UTC", now });
    // Answers that wait for others depend on the order of arrival, which most of these tests do not know.
    await saveOrganization(new Scope(queries, id), { minAnswers: 1 });
    const add = async (scope: "read" | "ingest") =>
      (await addApiKey(new Scope(queries, id), { name: scope, scope, region: "local", now })).text;
    return { organizationId: id, read: await add("read"), ingest: await add("ingest") };
  });
  await database.close();
  return keys;
}

export interface RunningService {
  url: string;
  /** The URL of its metrics, if the environment sets MONITORING. */
  monitoring?: string;
  child: ChildProcess;
  /** Resolves when the process has ended. */
  ended: Promise<unknown>;
  stderr(): string;
}

/**
 * @param command runs the program; this Node by default
 * @param program another copy of the program
 * @param argv more options of `serve`
 * @param environment more settings
 */
export async function startService(
  databaseUrl: string,
  {
    command = [process.execPath],
    program = programPath,
    argv = [],
    environment = {},
  }: { command?: string[]; program?: string; argv?: string[]; environment?: Record<string, string> } = {},
): Promise<RunningService> {
  const [file = "", ...given] = [...command, program, "serve", "--port", "0", "--json", ...argv];
  const child = spawn(file, given, {
    env: { ...process.env, DATABASE_URL: databaseUrl, LOG_LEVEL: "warn", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const ended = once(child, "close");
  const first = createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const line = await Promise.race([first, ended.then(() => ({ value: undefined }))]);
  if (!line.value) throw new Error(`serve did not start: ${errors}`);
  const urls = JSON.parse(line.value) as Pick<RunningService, "url" | "monitoring">;
  return { ...urls, child, ended, stderr: () => errors };
}

export async function stopService({ child, ended }: RunningService, signal: NodeJS.Signals = "SIGTERM") {
  child.kill(signal);
  await ended;
}

export async function registerCampaigns(
  url: string,
  key: string,
  campaigns: number,
  firstId = 1,
): Promise<void> {
  for (let id = firstId; id < firstId + campaigns; id++) {
    const campaign = JSON.stringify(generateCampaign(id));
    const { status, text } = await request(`${url}/ingest/v1/campaigns/${id}`, key, campaign, "PUT");
    if (status !== 201) throw new Error(`PUT ${id}: ${status} ${text}`);
  }
}

export interface IngestReply {
  accepted: number;
  repeated: number;
  quarantined: number;
  problems: unknown[];
}

/** Sends one request with events. Rejects if the response is not 200. */
export async function sendEvents(
  url: string,
  key: string,
  events: readonly unknown[] | string,
): Promise<IngestReply> {
  const body = typeof events === "string" ? events : JSON.stringify({ events });
  const { status, text } = await request(`${url}/ingest/v1/events`, key, body);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return JSON.parse(text);
}

const retryAfterMs = 250;
const maxAttempts = 400;

/** Sends a request with events again while the service is too busy, as senders do. Rejects at any other error. */
async function sendUntilAccepted(url: string, key: string, body: string): Promise<IngestReply> {
  for (let attempt = 1; ; attempt++) {
    const { status, text } = await request(`${url}/ingest/v1/events`, key, body);
    if (status === 200) return JSON.parse(text);
    if (status !== 503 || attempt === maxAttempts) throw new Error(`${status} ${text}`);
    await pause(retryAfterMs);
  }
}

/** Sends all bodies over several connections. Each connection sends the next body once the last one was accepted. */
export async function sendAll(
  url: string,
  key: string,
  bodies: Iterable<string>,
  connections: number,
): Promise<Pick<IngestReply, "accepted" | "repeated" | "quarantined">> {
  const sum = { accepted: 0, repeated: 0, quarantined: 0 };
  const queue = bodies[Symbol.iterator]();
  const connection = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      const { accepted, repeated, quarantined } = await sendUntilAccepted(url, key, next.value);
      sum.accepted += accepted;
      sum.repeated += repeated;
      sum.quarantined += quarantined;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return sum;
}

/** All records by ID. */
export async function readRecords(url: string, key: string): Promise<Map<number, Record<string, unknown>>> {
  const records = new Map<number, Record<string, unknown>>();
  for (let page = 1; ; page++) {
    const { text } = await request(`${url}/data_api/v1/emails?per_page=100&page=${page}`, key);
    const { emails } = JSON.parse(text) as { emails: { id: number }[] };
    if (emails.length === 0) return records;
    for (const record of emails) records.set(record.id, record);
  }
}
