// Sends random requests to every interface. The service gives only answers that are documented, logs no fault, keeps its
// memory bounded, and changes no record of another organization.

import assert from "node:assert/strict";
import { Agent } from "node:http";
import { join } from "node:path";
import test from "node:test";
import { serverLimits } from "../../../src/http/request/limits.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { generateEvents, requestBodies } from "../../support/generated-events.ts";
import { Random } from "../../support/histories.ts";
import { randomCases, report } from "../../support/random-cases.ts";
import { request } from "../../support/request.ts";
import {
  type Keys,
  makeOrganization,
  type RunningService,
  registerCampaigns,
  sendAll,
  startService,
  stopService,
} from "../../support/service-process.ts";
import { makeFolder, succeeds } from "../../support/world.ts";
import { checkAnswer } from "./check-answer.ts";
import { type FuzzedOrganization, renewOrganization } from "./fuzzed-organization.ts";
import type { FuzzedRequest, MakeRequest } from "./fuzzed-request.ts";
import { rawBytes } from "./raw-requests.ts";
import { documentedRequest, odataRequest } from "./read-requests.ts";
import { sendRaw, sendRequest } from "./send-request.ts";
import {
  campaignRequest,
  eventsRequest,
  formRequest,
  messagesRequest,
  metricsRequest,
  otherRequest,
  pageRequest,
  trackingRequest,
  webhookRequest,
} from "./send-requests.ts";

const requests = randomCases(300, 3_000_000);
const maxMegabytes = 1_000;
const connections = 12;
/** Requests between two renewals of what they may have deleted. */
const roundLength = 20_000;

/** How many of a thousand requests are of a kind. The others are raw bytes. */
const shares: readonly (readonly [perThousand: number, make: MakeRequest])[] = [
  [410, documentedRequest],
  [100, odataRequest],
  [100, otherRequest],
  [110, eventsRequest],
  [40, campaignRequest],
  [10, messagesRequest],
  [70, webhookRequest],
  [80, trackingRequest],
  [20, pageRequest],
  [10, formRequest],
  [30, metricsRequest],
];

test("every interface gives only documented answers to random requests", async (t) => {
  const databaseUrl = `sqlite:${join(makeFolder(t), "fuzz.db")}`;
  const untouched = await makeOrganization(databaseUrl);
  const fuzzed = await makeOrganization(databaseUrl);
  const service = await startService(databaseUrl, { environment });
  try {
    const recordsBefore = await fillOrganization(service.url, untouched);
    const started = performance.now();
    const statuses = await sendRequests(service, databaseUrl, fuzzed.organizationId);
    const perSecond = Math.round((requests * 1000) / (performance.now() - started));
    report(`${requests} requests, ${perSecond} per second; answers: ${describe(statuses)}`);
    assert.ok((statuses.get(503) ?? 0) <= requests / 1_000, "more than one of a thousand was refused");
    assert.equal(await readAll(service.url, untouched.read), recordsBefore);
    report("the records of another organization are unchanged, byte for byte");
    const megabytes = await measureMemory(service);
    report(`memory of the process: ${megabytes} MB`);
    assert.ok(megabytes <= maxMegabytes, `${megabytes} MB, above ${maxMegabytes}`);
    assert.equal(service.child.exitCode, null, "the process ended");
  } finally {
    await stopService(service);
  }
  checkLog(service.stderr());
  report((await succeeds(databaseUrl, ["recount"])).stderr.trim());
});

const environment = {
  MONITORING: "127.0.0.1:0",
  TRACKING_SECRET: "a-secret-for-fuzzing-that-is-long-enough",
  // Requests with events that need quarantine would be refused with 503 beyond the quota.
  QUARANTINE_BYTES: "100000000000",
  // With those that wait, one for each connection.
  DOWNLOADS_MAX: "4",
};

/** Registers campaigns and sends events. Returns the records. */
async function fillOrganization(url: string, { ingest, read }: Keys): Promise<string> {
  const campaigns = 30;
  await registerCampaigns(url, ingest, campaigns);
  await sendAll(url, ingest, requestBodies(generateEvents(2_000, campaigns)), 4);
  return readAll(url, read);
}

/** The body with all records. */
async function readAll(url: string, key: string): Promise<string> {
  const { status, text } = await request(`${url}/data_api/v1/emails?per_page=100`, key);
  assert.equal(status, 200, text);
  return text;
}

/** Returns how often each status was the answer. */
async function sendRequests(
  service: RunningService,
  databaseUrl: string,
  organizationId: number,
): Promise<Map<number, number>> {
  const database = await openDatabase(databaseUrl);
  const agent = new Agent({ keepAlive: true });
  const statuses = new Map<number, number>();
  try {
    for (let first = 0; first < requests; first += roundLength) {
      const round = 1 + first / roundLength;
      const organization = await renewOrganization(database, { url: service.url, organizationId, round });
      let next = first;
      const client = async () => {
        while (next < Math.min(first + roundLength, requests)) {
          const status = await sendOne(next++, service, organization, agent);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: connections }, client));
    }
  } finally {
    agent.destroy();
    await database.close();
  }
  return statuses;
}

/**
 * The request of a number is always the same, except for its credentials.
 *
 * @returns the status of the answer; 0 for raw bytes
 * @throws Error that has the request whose answer is wrong
 */
async function sendOne(
  number: number,
  { url, monitoring = "" }: RunningService,
  organization: FuzzedOrganization,
  agent: Agent,
): Promise<number> {
  const random = new Random(number);
  let left = random.between(1, 1_000);
  const make = shares.find(([perThousand]) => {
    left -= perThousand;
    return left <= 0;
  })?.[1];
  const sent = make ? make(random, organization) : rawBytes(random, organization);
  try {
    if (Buffer.isBuffer(sent)) {
      await sendRaw(url, sent);
      return 0;
    }
    const origin = sent.interface === "metrics" ? monitoring : url;
    const answer = await sendRequest(origin, sent, { agent, random });
    checkAnswer(sent, answer);
    return answer.status;
  } catch (error) {
    if (!Buffer.isBuffer(sent) && isRefusedUnread(sent, error)) return 431;
    const shown = Buffer.isBuffer(sent) ? sent.toString("latin1") : { ...sent, body: String(sent.body) };
    throw new Error(`request ${number}: ${JSON.stringify(shown).slice(0, 2_000)}`, { cause: error });
  }
}

/**
 * Node refuses a head beyond its own limit without saying the method, so the answer to HEAD has a body, which Node's client
 * refuses in turn.
 */
function isRefusedUnread({ method, target }: FuzzedRequest, error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return method === "HEAD" && target.length > serverLimits.headBytes && code === "HPE_CLOSED_CONNECTION";
}

function describe(statuses: ReadonlyMap<number, number>): string {
  const sorted = [...statuses].sort(([one], [other]) => one - other);
  return sorted.map(([status, count]) => `${status}: ${count}`).join(", ");
}

async function measureMemory({ monitoring = "" }: RunningService): Promise<number> {
  const text = await (await fetch(monitoring)).text();
  return Math.round(Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 1024 / 1024);
}

/** @throws AssertionError if the log has an error or a stack */
function checkLog(stderr: string): void {
  const lines = stderr.split("\n").filter((line) => line !== "");
  const faults = lines.filter((line) => !line.startsWith("{") || /"level":[56]0|"stack":/.test(line));
  assert.deepEqual(faults.slice(0, 3), []);
  const counts = Map.groupBy(lines, (line) => (JSON.parse(line) as { msg: string }).msg);
  const warnings = [...counts].map(([message, { length }]) => `${message} (${length})`);
  report(`warnings in the log: ${warnings.join(", ") || "none"}`);
}
