// Entry point of a reader thread: reads one file of a stranger, whose bytes the main thread sends, and ends.

import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { lowerThreadPriority } from "../../limits/thread-priority.ts";
import { asyncChunks } from "../../storage/queries/database.ts";
import {
  type ListColumns,
  type ListFormat,
  type ListRow,
  readCsvList,
  readList,
} from "../audience/parse-list.ts";
import { type CampaignsTask, type PreparedPart, prepareCampaigns } from "./prepare-campaigns.ts";

export type ReaderTask =
  | CampaignsTask
  /** A CSV file of any size. */
  | { name: "list"; columns: ListColumns }
  /** The body of a request, within its limits. */
  | { name: "sent_list"; format: ListFormat; isGzipped: boolean };

/** What each task makes of a file, by its name. */
export interface ReaderParts {
  campaigns: PreparedPart;
  list: readonly ListRow[];
  sent_list: readonly ListRow[];
}

/** Asks the main thread, which replies when it wants another part, or with bytes if there is no part. */
export interface ReaderMessage {
  part?: ReaderParts[keyof ReaderParts];
}

/** The file to start the thread with. */
export const readerFile = new URL(import.meta.url);

/** Receiving so many takes some milliseconds of the event loop. */
const rowsPerPart = 1_000;

let last: Promise<unknown> = Promise.resolve();

/** Asks one thing after the other: what reads the bytes goes on while a part is sent. */
function ask(message: ReaderMessage): Promise<Uint8Array | undefined> {
  const asked = last.then(() => {
    const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>();
    parentPort?.once("message", resolve);
    parentPort?.postMessage(message);
    return promise;
  });
  last = asked;
  return asked;
}

async function* receive(): AsyncGenerator<Uint8Array> {
  for (let bytes = await ask({}); bytes; bytes = await ask({})) yield bytes;
}

const { readerTask: task } = (workerData ?? {}) as { readerTask?: ReaderTask };
if (!isMainThread && task) {
  lowerThreadPriority();
  const parts =
    task.name === "campaigns"
      ? prepareCampaigns(receive(), task)
      : task.name === "list"
        ? asyncChunks(readCsvList(receive(), task.columns), rowsPerPart)
        : asyncChunks(readList(receive(), task), rowsPerPart);
  // An error ends the thread, and reaches the main thread.
  for await (const part of parts) await ask({ part });
}
