// A worker thread that runs one entry point after another, and keeps the modules that it has loaded.

import { channel } from "node:diagnostics_channel";
import { EventEmitter } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import { pathToFileURL } from "node:url";
import threads, {
  isMainThread,
  MessageChannel,
  type MessagePort,
  parentPort,
  type Worker,
} from "node:worker_threads";

interface Start {
  path: string;
  workerData: unknown;
  port: MessagePort;
}

const idle: Worker[] = [];

/** Looks like a new worker. When the entry point is done, its port closes, and the thread waits for the next one. */
export class ReusedThread extends EventEmitter {
  readonly #thread: Worker;
  readonly #port: MessagePort;

  /** @param path the file of the entry point */
  constructor(kind: typeof Worker, path: string, workerData: unknown) {
    super();
    const free = idle.pop();
    // Node announces a new thread on this channel.
    if (free) channel("worker_threads").publish({ worker: this });
    const thread = free ?? new kind(new URL(import.meta.url), { workerData: { runsEntryPoints: true } });
    const { port1, port2 } = new MessageChannel();
    const fail = (error: Error) => this.emit("error", error);
    const end = (code: number) => {
      thread.off("message", done).off("error", fail).off("exit", end).unref();
      port1.close();
      this.emit("exit", code);
    };
    const done = () => {
      idle.push(thread);
      end(0);
    };
    thread.on("message", done).on("error", fail).on("exit", end).ref();
    port1.on("message", (message) => this.emit("message", message));
    thread.postMessage({ path, workerData, port: port2 } satisfies Start, [port2]);
    this.#thread = thread;
    this.#port = port1;
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }

  terminate(): Promise<number> {
    return this.#thread.terminate();
  }
}

/** The entry point sees the port as that of its main thread. The number lets it run although it has run before. */
async function run({ path, workerData, port }: Start, count: number, whenDone: () => void): Promise<void> {
  port.once("close", whenDone);
  Object.assign(threads, { parentPort: port, workerData });
  syncBuiltinESMExports();
  await import(`${pathToFileURL(path)}?run=${count}`);
  // A thread would end here.
  if (port.listenerCount("message") === 0) port.close();
}

if (!isMainThread && threads.workerData?.runsEntryPoints) {
  const main = parentPort;
  let count = 0;
  main?.on("message", (start: Start) => run(start, ++count, () => main.postMessage("done")));
}
