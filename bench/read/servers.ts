// The servers that are compared: the service, the ceiling and the baseline. All of them are stopped after the work.

import { deepStrictEqual } from "node:assert/strict";
import { join } from "node:path";
import { type RunningService, startService, stopService } from "../../test/support/service-process.ts";
import { untilIdle } from "../support/process-stats.ts";
import { nodeOn, startServer } from "../support/programs.ts";
import type { World } from "./world.ts";

const script = (name: string) => join(import.meta.dirname, name);

interface SavedResponse {
  contentType: string;
  body: Buffer;
}

export class Servers {
  readonly #running = new Set<RunningService>();

  static async during<Result>(work: (servers: Servers) => Promise<Result>): Promise<Result> {
    const servers = new Servers();
    try {
      return await work(servers);
    } finally {
      for (const server of servers.#running) await stopService(server);
    }
  }

  service(
    { databaseUrl, program }: Pick<World, "databaseUrl" | "program">,
    { environment = {}, argv = [] }: { environment?: Record<string, string>; argv?: string[] } = {},
  ): Promise<RunningService> {
    return this.add(startService(databaseUrl, { command: nodeOn("server"), program, environment, argv }));
  }

  /** Ingests events, and is not measured. */
  ingestService({ databaseUrl, program }: World): Promise<RunningService> {
    return this.add(startService(databaseUrl, { command: nodeOn("other"), program }));
  }

  bareServer({ contentType, body }: SavedResponse): Promise<RunningService> {
    const input = { cpu: "server", input: body } as const;
    return this.add(startServer(script("bare-server.ts"), [contentType], input));
  }

  baseline({ databaseUrl }: World): Promise<RunningService> {
    return this.add(startServer(script("baseline.ts"), [databaseUrl], { cpu: "server" }));
  }

  async stop(server: RunningService): Promise<void> {
    this.#running.delete(server);
    await stopService(server);
  }

  /** Another server, which is stopped with the others. */
  async add(starting: Promise<RunningService>): Promise<RunningService> {
    const server = await starting;
    this.#running.add(server);
    // The service starts threads after it listens, which would use CPU time during the measurement.
    await untilIdle(server.child.pid ?? 0);
    return server;
  }
}

/** The response without compression. */
export async function fetchResponse(
  { url }: RunningService,
  { keys }: World,
  path: string,
): Promise<SavedResponse> {
  const headers = { authorization: `Bearer ${keys.read}`, "accept-encoding": "identity" };
  const response = await fetch(url + path, { headers });
  const body = Buffer.from(await response.arrayBuffer());
  return { contentType: response.headers.get("content-type") ?? "", body };
}

/** @throws AssertionError if the two servers return different records */
export async function checkSameRecords(
  one: RunningService,
  other: RunningService,
  world: World,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    const [a, b] = [await fetchResponse(one, world, path), await fetchResponse(other, world, path)];
    deepStrictEqual(JSON.parse(b.body.toString()), JSON.parse(a.body.toString()), path);
  }
}
