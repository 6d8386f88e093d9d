// The command `serve`: the service, until it is told to stop.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Command } from "commander";
import { type DestinationStream, destination, pino } from "pino";
import type { Settings } from "../config.ts";
import { startUpkeep } from "../counting/upkeep.ts";
import { startWriting } from "../counting/writing-thread.ts";
import { Refusal } from "../errors.ts";
import { buildServer } from "../server.ts";
import { openDatabase } from "../storage/database.ts";
import { listOrganizations } from "../storage/organizations.ts";
import { writerFile } from "../writer-main.ts";
import { printDone } from "./output.ts";
import { outputOf, type Shell, settingsOf } from "./shell.ts";

/** Answers that are still being sent get so long when the service is told to stop. */
const stoppingMsMax = 30_000;

export function addServeCommand(command: Command, shell: Shell): void {
  command
    .description("Serve the API")
    .option("--host <HOST>", "the address to listen on, instead of HOST")
    .option("--port <PORT>", "the port to listen on, instead of PORT")
    .action(async (options: ServeOptions) => {
      const settings = serveSettings(shell, options);
      const server = await startServing(settings);
      const { url } = server;
      printDone(
        outputOf(shell, command),
        { url },
        `email-analytics serves ${url}/data_api/v1/emails (Ctrl-C to stop)`,
      );
      await shell.untilStopped();
      await server.stop();
    });
}

export interface ServeOptions {
  host?: string;
  port?: string;
}

export function serveSettings(shell: Shell, { host, port }: ServeOptions): Settings {
  return settingsOf(shell, {
    ...(host !== undefined && { HOST: host }),
    ...(port !== undefined && { PORT: port }),
  });
}

/** Lines that nobody takes (a full disk, a pipe without a reader) are dropped: the service goes on. */
function logDestination(): DestinationStream {
  const lines = destination({ dest: 2, sync: false, maxLength: 1_000_000 });
  lines.on("error", () => undefined);
  return lines;
}

export interface RunningServer {
  /** Where it listens. */
  url: string;
  /** Takes no new connection, lets running answers finish, and closes the database. */
  stop(): Promise<void>;
}

export async function startServing(settings: Settings): Promise<RunningServer> {
  const log = pino(
    { level: settings.LOG_LEVEL, base: { service: "email-analytics", region: settings.REGION } },
    logDestination(),
  );
  const database = await openDatabase(settings.DATABASE_URL);
  let url = "";
  const writing = startWriting({
    file: writerFile,
    databaseUrl: settings.DATABASE_URL,
    queueBytesMax: settings.INGEST_QUEUE_BYTES,
    setAsideMax: settings.SET_ASIDE_MAX,
  });
  const app = buildServer({
    database,
    writing,
    region: settings.REGION,
    publicUrl: () => settings.PUBLIC_URL || url,
    log,
    tracking: {
      secrets: settings.TRACKING_SECRET,
      url: () => settings.TRACKING_URL || settings.PUBLIC_URL || url,
      // Whoever follows a link needs a connection as well.
      readingsMax: Math.min(settings.READINGS_MAX, Math.floor(settings.MAX_CONNECTIONS / 2)),
    },
    trustedProxies: settings.TRUSTED_PROXIES,
    connectionsMax: settings.MAX_CONNECTIONS,
  });
  try {
    await app.listen({ host: settings.HOST, port: settings.PORT });
  } catch (error) {
    await database.close();
    throw notListening(error as NodeJS.ErrnoException, settings);
  }
  writing.start();
  const upkeep = startUpkeep(settings.DATABASE_URL, (error) =>
    log.error({ err: error }, "upkeep failed; it is tried again"),
  );
  const { port } = app.server.address() as AddressInfo;
  url = listeningUrl(settings.HOST, port);
  log.info({ url, migrated: database.migrated }, "listening");
  if ((await database.read(listOrganizations)).length === 0) {
    log.info("there is no organization yet; add one: email-analytics organization add --name NAME");
  }
  if (settings.PUBLIC_URL === "" && ["0.0.0.0", "::"].includes(settings.HOST)) {
    log.warn(`PUBLIC_URL is not set, so links lead to ${url}; set it to the address that clients use`);
  }
  if (settings.TRACKING_SECRET.length > 0 && settings.PUBLIC_URL === "" && settings.TRACKING_URL === "") {
    log.warn(`PUBLIC_URL and TRACKING_URL are not set, so addresses inside messages lead to ${url}`);
  }
  return {
    url,
    async stop() {
      log.info("stopping");
      const cut = setTimeout(() => app.server.closeAllConnections(), stoppingMsMax);
      await app.close();
      clearTimeout(cut);
      await writing.stop();
      await upkeep.stop();
      await database.close();
      log.info("stopped");
    },
  };
}

/** Where a service on this host and port is found. */
export function listeningUrl(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function notListening(error: NodeJS.ErrnoException, { HOST, PORT }: Settings): Error {
  if (error.code === "EADDRINUSE") {
    return new Refusal("conflict", `port ${PORT} of ${HOST} is in use; choose another with --port`);
  }
  if (error.code === "EACCES" || error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    return new Refusal("conflict", `cannot listen on ${HOST}, port ${PORT} (${error.code})`);
  }
  return error;
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once, as it would without us. */
export async function untilSignal(): Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  await Promise.race([once(process, "SIGTERM", { signal }), once(process, "SIGINT", { signal })]);
  ended.abort();
}
