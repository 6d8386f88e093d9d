// Two servers on one database, each with connections of its own, writer thread and caches, whose clocks differ a little.

import { pino } from "pino";
import { componentNames } from "../../../src/http/server/components.ts";
import { type Cleanup, makeWorldOn, type Service, serve, type World } from "../../support/world.ts";

export interface Stage {
  world: World;
  services: readonly Service[];
  close(): Promise<void>;
}

export async function openStage(databaseUrl: string, clock: World["clock"]): Promise<Stage> {
  const steps: (() => unknown)[] = [];
  const cleanup: Cleanup = { after: (step) => steps.unshift(step) };
  const world = await makeWorldOn(cleanup, databaseUrl, clock);
  /** @param byMs by how much its clock is ahead of that of the stage */
  const start = async (byMs: number) =>
    serve(cleanup, await makeWorldOn(cleanup, databaseUrl, clock), {
      now: () => clock.now + byMs,
      open: componentNames,
      publicUrl: () => "http://127.0.0.1",
      log: pino({ level: "silent" }),
    });
  const services = [await start(0), await start(-2)];
  return {
    world,
    services,
    async close() {
      for (const step of steps) await step();
    },
  };
}
