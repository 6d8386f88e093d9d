// Which code a process loads when it starts: most of the time until it serves goes there.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { type Program, serveOnFreePort, start, urlOf } from "../support/process.ts";
import { sourceProgramPath } from "../support/program.ts";
import { makeDatabase } from "../support/world.ts";

interface Loaded {
  pid: number;
  modules: string[];
  /** How many formats of numbers were made. */
  formats: number;
  /** Whether Node's clients of fetch and WebSocket are loaded. */
  hasUndici: boolean;
}

/** Reports what the main thread has loaded when the process ends. */
const reportedCode = `
  import { registerHooks } from "node:module";
  import { isMainThread } from "node:worker_threads";
  const loaded = { pid: process.pid, modules: [], formats: 0 };
  const { NumberFormat } = Intl;
  Intl.NumberFormat = class extends NumberFormat {
    constructor(...given) {
      super(...given);
      loaded.formats += 1;
    }
  };
  if (isMainThread) {
    registerHooks({
      load(url, context, next) {
        loaded.modules.push(url);
        return next(url, context);
      },
    });
    process.on("exit", () => {
      const hasUndici = process.moduleLoadList.includes("NativeModule internal/deps/undici/undici");
      console.error(JSON.stringify({ ...loaded, hasUndici }));
    });
  }`;

function startReporting(t: TestContext, argv: string[], environment: Record<string, string> = {}): Program {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(reportedCode)}`;
  return start(t, argv, { ...environment, NODE_OPTIONS }, sourceProgramPath);
}

/** In the order in which the processes ended. */
const reportsOf = (program: Program) =>
  program
    .stderr()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Loaded);

const packagesOf = ({ modules }: Loaded) =>
  new Set(modules.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []));

test("--help loads no command and no library besides the parser of arguments", async (t) => {
  const program = startReporting(t, ["--help"]);
  assert.equal(await program.ended, 0);
  const [loaded] = reportsOf(program) as [Loaded];
  assert.deepEqual([...packagesOf(loaded)], ["commander"]);
  const found = loaded.modules.filter((url) => url.includes("/src/cli/commands/"));
  assert.deepEqual(found, []);
});

test("serve starts without code and formats that only some requests need", async (t) => {
  const environment = { DATABASE_URL: await makeDatabase(t), LOG_LEVEL: "silent" };
  const program = startReporting(t, serveOnFreePort, environment);
  await urlOf(program);
  assert.equal(await program.stop(), 0);
  const [loaded] = reportsOf(program) as [Loaded];
  const packages = packagesOf(loaded);
  assert.ok(packages.has("fastify"));
  assert.ok(!packages.has("ajv"));
  assert.ok(!packages.has("parse5"));
  assert.equal(loaded.formats, 0);
  assert.equal(loaded.hasUndici, false);
});

test("serve --only loads one component", async (t) => {
  const environment = { DATABASE_URL: await makeDatabase(t), LOG_LEVEL: "silent" };
  const program = startReporting(t, [...serveOnFreePort, "--only", "ingest"], environment);
  await urlOf(program);
  assert.equal(await program.stop(), 0);
  const [loaded] = reportsOf(program) as [Loaded];
  const found = loaded.modules.filter((url) => /\/src\/http\/(api|odata|web)\/routes/.test(url));
  assert.deepEqual(found, []);
});
