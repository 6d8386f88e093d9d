// Guesses CSV links, and revokes others while clients use them: two processes accept no guess, and no link after it was
// revoked. Their logs, which have every request, contain no key and no link.

import assert from "node:assert/strict";
import { generateApiKey, type StoredScope } from "../src/access/api-key.ts";
import { dayMs } from "../src/campaign/calendar/durations.ts";
import { paths } from "../src/http/paths.ts";
import { addApiKey } from "../src/storage/api-keys.ts";
import type { Database } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open-database.ts";
import { changeOrganization } from "../src/storage/organizations.ts";
import { Random } from "../test/support/histories.ts";
import { startAdminSession } from "./support/admin-session.ts";
import { PipelinedConnection } from "./support/pipelined-connection.ts";
import { makeOrganization, type RunningService, startService, stopService } from "./support/service.ts";
import { waysToDeleteKeys } from "./support/ways-to-delete-keys.ts";

export interface CsvLinksOptions {
  /** A new database. */
  databaseUrl: string;
  guesses: number;
  revocations: number;
  print: (line: string) => void;
}

const region = "local";
const guessesPerRound = 50_000;
const connectionsPerProcess = 2;
/** Requests that a connection writes at once. */
const pipelined = 10;

interface Link {
  id: number;
  text: string;
}

interface Round {
  databaseUrl: string;
  database: Database;
  organizationId: number;
  random: Random;
}

interface Counts {
  guesses: number;
  revocations: number;
}

/** @throws AssertionError if a guess or a revoked link is accepted, or a log contains a key or a link */
export async function verifyCsvLinks(options: CsvLinksOptions): Promise<void> {
  const { databaseUrl, guesses, revocations, print } = options;
  const { organizationId } = await makeOrganization(databaseUrl);
  const database = await openDatabase(databaseUrl);
  const rounds = Math.ceil(guesses / guessesPerRound);
  const shareOf = (total: number, round: number) =>
    Math.floor((total * (round + 1)) / rounds) - Math.floor((total * round) / rounds);
  try {
    await database.transaction((queries) =>
      changeOrganization(queries, organizationId, { csvLinks: "allow" }, Date.now()),
    );
    for (let round = 0; round < rounds; round++) {
      const counts = { guesses: shareOf(guesses, round), revocations: shareOf(revocations, round) };
      await runRound({ databaseUrl, database, organizationId, random: new Random(round) }, counts);
    }
  } finally {
    await database.close();
  }
  print(`${guesses} guesses: none accepted`);
  print(`${revocations} links revoked by the command and in the web application: none accepted afterwards`);
  print("the logs of both processes, with every request, contain no key and no link");
}

/** Each round has its own services, whose logs are in memory. */
async function runRound(round: Round, counts: Counts): Promise<void> {
  const environment = { LOG_LEVEL: "trace" };
  const services = await Promise.all([1, 2].map(() => startService(round.databaseUrl, { environment })));
  try {
    const guesses = await guessesOf(round);
    await Promise.all(services.map(({ url }) => sendGuesses(url, counts.guesses / 2, guesses)));
    await revokeLinks(services, counts.revocations, round);
  } finally {
    for (const service of services) await stopService(service);
  }
  for (const { stderr } of services) checkLog(stderr(), counts.guesses / 2);
}

async function addKey({ database, organizationId }: Round, scope: StoredScope): Promise<Link> {
  const now = Date.now();
  const key = { organizationId, name: "verify", scope, region, now, expiresAt: now + dayMs };
  return database.transaction((queries) => addApiKey(queries, key));
}

/**
 * Returns a function that makes the next guess. Most have the right form, organization and checksum. Others are a link
 * with a wrong character, and keys that work elsewhere. No source address is limited: 190 random bits are enough.
 */
async function guessesOf(round: Round): Promise<() => string> {
  const { random, organizationId } = round;
  const { text: link } = await addKey(round, "csv-link");
  const keys = [await addKey(round, "read"), await addKey(round, "ingest")];
  const mistyped = () => {
    const at = random.between(link.lastIndexOf("_") + 1, link.length - 1);
    return link.slice(0, at) + (link[at] === "x" ? "y" : "x") + link.slice(at + 1);
  };
  return () => {
    if (random.chance(90)) return generateApiKey(region, organizationId);
    return random.chance(50) ? mistyped() : random.pick(keys).text;
  };
}

async function sendGuesses(url: string, guesses: number, nextGuess: () => string): Promise<void> {
  let left = guesses;
  const client = async () => {
    const connection = new PipelinedConnection(url);
    while (left > 0) {
      const count = Math.min(left, pipelined);
      left -= count;
      const statuses = await statusesOf(connection, Array.from({ length: count }, nextGuess));
      assert.deepEqual(new Set(statuses), new Set([404]));
    }
    connection.destroy();
  };
  await Promise.all(Array.from({ length: connectionsPerProcess }, client));
}

/** The links are looked up without downloading. */
async function statusesOf(connection: PipelinedConnection, links: readonly string[]): Promise<number[]> {
  const requests = links.map((link) => `HEAD ${paths.api.csvLinks}${link}.csv HTTP/1.1\r\nHost: x\r\n\r\n`);
  const methods = links.map(() => "HEAD");
  const answers = await connection.send(requests.join(""), methods);
  assert.equal(answers.length, links.length);
  return answers.map(({ status }) => status);
}

/** Uses each link on both processes, revokes it, and uses it again in the same moment. */
async function revokeLinks(
  services: readonly RunningService[],
  revocations: number,
  round: Round,
): Promise<void> {
  const { database, organizationId, random } = round;
  const session = await startAdminSession(database, organizationId, `${crypto.randomUUID()}@example.com`);
  const deletions = waysToDeleteKeys({ ...round, services, session });
  // On new connections: the services close idle ones.
  const useEverywhere = (link: string) =>
    Promise.all(
      services.map(async ({ url }) => {
        const connection = new PipelinedConnection(url);
        const statuses = await statusesOf(connection, [link]);
        connection.destroy();
        return statuses[0];
      }),
    );
  for (let index = 0; index < revocations; index++) {
    const { id, text } = await addKey(round, "csv-link");
    assert.deepEqual(await useEverywhere(text), [200, 200], "a new link was refused");
    await random.pick(deletions)(id);
    assert.deepEqual(await useEverywhere(text), [404, 404], "a revoked link was accepted");
  }
}

/** @throws AssertionError if the log does not have all requests, or has more of a key than its first characters */
function checkLog(log: string, requests: number): void {
  assert.ok(log.split("\n").length > requests, "the log does not have every request");
  assert.doesNotMatch(log, /ea_local_\d+_[0-9A-Za-z]{5}/);
}
