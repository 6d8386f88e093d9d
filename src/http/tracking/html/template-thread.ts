// Parses HTML in a worker thread: a long message takes 100 ms, which would block the event loop.

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { AppError, fromPostedError, type PostedError, toPostedError } from "../../../errors.ts";
import type { Template } from "./template.ts";

interface TemplateThread {
  /** @throws AppError as `parseTemplate` does; `unavailable` if too many requests are waiting */
  parse(html: string): Promise<Template>;
  stop(): Promise<void>;
}

type TemplateReply = { template: Template } | PostedError;

/** Each may hold a megabyte. */
const maxWaiting = 100;

/** The worker starts with the first call, and again with the next call if it ended. */
export function startTemplateThread(): TemplateThread {
  /** The callbacks in the order in which the worker replies. */
  const waiting: ((reply: TemplateReply) => void)[] = [];
  let worker: Worker | undefined;
  const startWorker = () => {
    const started = new Worker(new URL(import.meta.url), { workerData: { isTemplateThread: true } });
    started.on("message", (reply: TemplateReply) => waiting.shift()?.(reply));
    let posted: PostedError = { failure: "the template thread ended" };
    started.on("error", (error) => {
      posted = toPostedError(error);
    });
    started.on("exit", () => {
      worker = undefined;
      for (const settle of waiting.splice(0)) settle(posted);
    });
    // The worker must not keep the process running.
    started.unref();
    return started;
  };
  return {
    parse(html) {
      if (waiting.length >= maxWaiting) {
        throw new AppError("unavailable", "Too many messages are being made already. Try again.");
      }
      worker ??= startWorker();
      const { promise, resolve, reject } = Promise.withResolvers<Template>();
      waiting.push((reply) => {
        if ("template" in reply) resolve(reply.template);
        else reject(fromPostedError(reply));
      });
      worker.postMessage(html);
      return promise;
    },
    async stop() {
      await worker?.terminate();
    },
  };
}

function reply(parse: (html: string) => Template, html: string): TemplateReply {
  try {
    return { template: parse(html) };
  } catch (error) {
    return toPostedError(error);
  }
}

const { isTemplateThread } = (workerData ?? {}) as { isTemplateThread?: boolean };
if (!isMainThread && isTemplateThread) {
  // The main thread never needs the parser.
  const { parseTemplate } = await import("./parse-template.ts");
  parentPort?.on("message", (html: string) => parentPort?.postMessage(reply(parseTemplate, html)));
}
