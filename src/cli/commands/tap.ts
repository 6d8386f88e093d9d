// The command `tap`: a Singer tap of the changes of a service.

import type { Command } from "commander";
import type { Shell } from "../shell.ts";
import { ChangesService } from "../tap/changes-service.ts";
import { printChanges } from "../tap/print-changes.ts";
import { catalog, selectProperties } from "../tap/singer-schema.ts";
import { readCatalogEntry, readConfig, readCursor } from "../tap/tap-files.ts";

interface TapOptions {
  config?: string;
  state?: string;
  catalog?: string;
  discover?: true;
}

export function addTapCommand(command: Command, shell: Shell): void {
  command
    .option("--config <FILE>", 'JSON with url and api_key: {"url": "https://…", "api_key": "…"}')
    .option("--state <FILE>", "the state to go on from: the last STATE message, or its value")
    .option("--catalog <FILE>", "the properties to print: the output of --discover, with selections")
    .option("--discover", "print the catalog")
    .action(async (options: TapOptions, running: Command) => {
      if (options.discover) {
        shell.stdout.write(`${JSON.stringify(catalog, undefined, 2)}\n`);
        return;
      }
      if (options.config === undefined) running.error("error: --config is missing; it names url and api_key");
      const config = readConfig(options.config ?? "");
      const [discovered] = catalog.streams;
      const properties = selectProperties(
        options.catalog === undefined ? discovered : readCatalogEntry(options.catalog),
      );
      if (!properties) return;
      const cursor = options.state === undefined ? undefined : readCursor(options.state);
      const controller = new AbortController();
      void shell.untilStopped().then(() => controller.abort());
      const service = new ChangesService(config, shell, controller.signal);
      const readPage = (after: string | undefined) => service.page(after);
      await printChanges({ shell, properties, readPage }, cursor).catch((error: unknown) => {
        // Another run goes on from the last state.
        if (!controller.signal.aborted) throw error;
      });
    });
}
