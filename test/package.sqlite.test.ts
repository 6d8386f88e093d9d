// The published package: packed, installed into an empty folder, and run from there.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import test, { after, before, type TestContext } from "node:test";
import { promisify } from "node:util";
import { checkPrintedDemo } from "./support/printed-demo.ts";
import { start } from "./support/process.ts";
import { countedCampaign, makeFolder } from "./support/world.ts";

const run = promisify(execFile);
const project = join(import.meta.dirname, "..");
/** The package runs with the Node that runs the tests, even if the computer has another one. */
const environment = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };

const steps: (() => unknown)[] = [];
const folder = makeFolder({ after: (step) => steps.push(step) });
after(async () => {
  for (const step of steps) await step();
});
const release = join(folder, "release");
const installed = join(folder, "node_modules", "email-analytics");
let packed: string[] = [];

before(async () => {
  await run("node", [join(project, "scripts/release.ts"), release], { cwd: project, env: environment });
  const tarball = join(release, readdirSync(release).find((file) => file.endsWith(".tgz")) ?? "");
  const { stdout } = await run("tar", ["-tzf", tarball]);
  packed = stdout
    .trim()
    .split("\n")
    .map((path) => path.replace(/^package\//, ""));
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const install = ["install", "--no-audit", "--no-fund", "--prefer-offline", tarball];
  await run("npm", install, { cwd: folder, env: environment });
});

test("a release has the package, its parts with licenses, checksums that hold, and notes", async () => {
  const { name, version, dependencies } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as {
    name: string;
    version: string;
    dependencies: Record<string, string>;
  };
  const base = `${name}-${version}`;
  assert.deepEqual(readdirSync(release), ["NOTES.md", "SHA256SUMS", `${base}.cdx.json`, `${base}.tgz`]);
  const { stdout } = await run("sha256sum", ["--check", "SHA256SUMS"], { cwd: release });
  assert.equal(stdout, `${base}.cdx.json: OK\n${base}.tgz: OK\n`);
  const sbom = JSON.parse(readFileSync(join(release, `${base}.cdx.json`), "utf8")) as {
    bomFormat: string;
    components: { name: string; group?: string; version: string; licenses?: unknown[] }[];
  };
  assert.equal(sbom.bomFormat, "CycloneDX");
  const listed = new Map(
    sbom.components.map(({ name, group, version }) => [group ? `${group}/${name}` : name, version]),
  );
  for (const [part, wanted] of Object.entries(dependencies)) assert.equal(listed.get(part), wanted, part);
  assert.ok(sbom.components.every(({ licenses = [] }) => licenses.length > 0));
  assert.ok(!listed.has("esbuild"));
  assert.match(readFileSync(join(release, "NOTES.md"), "utf8"), new RegExp(`^## ${version} `));
});

/** Starts the installed command, and ends it with the test. @returns the first line that it prints, and its log */
async function startInstalled(t: TestContext, argv: string[], given: NodeJS.ProcessEnv) {
  const child = spawn("npx", ["--no", "--", "email-analytics", ...argv, "--port", "0", "--json"], {
    cwd: folder,
    env: { ...environment, HOST: "127.0.0.1", LOG_LEVEL: "error", ...given },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  t.after(() => child.exitCode ?? child.signalCode ?? process.kill(-(child.pid ?? 0), "SIGKILL"));
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  return {
    row: JSON.parse(line) as Record<string, string>,
    /** @returns the log */
    async stop() {
      process.kill(-(child.pid ?? 0), "SIGTERM");
      await once(child, "close");
      return log;
    },
  };
}

test("the package has what runs and what it shows, and nothing that tests or builds it", () => {
  const folders = new Set(packed.map((path) => path.split("/")[0]));
  assert.deepEqual([...folders].toSorted(), [
    ...["CHANGELOG.md", "LICENSE", "README.md", "bin", "connectors", "deploy", "dist", "docs"],
    ...["package.json"],
  ]);
  const found = packed.filter((path) => /\.(ts|db|jpg|png)$/.test(path));
  assert.deepEqual(found, []);
  assert.match(readFileSync(join(installed, "dist", "LICENSES.txt"), "utf8"), /^fastify [\d.]+ \(MIT\)$/m);
  assert.ok(!existsSync(join(folder, "node_modules", "esbuild")));
});

test("the installed command prints its version and serves: writer, downloads, templates and upkeep have their threads", async (t) => {
  const given = {
    DATABASE_URL: `sqlite:${join(folder, "served.db")}`,
    TRACKING_SECRET: "a-secret-of-the-tests-long-enough",
  };
  const command = async (...argv: string[]) => {
    const options = { cwd: folder, env: { ...environment, ...given } };
    return (await run("npx", ["--no", "--", "email-analytics", ...argv], options)).stdout;
  };
  const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as { version: string };
  const shown = await command("--version");
  assert.ok(shown.startsWith(`${version} `), shown);
  assert.match(shown, /^[\d.]+( \([0-9a-f]{7,}\))? on Node [\d.]+\n$/);
  await command("organization", "add", "--name", "Acme");
  const [key, ingestKey] = (await Promise.all(
    ["read", "ingest"].map(async (scope) => {
      const added = await command(
        "key",
        "add",
        "--organization",
        "1",
        "--name",
        scope,
        "--scope",
        scope,
        "--json",
      );
      return (JSON.parse(added) as { key: string }).key;
    }),
  )) as [string, string];

  const server = await startInstalled(t, ["serve"], given);
  const send = (path: string, method: string, body: unknown) =>
    fetch(server.row.url + path, {
      method,
      headers: { authorization: `Bearer ${ingestKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  assert.equal((await fetch(`${server.row.url}/readyz`)).status, 200);
  const sentAt = new Date(Date.now() - 3_600_000).toISOString();
  const sent = { ...countedCampaign(1), sent_at: sentAt };
  assert.equal((await send("/ingest/v1/campaigns/1", "PUT", sent)).status, 201);
  const event = {
    id: "e-1",
    campaign_id: 1,
    recipient: "ann@example.com",
    type: "open",
    at: new Date().toISOString(),
  };
  assert.equal((await send("/ingest/v1/events", "POST", { events: [event] })).status, 200);
  const message = { html: '<a href="https://example.com">x</a>', recipients: ["ann@example.com"] };
  const messages = await send("/ingest/v1/campaigns/1/messages", "POST", message);
  assert.match(await messages.text(), /\/t\/c\//);
  const csv = await fetch(`${server.row.url}/data_api/v1/emails.csv`, {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal((await csv.text()).trimEnd().split("\n").length, 2);
  assert.equal(await server.stop(), "");
  // The upkeep starts later than this test ends.
  for (const thread of ["writer", "upkeep", "download", "template-thread"]) {
    assert.equal((await run(process.execPath, [join(installed, "dist", `${thread}.js`)])).stderr, "");
  }
});

test("the installed demo prints what the README shows, its commands and sign-in URL work, and it deletes its folder", async (t) => {
  const temporary = makeFolder(t);
  const demo = start(
    t,
    ["demo", "--port", "0"],
    { TMPDIR: temporary, DATABASE_URL: "sqlite:/nowhere/at/all.db" },
    join(installed, "bin/email-analytics.js"),
    folder,
  );
  await demo.printed(/Ctrl-C to stop\.\n$/);
  assert.equal(readdirSync(temporary).length, 1);
  await checkPrintedDemo(demo.stdout());
  const [sign_in = "", url = ""] = /(\S+)\/welcome\/\S+/.exec(demo.stdout()) ?? [];
  assert.match(sign_in, new RegExp(`^${url}/welcome/[0-9a-f]{64}$`));
  assert.equal((await fetch(`${sign_in.slice(0, -1)}x`)).status, 404);
  const { headers, status } = await fetch(sign_in, { redirect: "manual" });
  assert.deepEqual([status, headers.get("location")], [303, "/"]);
  const cookie = (headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
  // Pages that come from files beside dist/.
  for (const path of ["/help/tools", "/connect/curl", "/connect/excel/emails.odc", "/docs"]) {
    assert.equal((await fetch(url + path, { headers: { cookie }, redirect: "manual" })).status, 200, path);
  }
  const tags = await fetch(`${url}/settings/tags`, { headers: { cookie } });
  assert.equal(tags.status, 200);
  assert.match(await tags.text(), /Lindgren &amp; Sons[\s\S]*Newsletter/);
  assert.equal(await demo.stop(), 0);
  assert.deepEqual(readdirSync(temporary), []);
  assert.equal(demo.stderr(), "");
});

test("the command prints one line when the Node version is too old", async () => {
  const pretend =
    "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})";
  const command = run(process.execPath, [
    "--import",
    pretend,
    join(project, "bin", "email-analytics.js"),
    "demo",
  ]);
  await assert.rejects(command, (error: { code: number; stdout: string; stderr: string }) => {
    assert.equal(error.code, 1);
    assert.equal(error.stdout, "");
    const message =
      "error: email-analytics needs Node 24 or later; this is Node 20.20.2. Install it from https://nodejs.org\n";
    assert.equal(error.stderr, message);
    return true;
  });
});
