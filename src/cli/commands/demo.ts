// The command `demo`: runs the server with the data of a fictional company, in a temporary folder.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import type { Settings } from "../../config.ts";
import { keepHeapsSmall, keepThreadsSmall } from "../../limits/small-memory.ts";
import { type DemoServer, startDemoServer } from "../demo/demo-server.ts";
import { printDemo } from "../demo/print-demo.ts";
import { outputOf, type Shell } from "../shell/shell.ts";
import { type ServeOptions, serveSettings } from "./serve.ts";

export function addTo(command: Command, shell: Shell): void {
  command
    .option("--host <HOST>", "address to listen on (overrides HOST)")
    .option("--port <PORT>", "port to listen on (overrides PORT)")
    .action(async (options: ServeOptions) => {
      keepThreadsSmall();
      keepHeapsSmall();
      // Listens for the signal from the start, so that the folder is deleted even if the demo stops before it is ready.
      const stopped = shell.untilStopped();
      const folder = await mkdtemp(join(tmpdir(), "email-analytics-demo-"));
      let server: DemoServer | undefined;
      try {
        server = await startDemoServer(demoSettings(shell, options, folder), shell.now());
        printDemo(outputOf(shell, command), server);
        await stopped;
      } finally {
        await server?.stop();
        await rm(folder, { recursive: true, force: true });
      }
    });
}

function demoSettings(shell: Shell, options: ServeOptions, folder: string): Settings {
  const environment = {
    ...shell.environment,
    LOG_LEVEL: shell.environment.LOG_LEVEL ?? "warn",
    DATABASE_URL: `sqlite:${join(folder, "demo.db")}`,
  };
  return serveSettings({ ...shell, environment }, options);
}
