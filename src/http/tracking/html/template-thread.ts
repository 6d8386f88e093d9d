// A thread of its own reads the HTML of campaigns: a long one takes a tenth of a second, in which nobody else would be
// served.

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { AppError, type ErrorCode } from "../../../errors.ts";
import { parseTemplate, type Template } from "./template.ts";

export interface TemplateThread {
  /** @throws Refusal that `readTemplate` gives; `unavailable` when too many wait */
  parse(html: string): Promise<Template>;
  stop(): Promise<void>;
}

interface TemplateReply {
  template?: Template;
  refusal?: { code: ErrorCode; message: string };
  failure?: string;
}

/** Each holds up to a megabyte. */
const waitingMax = 100;

/** It is started with the first HTML, and again should it ever end. */
export function startTemplateThread(): TemplateThread {
  /** In the order in which they are answered. */
  const waiting: ((answer: TemplateReply) => void)[] = [];
  let worker: Worker | undefined;
  const startThread = () => {
    const started = new Worker(new URL(import.meta.url), { workerData: { isForTemplates: true } });
    started.on("message", (answer: TemplateReply) => waiting.shift()?.(answer));
    let failure = "the thread for templates ended";
    started.on("error", (error) => {
      failure = String((error as Error).stack ?? error);
    });
    started.on("exit", () => {
      worker = undefined;
      for (const settle of waiting.splice(0)) settle({ failure });
    });
    // Nobody waits for it when everything else is done.
    started.unref();
    return started;
  };
  return {
    parse(html) {
      if (waiting.length >= waitingMax) {
        throw new AppError("unavailable", "Too many messages are being made already; try again.");
      }
      worker ??= startThread();
      const { promise, resolve, reject } = Promise.withResolvers<Template>();
      waiting.push(({ template, refusal, failure }) => {
        if (template) resolve(template);
        else if (refusal) reject(new AppError(refusal.code, refusal.message));
        else reject(new Error(failure));
      });
      worker.postMessage(html);
      return promise;
    },
    async stop() {
      await worker?.terminate();
    },
  };
}

function answerOf(html: string): TemplateReply {
  try {
    return { template: parseTemplate(html) };
  } catch (error) {
    if (error instanceof AppError) return { refusal: { code: error.code, message: error.message } };
    return { failure: String((error as Error).stack ?? error) };
  }
}

const { isForTemplates } = (workerData ?? {}) as { isForTemplates?: boolean };
if (!isMainThread && isForTemplates) {
  parentPort?.on("message", (html: string) => parentPort?.postMessage(answerOf(html)));
}
