// A server that runs: its log, its database, its threads and its doors, until it is stopped.

import type { AddressInfo } from "node:net";
import { type DestinationStream, destination, type Logger, pino } from "pino";
import { databaseOptionsOf, openIdOf, type Settings } from "../config.ts";
import { startUpkeep } from "../counting/upkeep/upkeep-thread.ts";
import { startWriterThread } from "../counting/writer/writer-thread.ts";
import { AppError } from "../errors.ts";
import { openDatabase } from "../storage/open-database.ts";
import { listOrganizations } from "../storage/organizations.ts";
import { openReplica } from "../storage/postgres/replica.ts";
import { type ComponentName, componentNames, components } from "./components.ts";
import { measurementsPath } from "./monitoring/listen.ts";
import { type Monitoring, monitor } from "./monitoring/monitoring.ts";
import { watchWriting } from "./monitoring/writer.ts";
import { buildServer } from "./server.ts";
import type { DemoSignIn } from "./web/web-context.ts";

/** Answers that are still being sent get so long when the service is told to stop. */
const stoppingMsMax = 30_000;

export interface RunningServer {
  /** Where it listens. */
  url: string;
  /** Where Prometheus is answered, if anywhere. */
  monitoring: string | undefined;
  /** Takes no new connection, lets running answers finish, and closes the database. */
  stop(): Promise<void>;
}

/**
 * @param open the doors that are open: without one behind which something is written, no thread is made for that
 * @param isMonitored whether the process is watched, which is of use where it serves nothing else
 * @param welcome who is signed in at which address without a password: for the demo
 */
export async function startServer(
  settings: Settings,
  open: readonly ComponentName[] = componentNames,
  { isMonitored = true, welcome }: { isMonitored?: boolean; welcome?: DemoSignIn } = {},
): Promise<RunningServer> {
  const openId = openIdOf(settings);
  const log = pino(
    { level: settings.LOG_LEVEL, base: { service: "email-analytics", region: settings.REGION } },
    logDestination(),
  );
  const connections = settings.DATABASE_CONNECTIONS;
  const optionsWith = (connectionsMax: number) => ({ ...databaseOptionsOf(settings), connectionsMax });
  const database = await openDatabase(settings.DATABASE_URL, optionsWith(connections));
  if (settings.DATABASE_READ_URL && !database.isShared) {
    await database.close();
    throw new AppError(
      "bad_request",
      "DATABASE_READ_URL: a replica follows PostgreSQL, and DATABASE_URL is SQLite",
    );
  }
  const replica = settings.DATABASE_READ_URL
    ? openReplica(settings.DATABASE_READ_URL, connections, (error) =>
        log.warn({ err: error }, "the read replica cannot be used; the primary answers in its place"),
      )
    : undefined;
  let url = "";
  const { writing, measured } = watchWriting(
    startWriterThread({
      databaseUrl: settings.DATABASE_URL,
      databaseOptions: optionsWith(Math.floor(connections / 2)),
      queueBytesMax: settings.INGEST_QUEUE_BYTES,
      quarantineMax: settings.QUARANTINE_MAX,
    }),
  );
  const app = buildServer({
    database,
    replica,
    writing,
    open,
    region: settings.REGION,
    publicUrl: () => settings.PUBLIC_URL || url,
    log,
    tracking: {
      secrets: settings.TRACKING_SECRET,
      url: () => settings.TRACKING_URL || settings.PUBLIC_URL || url,
      // Whoever follows a link needs a connection as well.
      readingsMax: Math.min(settings.READINGS_MAX, Math.floor(settings.MAX_CONNECTIONS / 2)),
    },
    openId,
    memory: { pages: settings.PAGE_MEMORY_BYTES, timelines: settings.TIMELINE_MEMORY_BYTES },
    trustedProxies: settings.TRUSTED_PROXIES,
    connectionsMax: settings.MAX_CONNECTIONS,
    welcome,
  });
  const monitoring = monitor({ app, log, address: settings.MONITORING, measureMore: measured });
  try {
    await app.listen({ host: settings.HOST, port: settings.PORT });
  } catch (error) {
    await database.close();
    throw notListening(error, settings.HOST, settings.PORT, "--port");
  }
  const monitoringUrl = isMonitored
    ? await startMonitoring(monitoring, settings.MONITORING).catch(async (error) => {
        await app.close();
        await database.close();
        throw error;
      })
    : undefined;
  const isWriting = open.some((name) => components[name].writes);
  if (isWriting) writing.start();
  const upkeep = isWriting
    ? startUpkeep({ url: settings.DATABASE_URL, options: optionsWith(2) }, (error) =>
        log.error({ err: error }, "upkeep failed; it is tried again"),
      )
    : undefined;
  const { port } = app.server.address() as AddressInfo;
  url = listeningUrl(settings.HOST, port);
  log.info({ url, monitoring: monitoringUrl, doors: open, migrated: database.migrated }, "listening");
  if ((await database.snapshot(listOrganizations)).length === 0) {
    log.info("there is no organization yet; add one: email-analytics organization add --name NAME");
  }
  warnOfAddresses(log, settings, open, url);
  return {
    url,
    monitoring: monitoringUrl,
    async stop() {
      log.info("stopping");
      const cut = setTimeout(() => app.server.closeAllConnections(), stoppingMsMax);
      await app.close();
      clearTimeout(cut);
      await writing.stop();
      await monitoring.stop();
      await upkeep?.stop();
      await replica?.close();
      await database.close();
      log.info("stopped");
    },
  };
}

/**
 * Lines are gathered for a moment: to hand each over by itself takes longer than to answer a request. Those that nobody
 * takes (a full disk, a pipe without a reader) are dropped: the service goes on.
 */
function logDestination(): DestinationStream {
  const bounds = { minLength: 16_000, periodicFlush: 50, maxLength: 1_000_000 };
  const lines = destination({ dest: 2, sync: false, ...bounds });
  lines.on("error", () => undefined);
  process.once("exit", () => lines.flushSync());
  return lines;
}

/** Clients and readers may not reach the service where it listens. */
function warnOfAddresses(log: Logger, settings: Settings, open: readonly ComponentName[], url: string): void {
  const { HOST, PUBLIC_URL, TRACKING_SECRET, TRACKING_URL } = settings;
  if (open.length === 1 && open[0] === "tracking" && TRACKING_SECRET.length === 0) {
    log.warn("TRACKING_SECRET is not set, so no tracked messages are made or answered");
  }
  if (open.includes("web") && PUBLIC_URL !== "" && new URL(PUBLIC_URL).pathname !== "/") {
    log.warn(
      "the web application needs a PUBLIC_URL without a path: its addresses begin at the top of the host",
    );
  }
  if (PUBLIC_URL !== "") return;
  if (open.includes("api") && ["0.0.0.0", "::"].includes(HOST)) {
    log.warn(`PUBLIC_URL is not set, so links lead to ${url}; set it to the address that clients use`);
  }
  if (open.includes("tracking") && TRACKING_SECRET.length > 0 && TRACKING_URL === "") {
    log.warn(`PUBLIC_URL and TRACKING_URL are not set, so addresses inside messages lead to ${url}`);
  }
}

/** Where a service on this host and port is found. */
export function listeningUrl(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** @returns where Prometheus is answered, if anywhere */
async function startMonitoring(
  monitoring: Monitoring,
  address: Settings["MONITORING"],
): Promise<string | undefined> {
  try {
    const port = await monitoring.start();
    return address && port ? listeningUrl(address.host, port) + measurementsPath : undefined;
  } catch (error) {
    await monitoring.stop();
    throw address ? notListening(error, address.host, address.port, "MONITORING") : error;
  }
}

/** @param where what chooses another port */
function notListening(error: unknown, host: string, port: number, where: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") {
    return new AppError("conflict", `port ${port} of ${host} is in use; choose another with ${where}`);
  }
  if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new AppError("conflict", `cannot listen on ${host}, port ${port} (${code})`);
  }
  return error;
}
