// Starts and stops a serving process: database, writer thread, app, monitoring and upkeep.

import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { connectionsOf, databaseOptionsOf, mailOf, openIdOf, type Settings } from "../../config.ts";
import { readScannerNetworks } from "../../counting/events/scanner-networks.ts";
import { startUpkeep, type UpkeepThread } from "../../counting/upkeep/upkeep-thread.ts";
import { startWriterThread, type WriterThread } from "../../counting/writer/writer-thread.ts";
import type { Mailer } from "../../letters/mailer.ts";
import type { Notifier, NotifierOptions } from "../../letters/notifier.ts";
import { paths, webPaths } from "../../paths.ts";
import { openDatabase } from "../../storage/open-database.ts";
import { listOrganizations } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";
import { createMetrics } from "../monitoring/metrics.ts";
import { createMonitoring, type Monitoring } from "../monitoring/monitoring.ts";
import { countWriter } from "../monitoring/writer.ts";
import type { DemoSignIn } from "../web/frame/web-context.ts";
import { type ComponentName, components, defaultComponents } from "./components.ts";
import { listen, listeningUrl, toListenError } from "./listen.ts";
import { createLog } from "./log.ts";
import { buildServer, type ServerOptions } from "./server.ts";
import { warnOfSettings } from "./startup-warnings.ts";

export interface RunningServer {
  /** Where it listens. */
  url: string;
  /** Where Prometheus scrapes the metrics, if anywhere. */
  monitoring: string | undefined;
  /** The set-up page, if there is no organization yet. */
  setUpUrl: string | undefined;
  /** Graceful shutdown: accepts no new connection, finishes running responses, and closes the database. */
  stop(): Promise<void>;
}

interface StartOptions {
  /** Set it for one server only if several share the process. */
  isMonitored?: boolean;
  /** Whether other processes may listen on the same port. */
  sharesPort?: boolean;
  /** The version of the program, for its metrics. */
  version?: string;
  /** The link that signs people in without a password: for the demo. */
  welcome?: DemoSignIn;
}

/** When upkeep and notifications start. The first requests come before, and short-lived processes do without. */
const laterThreadsAfterMs = 2_000;

/** @param open the components to serve; without one that writes, no writer thread starts */
export async function startServer(
  settings: Settings,
  open: readonly ComponentName[] = defaultComponents(settings),
  { isMonitored = true, sharesPort = false, version = "", welcome }: StartOptions = {},
): Promise<RunningServer> {
  const openId = openIdOf(settings);
  const mail = mailOf(settings);
  const log = createLog(settings);
  const database = await openDatabase(settings.DATABASE_URL, {
    ...databaseOptionsOf(settings),
    maxConnections: connectionsOf(settings).reads,
  });
  const metrics = createMetrics();
  const writer = countWriter(startWriter(settings), metrics);
  let url = "";
  const mailer = mail && (await loadMailer(mail));
  const setUpSecret = await setUpSecretOf(settings, database, open);
  const app = await buildServer({
    ...serverOptionsOf(settings, () => url),
    database,
    writer,
    open,
    log,
    openId,
    welcome,
    setUpSecret,
    mailer,
  });
  let upkeep: UpkeepThread | undefined;
  const monitoring = createMonitoring({
    app,
    database,
    writer,
    metrics,
    version,
    address: settings.MONITORING,
    upkeepRanAt: () => upkeep?.lastRunAt(),
  });
  let monitoringUrl: string | undefined;
  try {
    url = await listen(app, { host: settings.HOST, port: settings.PORT, sharesPort });
    if (isMonitored) monitoringUrl = await startMonitoring(monitoring, settings.MONITORING);
  } catch (error) {
    await app.close();
    await database.close();
    throw error;
  }
  const isWriting = open.some((name) => components[name].writes);
  if (isWriting) writer.start();
  upkeep = isWriting ? startUpkeepOf(settings, log) : undefined;
  const notifier = open.includes("web")
    ? startNotifier({ database, mailer, publicUrl: () => settings.PUBLIC_URL || url, log, now: Date.now })
    : undefined;
  log.info({ url, monitoring: monitoringUrl, components: open, migrated: database.migrated }, "listening");
  warnOfReadOnly(database, log);
  if (setUpSecret !== undefined)
    log.info("there is no organization yet; open the set-up link, or run email-analytics init");
  warnOfSettings(log, settings, open, url);
  const stop = () => stopAll(log, { app, writer, monitoring, upkeep, notifier, database });
  // Output often goes to logs. A secret that the operator set is known to them.
  const end = settings.SETUP_TOKEN === "" ? setUpSecret : "<SETUP_TOKEN>";
  const setUpUrl = setUpSecret && `${settings.PUBLIC_URL || url}${webPaths.setUp}/${end}`;
  return { url, monitoring: monitoringUrl, setUpUrl, stop };
}

interface RunningParts {
  app: FastifyInstance;
  writer: WriterThread;
  monitoring: Monitoring;
  upkeep: UpkeepThread | undefined;
  notifier: { stop(): Promise<void> } | undefined;
  database: Database;
}

/** Graceful shutdown, in the order in which the parts depend on each other: the database closes last. */
async function stopAll(log: Logger, parts: RunningParts): Promise<void> {
  log.info("stopping");
  await closeApp(parts.app);
  await parts.notifier?.stop();
  await parts.writer.stop();
  await parts.monitoring.stop();
  await parts.upkeep?.stop();
  await parts.database.close();
  log.info("stopped");
}

function warnOfReadOnly(database: Database, log: Logger): void {
  const problem = database.writeProblem();
  if (problem === undefined) return;
  log.error(
    { problem },
    "the database can only be read; requests that write get 503 until its disk is writable",
  );
}

/** Loads the mail library only if it is used. */
async function loadMailer({ url, from }: { url: string; from: string }): Promise<Mailer> {
  const { createMailer } = await import("../../letters/mailer.ts");
  return createMailer(url, from);
}

/** Loads the code later, so that a process serves sooner. */
function startNotifier(options: Omit<NotifierOptions, "postToChat">): { stop(): Promise<void> } {
  let starting: Promise<Notifier | undefined> = Promise.resolve(undefined);
  const start = async () => {
    const [{ Notifier }, { postToChat }] = await Promise.all([
      import("../../letters/notifier.ts"),
      import("../../letters/post-to-chat.ts"),
    ]);
    const notifier = new Notifier({ ...options, postToChat });
    notifier.start();
    return notifier;
  };
  const timer = setTimeout(() => {
    starting = start();
  }, laterThreadsAfterMs);
  return {
    async stop() {
      clearTimeout(timer);
      await (await starting)?.stop();
    },
  };
}

/** Returns SETUP_TOKEN, else 64 hex digits; undefined if an organization exists, or no web component. */
async function setUpSecretOf(
  { SETUP_TOKEN }: Settings,
  database: Database,
  open: readonly ComponentName[],
): Promise<string | undefined> {
  if (!open.includes("web") || (await database.snapshot(listOrganizations)).length > 0) return undefined;
  return SETUP_TOKEN || randomBytes(32).toString("hex");
}

/** A thread that starts again must not create an empty file where someone has moved the database away. */
function threadOptions(settings: Settings, maxConnections: number) {
  return { ...databaseOptionsOf(settings), maxConnections, mustExist: true };
}

function startWriter(settings: Settings) {
  return startWriterThread({
    databaseUrl: settings.DATABASE_URL,
    databaseOptions: { ...threadOptions(settings, connectionsOf(settings).writes), writesMuch: true },
    maxQueueBytes: settings.INGEST_QUEUE_BYTES,
    maxQuarantineBytes: settings.QUARANTINE_BYTES,
    scannerNetworks: readScannerNetworks(settings.SCANNER_NETWORKS),
  });
}

function startUpkeepOf(settings: Settings, log: Logger) {
  return startUpkeep(
    { url: settings.DATABASE_URL, options: threadOptions(settings, connectionsOf(settings).upkeep) },
    (error) => log.error({ err: error }, "upkeep could not finish; will retry"),
    laterThreadsAfterMs,
  );
}

function serverOptionsOf(settings: Settings, url: () => string) {
  return {
    region: settings.REGION,
    publicUrl: () => settings.PUBLIC_URL || url(),
    tracking: {
      secrets: settings.TRACKING_SECRET,
      url: () => settings.TRACKING_URL || settings.PUBLIC_URL || url(),
      // Leaves connections for readers who follow a link.
      maxOpenReads: Math.min(settings.READINGS_MAX, Math.floor(settings.MAX_CONNECTIONS / 2)),
    },
    downloads: {
      databaseUrl: settings.DATABASE_URL,
      databaseOptions: threadOptions(settings, 1),
      maxDownloads: settings.DOWNLOADS_MAX,
      maxSeconds: settings.DOWNLOAD_SECONDS,
    },
    indexBytes: settings.INDEX_MEMORY_BYTES,
    trustedProxies: settings.TRUSTED_PROXIES,
    corsOrigins: settings.CORS_ORIGINS,
    maxConnections: settings.MAX_CONNECTIONS,
  } satisfies Partial<ServerOptions>;
}

/** @returns the URL of the metrics, if they are served */
async function startMonitoring(
  monitoring: Monitoring,
  address: Settings["MONITORING"],
): Promise<string | undefined> {
  try {
    const port = await monitoring.start();
    return address && port ? listeningUrl(address.host, port) + paths.metrics : undefined;
  } catch (error) {
    await monitoring.stop();
    throw address ? toListenError(error, address.host, address.port, "MONITORING") : error;
  }
}

/** Running responses have this long to finish. */
const maxShutdownMs = 30_000;

async function closeApp(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), maxShutdownMs);
  await app.close();
  clearTimeout(timer);
}
