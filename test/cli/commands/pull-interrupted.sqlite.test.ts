// `pull` as a process that is killed or stopped: it never saves a part.

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import test, { type TestContext } from "node:test";
import {
  type Fault,
  type HostedStandIn,
  hostedKey,
  page,
  startHosted,
} from "../../support/hosted-service.ts";
import { emptyWorld, exported } from "../../support/import-files.ts";
import { type Program, start } from "../../support/process.ts";
import type { World } from "../../support/world.ts";

function pull(t: TestContext, world: World, { url }: HostedStandIn, ...argv: string[]): Program {
  return start(t, ["pull", "--organization", "1", "--from", url, ...argv], {
    DATABASE_URL: world.databaseUrl,
    EMAIL_ANALYTICS_PULL_KEY: hostedKey,
  });
}

/** Page 3 never arrives: `reached` resolves when it is requested. */
async function startHanging(t: TestContext) {
  const hosted = await startHosted(t);
  const hanging = Promise.withResolvers<void>();
  const hang: Fault = () => {
    hanging.resolve();
    return true;
  };
  hosted.faults = [page, page, page, hang];
  return { hosted, world: await emptyWorld(t), reached: hanging.promise };
}

test("a pull killed with kill -9 saves nothing, and the next one everything", async (t) => {
  const { hosted, world, reached } = await startHanging(t);
  const killed = pull(t, world, hosted);
  await reached;
  assert.equal(await killed.stop("SIGKILL"), "SIGKILL");
  assert.deepEqual(await exported(world), []);
  const next = pull(t, world, hosted);
  assert.equal(await next.ended, 0, next.stderr());
  assert.equal(next.stdout(), "Pulled: 250 added, 0 changed, 0 unchanged.\n");
});

test("SIGTERM ends a pull at once, without having saved anything; --every then ends with exit code 0", async (t) => {
  for (const [argv, code] of [
    [[], 1],
    [["--every", "1h"], 0],
  ] as const) {
    const { hosted, world, reached } = await startHanging(t);
    const stopped = pull(t, world, hosted, ...argv);
    await reached;
    assert.equal(await stopped.stop("SIGTERM"), code);
    assert.match(stopped.stderr(), /The pull was stopped\. Nothing was saved\.\n$/);
    assert.deepEqual(await exported(world), []);
  }
});

test("pull --every waits for the next pull, and ends with exit code 0 at SIGINT", async (t) => {
  const hosted = await startHosted(t);
  const world = await emptyWorld(t);
  const gateway = pull(t, world, hosted, "--every", "1h");
  await gateway.printed(/^Pulled: 250 added/m);
  while (!gateway.stderr().includes("The next pull is at ")) await once(gateway.child.stderr, "data");
  assert.equal(await gateway.stop("SIGINT"), 0);
  assert.equal(hosted.requests.length, 4);
});

test("neither the process list nor the output contains the key", async (t) => {
  const { hosted, world, reached } = await startHanging(t);
  const argv = ["pull", "--organization", "1", "--from", hosted.url, "--key", "-"];
  const program = start(t, argv, { DATABASE_URL: world.databaseUrl });
  program.child.stdin.end(`${hostedKey}\n`);
  await reached;
  const commandLine = `/proc/${program.child.pid}/cmdline`;
  if (existsSync(commandLine)) assert.doesNotMatch(readFileSync(commandLine, "utf8"), new RegExp(hostedKey));
  await program.stop("SIGKILL");
  assert.doesNotMatch(program.stdout() + program.stderr(), new RegExp(hostedKey));
});
