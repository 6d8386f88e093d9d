// `pull` as a process that is killed, stopped, or started twice: it continues with the next page, and never saves a part.

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import {
  type Fault,
  type HostedStandIn,
  hostedKey,
  page,
  startHosted,
} from "../../support/hosted-service.ts";
import { emptyWorld, exported } from "../../support/importing.ts";
import { type Program, start } from "../../support/process.ts";
import type { World } from "../../support/world.ts";

function pull(t: TestContext, world: World, { url }: HostedStandIn, ...argv: string[]): Program {
  return start(t, ["pull", "--organization", "1", "--from", url, ...argv], {
    DATABASE_URL: world.databaseUrl,
    XDG_STATE_HOME: world.folder,
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

const requestedPages = ({ requests, url }: HostedStandIn) =>
  requests.map((path) => Number(new URL(path, url).searchParams.get("page")));

test("a pull killed with kill -9 saves nothing, and the next one continues with the missing page", async (t) => {
  const { hosted, world, reached } = await startHanging(t);
  const killed = pull(t, world, hosted);
  await reached;
  assert.equal(await killed.stop("SIGKILL"), "SIGKILL");
  assert.deepEqual(await exported(world), []);
  hosted.requests.length = 0;
  const resumed = pull(t, world, hosted);
  assert.equal(await resumed.ended, 0, resumed.stderr());
  assert.match(resumed.stderr(), /^Continuing after page 2 of 3\.$/m);
  assert.equal(resumed.stdout(), "Pulled: 250 added, 0 changed, 0 unchanged.\n");
  assert.deepEqual(requestedPages(hosted), [3]);
  // Of the pages, nothing remains.
  assert.deepEqual(globSync("**/{page-*,pull.json}", { cwd: world.folder }), []);
});

test("the pages of a pull with another filter are not used", async (t) => {
  const { hosted, world, reached } = await startHanging(t);
  const killed = pull(t, world, hosted);
  await reached;
  await killed.stop("SIGKILL");
  hosted.requests.length = 0;
  const filtered = pull(t, world, hosted, "--sent-after", "2020-01-01");
  assert.equal(await filtered.ended, 0, filtered.stderr());
  assert.doesNotMatch(filtered.stderr(), /Continuing/);
  // 0 is the check of the time zone, which has no page.
  assert.deepEqual(requestedPages(hosted), [1, 0, 2, 3]);
});

test("SIGTERM ends a pull at once, with the pages kept; --every then ends with exit code 0", async (t) => {
  for (const [argv, code] of [
    [[], 1],
    [["--every", "1h"], 0],
  ] as const) {
    const { hosted, world, reached } = await startHanging(t);
    const stopped = pull(t, world, hosted, ...argv);
    await reached;
    assert.equal(await stopped.stop("SIGTERM"), code);
    assert.match(
      stopped.stderr(),
      /The pull was stopped\. Nothing was saved\. The pages so far \(2 of 3\) are kept for a day: run pull again to continue\.\n$/,
    );
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

test("a second pull of the same organization is refused while the first one runs", async (t) => {
  const { hosted, world, reached } = await startHanging(t);
  const first = pull(t, world, hosted);
  await reached;
  const second = pull(t, world, hosted);
  assert.equal(await second.ended, 1);
  assert.match(second.stderr(), /^error: another pull of organization 1 is running; it has locked .*lock\n$/);
  await first.stop("SIGKILL");
});

test("neither the process list nor the kept files contain the key", async (t) => {
  const { hosted, world, reached } = await startHanging(t);
  const argv = ["pull", "--organization", "1", "--from", hosted.url, "--key", "-"];
  const program = start(t, argv, { DATABASE_URL: world.databaseUrl, XDG_STATE_HOME: world.folder });
  program.child.stdin.end(`${hostedKey}\n`);
  await reached;
  const commandLine = `/proc/${program.child.pid}/cmdline`;
  if (existsSync(commandLine)) assert.doesNotMatch(readFileSync(commandLine, "utf8"), new RegExp(hostedKey));
  const kept = globSync("**/*", { cwd: world.folder }).filter((path) => /pull|page|requests/.test(path));
  assert.ok(kept.some((path) => path.endsWith("page-2.json")));
  for (const path of globSync("**/*.json", { cwd: world.folder })) {
    assert.doesNotMatch(readFileSync(join(world.folder, path), "utf8"), new RegExp(hostedKey), path);
  }
  await program.stop("SIGKILL");
  assert.doesNotMatch(program.stdout() + program.stderr(), new RegExp(hostedKey));
});
