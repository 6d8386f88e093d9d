// Sends random requests to every interface. The service gives only answers that are documented, logs no fault, keeps its
// memory bounded, and changes no record of another organization.

import assert from "node:assert/strict";
import { join } from "node:path";
import { progressBar } from "../../src/cli/progress-bar.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { generateEvents, requestBodies } from "../../test/support/generated-events.ts";
import { Random } from "../../test/support/histories.ts";
import { request } from "../../test/support/request.ts";
import {
  type Keys,
  makeOrganization,
  type RunningService,
  registerCampaigns,
  sendAll,
  startService,
  stopService,
} from "../../test/support/service-process.ts";
import { run } from "../../test/support/world.ts";
import type { Answer } from "../support/http-answers.ts";
import { PipelinedConnection } from "../support/pipelined-connection.ts";
import { checkAnswer } from "./check-answer.ts";
import { type FuzzedOrganization, renewOrganization } from "./fuzzed-organization.ts";
import { describeRequest, type FuzzedRequest, type UnnumberedRequest } from "./fuzzed-request.ts";
import { trackingRequest, webRequest } from "./people-requests.ts";
import {
  campaignRequest,
  eventsRequest,
  messagesRequest,
  metricsRequest,
  otherRequest,
  webhookRequest,
} from "./program-requests.ts";
import { rawRequest } from "./raw-requests.ts";
import {
  changesRequest,
  downloadRequest,
  emailsRequest,
  metricContractRequest,
  odataRequest,
} from "./read-requests.ts";
import { sendAlone, sendPipelined } from "./send-fuzzed.ts";

export interface FuzzOptions {
  folder: string;
  requests: number;
  /** By default, requests to every interface. */
  shares?: readonly Share[];
  /** Limit on the resident memory of the process at the end. */
  maxMegabytes: number;
  print: (line: string) => void;
}

const connections = 12;
/** Requests that a connection sends before it reads the first answer. The server lets 20 wait. */
const pipelined = 12;
/** Requests between two renewals of what they may have deleted. */
const roundLength = 20_000;

/** How many of a thousand requests are of a kind. */
type Share = readonly [
  perThousand: number,
  make: (random: Random, organization: FuzzedOrganization) => UnnumberedRequest,
];

export const odataShares: readonly Share[] = [[1_000, odataRequest]];

const allShares: readonly Share[] = [
  [220, emailsRequest],
  [60, odataRequest],
  [100, changesRequest],
  [60, downloadRequest],
  [30, metricContractRequest],
  [100, otherRequest],
  [130, eventsRequest],
  [40, campaignRequest],
  [10, messagesRequest],
  [80, webhookRequest],
  [80, trackingRequest],
  [30, webRequest],
  [40, metricsRequest],
  [20, rawRequest],
];

/**
 * The request of a number is always the same, except for its credentials.
 *
 * @throws AssertionError that has the number of the request whose answer is wrong
 */
export async function verifyFuzz(options: FuzzOptions): Promise<void> {
  const { folder, requests, shares = allShares, maxMegabytes, print } = options;
  const databaseUrl = `sqlite:${join(folder, "fuzz.db")}`;
  const untouched = await makeOrganization(databaseUrl);
  const fuzzed = await makeOrganization(databaseUrl);
  const service = await startService(databaseUrl, { environment });
  try {
    const recordsBefore = await fillOrganization(service.url, untouched);
    const started = performance.now();
    const statuses = await sendRequests(service, {
      databaseUrl,
      organizationId: fuzzed.organizationId,
      requests,
      shares,
    });
    const perSecond = Math.round((requests * 1000) / (performance.now() - started));
    print(`${requests} requests, ${perSecond} per second; answers: ${describe(statuses)}`);
    assert.ok((statuses.get(503) ?? 0) <= requests / 1_000, "more than one of a thousand was refused");
    assert.equal(await readAll(service.url, untouched.read), recordsBefore);
    print("the records of another organization are unchanged, byte for byte");
    const megabytes = await measureMemory(service);
    print(`memory of the process: ${megabytes} MB`);
    assert.ok(megabytes <= maxMegabytes, `${megabytes} MB, above ${maxMegabytes}`);
    assert.equal(service.child.exitCode, null, "the process ended");
  } finally {
    await stopService(service);
  }
  checkLog(service.stderr(), print);
  const recounted = await run(databaseUrl, ["recount"]);
  assert.equal(recounted.exitCode, 0, recounted.stderr);
  print(recounted.stderr.trim());
}

const environment = {
  MONITORING: "127.0.0.1:0",
  TRACKING_SECRET: "a-secret-for-fuzzing-that-is-long-enough",
  // Requests with events that need quarantine would be refused with 503 beyond the quota.
  QUARANTINE_MAX: "100000000",
  // With those that wait, one for each connection.
  DOWNLOADS_MAX: "4",
};

/** Registers campaigns and sends events. Returns the records. */
async function fillOrganization(url: string, { ingest, read }: Keys): Promise<string> {
  const campaigns = 30;
  const events = [...generateEvents(2_000, campaigns)];
  await registerCampaigns(url, ingest, campaigns);
  await sendAll(
    url,
    ingest,
    requestBodies(events.length, (position) => events[position]),
    4,
  );
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
  {
    databaseUrl,
    organizationId,
    requests,
    shares,
  }: { databaseUrl: string; organizationId: number; requests: number; shares: readonly Share[] },
): Promise<Map<number, number>> {
  const database = await openDatabase(databaseUrl);
  const bar = progressBar({ json: false, stdout: process.stdout, stderr: process.stderr });
  const statuses = new Map<number, number>();
  try {
    for (let first = 0; first < requests; first += roundLength) {
      bar.show(first / requests, `${first} requests`);
      const round = 1 + first / roundLength;
      const organization = await renewOrganization(database, { url: service.url, organizationId, round });
      const last = Math.min(first + roundLength, requests);
      await sendRound(service, organization, { first, last, shares, statuses });
    }
  } finally {
    bar.clear();
    await database.close();
  }
  return statuses;
}

/** Sends the requests of the numbers from `first` to before `last`. */
async function sendRound(
  { url, monitoring = "" }: RunningService,
  organization: FuzzedOrganization,
  {
    first,
    last,
    shares,
    statuses,
  }: { first: number; last: number; shares: readonly Share[]; statuses: Map<number, number> },
): Promise<void> {
  const check = (request: FuzzedRequest, answer: Answer) => {
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    try {
      checkAnswer(request, answer);
    } catch (error) {
      throw new Error(describeRequest(request), { cause: error });
    }
  };
  const { origin: metricsUrl } = new URL(monitoring);
  let next = first;
  const client = async () => {
    let connection = new PipelinedConnection(url);
    let metricsConnection = new PipelinedConnection(metricsUrl);
    while (next < last) {
      const from = next;
      next = Math.min(next + pipelined, last);
      const requests = Array.from({ length: next - from }, (_, index) =>
        makeRequest(from + index, shares, organization),
      );
      const { alone = [], downloads = [], metrics = [], others = [] } = Object.groupBy(requests, groupOf);
      connection = await sendPipelined(url, connection, others, check);
      metricsConnection = await sendPipelined(metricsUrl, metricsConnection, metrics, check);
      // One at a time: the service refuses downloads if more wait than it lets wait.
      for (const request of downloads) connection = await sendPipelined(url, connection, [request], check);
      for (const request of alone) {
        for (const answer of await sendAlone(url, request)) check(request, answer);
      }
    }
    connection.destroy();
    metricsConnection.destroy();
  };
  await Promise.all(Array.from({ length: connections }, client));
}

function groupOf({ interface: name, isAlone }: FuzzedRequest) {
  if (isAlone) return "alone";
  if (name === "download" || name === "odata") return "downloads";
  return name === "metrics" ? "metrics" : "others";
}

function makeRequest(
  number: number,
  shares: readonly Share[],
  organization: FuzzedOrganization,
): FuzzedRequest {
  const random = new Random(number);
  let left = random.between(1, 1_000);
  const make = shares.find(([perThousand]) => {
    left -= perThousand;
    return left <= 0;
  })?.[1];
  if (!make) throw new Error("the shares must add up to 1,000");
  return { ...make(random, organization), number };
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
function checkLog(stderr: string, print: (line: string) => void): void {
  const lines = stderr.split("\n").filter((line) => line !== "");
  const faults = lines.filter((line) => !line.startsWith("{") || /"level":[56]0|"stack":/.test(line));
  assert.deepEqual(faults.slice(0, 3), []);
  const counts = Map.groupBy(lines, (line) => (JSON.parse(line) as { msg: string }).msg);
  const warnings = [...counts].map(([message, { length }]) => `${message} (${length})`);
  print(`warnings in the log: ${warnings.join(", ") || "none"}`);
}
