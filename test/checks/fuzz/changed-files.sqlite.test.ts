// Files of campaigns with random changes: each is read to its end or refused with a reason, in time, and its thread is the only
// one that may fail. Some go through a server.

import assert from "node:assert/strict";
import test from "node:test";
import { startFileReaders } from "../../../src/counting/import/file-readers.ts";
import { compressPiece } from "../../../src/counting/import/pieces.ts";
import { AppError } from "../../../src/errors.ts";
import { Random } from "../../support/histories.ts";
import { randomCases, report } from "../../support/random-cases.ts";
import { makeOrganization, startService, stopService } from "../../support/service-process.ts";
import { uploadInPieces } from "../../support/upload-in-pieces.ts";
import { startSession } from "../../support/user-session.ts";
import { requestPage } from "../../support/web-world.ts";
import { makeWorld } from "../../support/world.ts";
import { changedFile } from "./changed-file.ts";

const maxMs = 10_000;
const choices = [
  "",
  "date_order=day-first",
  "mapped=1&c0=subject&c1=sent_at&c2=open_rate&rates=percent",
  "mapped=1&c0=subject&c2=subject",
];

/** The number of a file is its seed. */
function* numbers(count: number): Generator<number> {
  for (let number = 1; number <= count; number++) yield number;
}

test("reads each changed file to its end, or refuses it with a reason", async () => {
  const readFile = startFileReaders();
  const outcomes = new Map<string, number>();
  let longestMs = 0;
  const read = async (number: number, organizationId: number): Promise<string> => {
    const random = new Random(number);
    const content = changedFile(random);
    const chosen = { choices: random.pick(choices), timeZone: "Europe/Zurich", saved: new Map() };
    const task = { name: "campaigns", ...chosen } as const;
    async function* bytes() {
      yield await compressPiece(content);
    }
    const source = { bytes: bytes(), organizationId, signal: new AbortController().signal };
    try {
      let outcome = "no end";
      for await (const part of readFile(task, source)) {
        if ("file" in part) outcome = part.file.errorCount > 0 ? "problems" : "valid";
      }
      return outcome;
    } catch (error) {
      assert.ok(error instanceof AppError && error.code === "bad_request", `file ${number}: ${error}`);
      return "stopped";
    }
  };
  const all = numbers(randomCases(40, 19_500));
  const turn = async (organizationId: number) => {
    for (const number of all) {
      const startedAt = performance.now();
      const outcome = await read(number, organizationId);
      const ms = performance.now() - startedAt;
      longestMs = Math.max(longestMs, ms);
      assert.notEqual(outcome, "no end", `file ${number}`);
      assert.ok(ms < maxMs, `file ${number} took ${ms} ms`);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };
  await Promise.all([turn(1), turn(2)]);
  report(`${JSON.stringify(Object.fromEntries(outcomes))}, the longest took ${Math.round(longestMs)} ms`);
});

test("answers each changed file with a page", async (t) => {
  const world = await makeWorld(t);
  const { organizationId } = await makeOrganization(world.databaseUrl);
  const session = await startSession(world.database, organizationId);
  const service = await startService(world.databaseUrl);
  t.after(() => stopService(service));
  const statuses = new Map<string, number>();
  for (const number of numbers(randomCases(6, 500))) {
    const random = new Random(-number);
    const content = changedFile(random);
    if (content.length === 0) continue;
    const page = service.url + (await uploadInPieces(service.url, session, { name: "a", content }));
    const query = random.pick(choices);
    const startedAt = performance.now();
    const { status } = await requestPage(`${page}?${query}`, session);
    const fields = { form_token: session.csrfToken, action: "import", choices: query };
    const imported = await requestPage(page, { ...session, fields });
    assert.ok(performance.now() - startedAt < maxMs, `file ${number}`);
    assert.ok([200, 400].includes(status), `file ${number}: ${status}`);
    assert.ok([303, 400, 409].includes(imported.status), `file ${number}: ${imported.status}`);
    const outcome = `${status} ${imported.status}`;
    statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
  }
  assert.equal(service.child.exitCode, null);
  report(JSON.stringify(Object.fromEntries(statuses)));
});
