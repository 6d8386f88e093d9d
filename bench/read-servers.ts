// The servers that are measured: ours, the ceiling, and an hour's work. All of them are stopped when the work is over.

import { deepStrictEqual } from "node:assert/strict";
import { get } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { type RunningService, startService, stopService } from "../verify/service.ts";
import { nodeOn, startProgram } from "./pinned.ts";
import { untilQuiet } from "./process-figures.ts";
import type { World } from "./read-world.ts";

const script = (name: string) => join(import.meta.dirname, name);

/** So that every answer is made from the database. */
export const nothingRemembered = { PAGE_MEMORY_BYTES: "0" };

export interface ServerReply {
  contentType: string;
  etag: string;
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

  ours(
    { databaseUrl, program }: World,
    { environment = {}, argv = [] }: { environment?: Record<string, string>; argv?: string[] } = {},
  ): Promise<RunningService> {
    return this.#note(startService(databaseUrl, { command: nodeOn("measured"), program, environment, argv }));
  }

  /** Takes events, and is not measured. */
  beside({ databaseUrl, program }: World): Promise<RunningService> {
    return this.#note(startService(databaseUrl, { command: nodeOn("beside"), program }));
  }

  /** Ours with a line in the log for each request, which nobody reads. */
  logging({ databaseUrl, program }: World): Promise<RunningService> {
    const command = [...nodeOn("measured").slice(0, -1), "sh", "-c", 'exec "$0" "$@" 2> /dev/null'];
    const environment = { LOG_LEVEL: "info" };
    return this.#note(
      startService(databaseUrl, { command: [...command, process.execPath], program, environment }),
    );
  }

  ceiling({ contentType, body }: ServerReply): Promise<RunningService> {
    const input = { place: "measured", input: body } as const;
    return this.#note(startProgram(script("bare-answers.ts"), [contentType], input));
  }

  ceilingOfUnchanged({ contentType, etag }: ServerReply): Promise<RunningService> {
    return this.#note(startProgram(script("bare-answers.ts"), [contentType, etag], { place: "measured" }));
  }

  hourOfWork({ databaseUrl }: World): Promise<RunningService> {
    return this.#note(startProgram(script("hour-of-work.ts"), [databaseUrl], { place: "measured" }));
  }

  async stop(server: RunningService): Promise<void> {
    this.#running.delete(server);
    await stopService(server);
  }

  async #note(starting: Promise<RunningService>): Promise<RunningService> {
    const server = await starting;
    this.#running.add(server);
    // Threads of ours still start when the first of them listens already, and share the processor.
    await untilQuiet(server.child.pid ?? 0);
    return server;
  }
}

/** What a client gets that takes no packed answers. */
export async function answerOf({ url }: RunningService, { keys }: World, path: string): Promise<ServerReply> {
  const { promise, resolve, reject } = Promise.withResolvers<ServerReply>();
  const headers = { authorization: `Bearer ${keys.read}` };
  get(`${url}${path}`, { headers, agent: false }, async (answer) => {
    const { etag = "", "content-type": contentType = "" } = answer.headers;
    resolve({ contentType, etag, body: await buffer(answer) });
  }).on("error", reject);
  return await promise;
}

/** @throws AssertionError when two servers do not say the same */
export async function checkSame(
  one: RunningService,
  other: RunningService,
  world: World,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    const [a, b] = [await answerOf(one, world, path), await answerOf(other, world, path)];
    deepStrictEqual(JSON.parse(b.body.toString()), JSON.parse(a.body.toString()), path);
  }
}
