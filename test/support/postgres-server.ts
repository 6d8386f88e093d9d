// A real PostgreSQL server of a test's own. Only this machine reaches it, with a password, and it is gone with its
// folder when the process that started it has ended, however that ended.

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
  /** Holds the data in `data`, beside the password and what the server had to say. */
  readonly folder: string;
  readonly isRunning: boolean;
  /** The address of a database, as DATABASE_URL takes it, for a user who may do everything. */
  url(databaseName?: string): string;
  /** Runs a statement of administration, outside of any transaction. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Starts it again, with the same data at the same address. */
  start(): Promise<void>;
  /** Ends all connections, writes what there is to the data files, and stops. */
  stop(): Promise<void>;
  /** Stops as a crash would: the next start has to recover from the log. */
  kill(): Promise<void>;
  /** Stops it for good, and removes its folder. */
  remove(): Promise<void>;
}

export interface PostgresOptions {
  /** A folder of another server, which is stopped: its data are served, and removed in the end. */
  folder?: string;
  /** As in postgresql.conf. */
  settings?: Record<string, string>;
}

const triesForPort = 10;
const startingMsMax = 60_000;

/** Starts a server on a free port. Its folder and its data are new unless they are given. */
export async function startPostgres({
  folder = makeRunnersFolder(),
  settings = {},
}: PostgresOptions = {}): Promise<PostgresServer> {
  const guard = guardFolder(folder);
  const programs = findPrograms(folder);
  if (!existsSync(join(folder, "data"))) await initialize(programs, folder);
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
      if (tries === triesForPort || !said.includes("Address already in use")) throw new Error(said);
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
    get isRunning() {
      return isRunning();
    },
    url,
    query: (sql) => query(url(), sql),
    // Somebody may have the port for a moment: where the system has other habits, programs that connect take any.
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
  // An error of a statement comes out of the statement; this is for a server that goes away after it.
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/**
 * A password that costs little to check, since tests connect often. Texts are in the order of a language, as on most
 * servers, and not of their bytes; the programs bring that order along, so that every machine has it.
 */
async function initialize({ initdb }: Programs, folder: string): Promise<void> {
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, randomBytes(16).toString("hex"), { mode: 0o600 });
  giveToRunner(passwordFile);
  const flags = [
    `--pgdata=${join(folder, "data")}`,
    "--username=postgres",
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--set=scram_iterations=1",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=icu",
    "--icu-locale=en-US",
    "--no-sync",
  ];
  await promisify(execFile)(initdb, flags, runner);
}

/** It does not hear what the terminal sends to this process, and does not keep this process from ending. */
function launch({ postgres }: Programs, folder: string, given: Record<string, string>): ChildProcess {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    ...given,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = openSync(join(folder, "log"), "w");
  const argv = ["-D", join(folder, "data"), ...flags];
  const server = spawn(postgres, argv, { ...runner, detached: true, stdio: ["ignore", log, log] });
  closeSync(log);
  server.unref();
  return server;
}

/** The server says in its file when it takes connections. @returns false when it ends instead */
async function becomesReady(server: ChildProcess, folder: string): Promise<boolean> {
  const file = join(folder, "data/postmaster.pid");
  const giveUpAt = performance.now() + startingMsMax;
  while (server.exitCode === null && server.signalCode === null) {
    const [pid, , , , , , , state] = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    if (Number(pid) === server.pid && state?.trim() === "ready") return true;
    if (performance.now() > giveUpAt) throw new Error("PostgreSQL does not get ready");
    await pause(10);
  }
  return false;
}

/** A process that waits for the end of this one, then ends the server of the folder and removes the folder. */
function guardFolder(folder: string): ChildProcess {
  const script = `cat > /dev/null
    cd "$0" && kill -QUIT "$(head -n 1 data/postmaster.pid)"
    for i in $(seq 600); do [ -e data/postmaster.pid ] && sleep 0.1; done
    rm -rf "$0"`;
  const guard = spawn("sh", ["-c", script, folder], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  guard.unref();
  return guard;
}

/** None that the system gives to whoever takes any that is free: a server that was stopped finds its own again. */
async function freePort(): Promise<number> {
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
