// The writing thread, put together: what it does stands in counting/, what providers send is read by the door for them.

import { isMainThread, workerData } from "node:worker_threads";
import { runWriter, type WritingData } from "./counting/writer.ts";
import { readWebhook } from "./ingest/providers/read-webhook.ts";

/** The file that the thread is started with. */
export const writerFile = new URL(import.meta.url);

const { writing } = (workerData ?? {}) as { writing?: WritingData };
if (!isMainThread && writing) await runWriter(writing, { webhook: readWebhook });
