// The published package: packed, installed into an empty folder, and run from there.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import test from "node:test";
import { promisify } from "node:util";
import { makeFolder } from "./support/world.ts";

const run = promisify(execFile);
const project = join(import.meta.dirname, "..");
/** The package runs with the Node that runs the tests, even if the computer has another one. */
const environment = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };

test("the packed project, installed into an empty folder, runs the demo, whose API key and sign-in URL work", async (t) => {
  const folder = makeFolder(t);
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: project,
    env: environment,
  });
  const [tarball = ""] = readdirSync(folder);
  assert.match(tarball, /^email-analytics-\d+\.\d+\.\d+\.tgz$/);
  const packed =
    (JSON.parse(stdout.slice(stdout.indexOf("[\n"))) as { files: { path: string }[] }[])[0]?.files ?? [];
  assert.ok(packed.some(({ path }) => path === "dist/main.js"));
  assert.deepEqual(
    packed.filter(({ path }) => /^(src|test|bench)\/|\.ts$|\.db$/.test(path)),
    [],
  );

  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const install = ["install", "--no-audit", "--no-fund", "--prefer-offline", join(folder, tarball)];
  await run("npm", install, { cwd: folder, env: environment });
  assert.ok(existsSync(join(folder, "node_modules", "email-analytics", "dist", "main.js")));

  const demo = spawn("npx", ["--no", "email-analytics", "demo", "--port", "0", "--json"], {
    cwd: folder,
    env: { ...environment, HOST: "127.0.0.1", LOG_LEVEL: "warn" },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  t.after(() => demo.exitCode ?? process.kill(-(demo.pid ?? 0), "SIGKILL"));
  const [line] = (await once(createInterface(demo.stdout), "line")) as [string];
  const { url, key, sign_in, ...rest } = JSON.parse(line) as { url: string; key: string; sign_in: string };
  assert.deepEqual(rest, {});
  const answer = await fetch(`${url}/data_api/v1/emails?per_page=2`, {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal(answer.status, 200);
  const { emails, meta } = (await answer.json()) as { emails: object[]; meta: { total_entries: number } };
  assert.equal(emails.length, 2);
  assert.ok(meta.total_entries > 300);
  assert.match(sign_in, new RegExp(`^${url}/welcome/[0-9a-f]{64}$`));
  assert.equal((await fetch(`${sign_in.slice(0, -1)}x`)).status, 404);
  const { headers, status } = await fetch(sign_in, { redirect: "manual" });
  assert.deepEqual([status, headers.get("location")], [303, "/"]);
  const cookie = (headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
  // Pages that come from files beside dist/.
  for (const path of ["/help/units", "/connect/curl", "/connect/excel/emails.odc", "/docs"]) {
    assert.equal((await fetch(url + path, { headers: { cookie }, redirect: "manual" })).status, 200, path);
  }
  const tags = await fetch(`${url}/settings/tags`, { headers: { cookie } });
  assert.equal(tags.status, 200);
  assert.match(await tags.text(), /Lindgren &amp; Sons[\s\S]*Newsletter/);
  process.kill(-(demo.pid ?? 0), "SIGTERM");
  await once(demo, "close");
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
    assert.equal(
      error.stderr,
      "error: email-analytics needs Node 24 or later; this is Node 20.20.2. Install it from https://nodejs.org\n",
    );
    return true;
  });
});
