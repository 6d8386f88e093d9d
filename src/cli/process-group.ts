// Several serving processes that share one port: this process accepts the connections and hands them to the others in
// turn (node:cluster), stops them, and starts a new one for each that ends.

import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Settings } from "../config.ts";
import { AppError } from "../errors.ts";
import type { ComponentName } from "../http/components.ts";
import { reservePort } from "../http/listen.ts";
import { createLog } from "../http/server-log.ts";
import { closeLostConnection } from "./lost-connection.ts";

/** What a process reports once it serves. */
interface Serving {
  pid: number;
  url: string;
  /** Where Prometheus scrapes its metrics, if anywhere. */
  monitoring?: string | undefined;
}

export interface ProcessGroup {
  url: string;
  processes: Omit<Serving, "url">[];
  /**
   * Graceful shutdown of all processes.
   *
   * @returns the exit code: 0 if each of them ended without an error
   */
  stop(): Promise<number>;
}

export const maxProcesses = 256;

/** A process that ends early again and again is started after waits that double. */
const restartMs = { first: 100, longest: 30_000, resetAfter: 60_000 };
const stopMessage = "stop";
const maxPort = 65_535;

/**
 * Starts the processes, the first one alone: it migrates the database, and if it cannot serve, neither can the others.
 *
 * @returns the group, or the exit code of a process that could not serve and has printed its error
 */
export async function startProcessGroup(
  count: number,
  settings: Settings,
  open: readonly ComponentName[],
): Promise<ProcessGroup | number> {
  // Also on Windows. Where the processes share a socket, one of two can get all of 64 connections that open together.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const log = createLog(settings, { isOneOfSeveral: true });
  const members = Array.from(
    { length: count },
    (_, index) => new Member(environmentOf(settings, index), log),
  );
  const stop = async () => Math.max(...(await Promise.all(members.map((member) => member.stop()))));
  const [first, ...others] = members;
  // With port 0, processes that replace all others would listen on another port than the group has printed.
  const reserved = settings.PORT === 0 ? await reservePort(settings.HOST) : undefined;
  const port = reserved?.port ?? settings.PORT;
  // Not the arguments of this process: nothing can be added after a `--`.
  cluster.setupPrimary({
    args: ["serve", `--host=${settings.HOST}`, `--port=${port}`, `--only=${open}`],
  });
  const started = await first?.start();
  reserved?.release();
  if (typeof started !== "object") return started ?? 1;
  const { url } = started;
  const all = [started, ...(await Promise.all(others.map((member) => member.start())))];
  const failure = all.find((each) => typeof each === "number");
  if (failure !== undefined) {
    await stop();
    return failure;
  }
  const processes = all.filter((each) => typeof each === "object");
  return { url, processes: processes.map(({ url: _, ...process }) => process), stop };
}

/**
 * The environment of one process: each has its own metrics, on ports that follow each other.
 *
 * @throws AppError `bad_request` if there is no such port
 */
function environmentOf({ MONITORING }: Settings, index: number): Record<string, string> {
  if (!MONITORING) return {};
  const { host, port } = MONITORING;
  const own = port === 0 ? 0 : port + index;
  if (own > maxPort) {
    throw new AppError(
      "bad_request",
      `MONITORING: each process needs a port, from ${port} on; there is no port ${own}`,
    );
  }
  return { MONITORING: `${isIPv6(host) ? `[${host}]` : host}:${own}` };
}

/** Both are null if it could not be started. */
interface Ended {
  code: number | null;
  signal: string | null;
}

/** One process of the group, and those that replace it. */
class Member {
  readonly #environment: Record<string, string>;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  #worker: Worker | undefined;
  /** Its report, once it serves. */
  #serving: Serving | undefined;
  #ended: Promise<Ended> | undefined;

  constructor(environment: Record<string, string>, log: Logger) {
    this.#environment = environment;
    this.#log = log;
  }

  /** @returns the exit code if the process ends before it serves */
  async start(): Promise<Serving | number> {
    const { reported, ended } = this.#fork();
    await Promise.race([reported, ended]);
    if (!this.#serving) return (await ended).code ?? 1;
    void this.#keepRunning();
    return this.#serving;
  }

  /** @returns the exit code; 0 if the process did not serve, which the log has reported */
  async stop(): Promise<number> {
    this.#stopping.abort();
    const worker = this.#worker;
    if (!worker || worker.isDead()) return 0;
    const isServing = this.#serving !== undefined;
    // Not a second signal: a signal to all, such as Ctrl-C, has told a serving process already. The callback ignores a
    // closed channel, because then the process is ending.
    if (isServing) worker.send(stopMessage, () => {});
    else worker.kill("SIGTERM");
    const ended = await this.#ended;
    return isServing ? (ended?.code ?? 1) : 0;
  }

  #fork() {
    const reported = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<Ended>();
    this.#worker = undefined;
    this.#serving = undefined;
    this.#ended = ended.promise;
    // The others go on if the system has no memory or open files left for a new process.
    const report = (error: unknown) => {
      this.#log.error({ err: error }, "a serving process cannot be started or reached");
      if (this.#worker?.process.pid === undefined) ended.resolve({ code: null, signal: null });
    };
    try {
      const worker = cluster.fork(this.#environment);
      this.#worker = worker;
      closeLostConnection(worker);
      worker.on("error", report);
      worker.once("exit", (code, signal) => ended.resolve({ code, signal }));
      worker.once("message", (serving) => {
        this.#serving = serving as Serving;
        reported.resolve();
      });
    } catch (error) {
      report(error);
    }
    return { reported: reported.promise, ended: ended.promise };
  }

  async #keepRunning(): Promise<void> {
    const { signal: stopping } = this.#stopping;
    for (let waitMs = restartMs.first; ; waitMs = Math.min(2 * waitMs, restartMs.longest)) {
      const startedAt = performance.now();
      const ended = await this.#ended;
      if (stopping.aborted) return;
      if (performance.now() - startedAt >= restartMs.resetAfter) waitMs = restartMs.first;
      const facts = { process: this.#worker?.process.pid, ...ended, wait_ms: waitMs };
      this.#log.error(facts, "a serving process ended; starting another one");
      await delay(waitMs, undefined, { signal: stopping }).catch(() => undefined);
      if (stopping.aborted) return;
      this.#fork();
    }
  }
}

/** Whether this process was started by a group. */
export const isInGroup = cluster.isWorker;

/** Serves as a process of a group, until the group or a signal stops it. */
export async function serveInGroup(
  settings: Settings,
  open: readonly ComponentName[],
  untilStopped: () => Promise<void>,
): Promise<void> {
  try {
    // The process that starts the others does without the server.
    const { startServer } = await import("../http/start.ts");
    const { url, monitoring, stop } = await startServer(settings, open, { isOneOfSeveral: true });
    const stopped = Promise.race([untilStopped(), once(process, "message")]);
    const serving: Serving = { pid: process.pid, url, ...(monitoring && { monitoring }) };
    process.send?.(serving);
    await stopped;
    await stop();
  } finally {
    // Otherwise the channel to the first process would keep this one alive.
    cluster.worker?.disconnect();
  }
}
