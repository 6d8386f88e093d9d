// The PostgreSQL servers that tests bring along: what the other tests rely on when they stop, kill and start them.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { startPostgres } from "./postgres-server.ts";

test("a PostgreSQL test server requires its password, and remove deletes its folder", async () => {
  const server = await startPostgres();
  const stranger = new pg.Client({ connectionString: server.url().replace(/:[^:@]+@/, ":guess@") });
  await assert.rejects(stranger.connect(), { code: "28P01" });
  await server.remove();
  await assert.rejects(server.query("select 1"), { code: "ECONNREFUSED" });
  assert.equal(existsSync(server.folder), false);
});

test("a PostgreSQL test server stops when the process that started it is killed", async () => {
  const program = `
    import { startPostgres } from ${JSON.stringify(import.meta.resolve("./postgres-server.ts"))};
    const server = await startPostgres();
    console.log(JSON.stringify([server.url(), server.folder]));
    setInterval(() => {}, 1000);`;
  const owner = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  const [line] = (await once(createInterface(owner.stdout), "line")) as [string];
  const [url, folder] = JSON.parse(line) as [string, string];
  const connect = () => new pg.Client({ connectionString: url }).on("error", () => {}).connect();
  await connect();
  owner.kill("SIGKILL");
  await once(owner, "close");
  while (existsSync(folder)) await pause(20);
  await assert.rejects(connect(), { code: "ECONNREFUSED" });
});
