// Starts Directus as its documentation says, on tables that exist already, and describes their relation to it: `tags` of a
// campaign.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RunningService } from "../../test/support/service-process.ts";
import { nodeOn } from "../support/programs.ts";

/** The static token of the administrator. */
export const directusToken = "only-for-measuring-directus-0123456789";
const startMs = 120_000;

/** @param installed the folder of its package */
export async function startDirectus(
  installed: string,
  folder: string,
  databaseUrl: string,
): Promise<RunningService> {
  const program = join(installed, "node_modules", "directus", "cli.js");
  const port = await freePort();
  const env = { PATH: process.env.PATH, ...settingsOf(folder, port, databaseUrl) };
  const bootstrap = spawnSync(process.execPath, [program, "bootstrap"], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  if (bootstrap.status !== 0) throw new Error(`directus bootstrap: ${bootstrap.stdout}${bootstrap.stderr}`);
  const [file = "", ...given] = [...nodeOn("server"), program, "start"];
  const child = spawn(file, given, { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  const service = {
    url: `http://127.0.0.1:${port}`,
    child,
    ended: once(child, "close"),
    stderr: () => stderr,
  };
  await untilServing(service);
  await describeTags(service.url);
  return service;
}

function settingsOf(folder: string, port: number, databaseUrl: string): Record<string, string> {
  const database = databaseUrl.startsWith("sqlite:")
    ? { DB_CLIENT: "sqlite3", DB_FILENAME: databaseUrl.slice("sqlite:".length) }
    : { DB_CLIENT: "pg", DB_CONNECTION_STRING: databaseUrl, DB_POOL__MAX: "10" };
  return {
    ...database,
    HOST: "127.0.0.1",
    PORT: String(port),
    SECRET: "only-for-measuring",
    ADMIN_EMAIL: "bench@example.com",
    ADMIN_PASSWORD: "only-for-measuring",
    ADMIN_TOKEN: directusToken,
    LOG_LEVEL: "error",
    TELEMETRY: "false",
    // By default it answers 503 while its CPU is busy.
    PRESSURE_LIMITER_ENABLED: "false",
    STORAGE_LOCAL_ROOT: join(folder, "uploads"),
  };
}

async function untilServing({ url, child, stderr }: RunningService): Promise<void> {
  const giveUpAt = performance.now() + startMs;
  while (performance.now() < giveUpAt && child.exitCode === null) {
    const isServing = await fetch(`${url}/server/ping`).then(
      ({ ok }) => ok,
      // Refused until it listens.
      () => false,
    );
    if (isServing) return;
    await pause(200);
  }
  throw new Error(`directus did not start: ${stderr()}`);
}

async function describeTags(url: string): Promise<void> {
  const relation = (one: string, field: string, junction: string, alias: string | null) => ({
    collection: "campaign_tags",
    field,
    related_collection: one,
    meta: { one_field: alias, junction_field: junction },
  });
  for (const collection of ["campaigns", "tags", "campaign_tags"]) {
    await call("PATCH", `${url}/collections/${collection}`, { meta: {} });
  }
  const special = { type: "alias", meta: { special: ["m2m"] } };
  await call("POST", `${url}/fields/campaigns`, { field: "tags", ...special });
  await call(
    "PATCH",
    `${url}/relations/campaign_tags/campaign_id`,
    relation("campaigns", "campaign_id", "tag_id", "tags"),
  );
  await call(
    "PATCH",
    `${url}/relations/campaign_tags/tag_id`,
    relation("tags", "tag_id", "campaign_id", null),
  );
}

async function call(method: string, url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${directusToken}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
