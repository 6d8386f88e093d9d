// Entry point of a reader thread: reads one file of a stranger, whose bytes the main thread sends, and ends.

import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { AppError, type ErrorCode } from "../../errors.ts";
import { asyncChunks } from "../../storage/database.ts";
import { type ListColumns, type ListRow, readCsvList } from "../audience/parse-list.ts";
import { type CampaignsTask, type PreparedPart, prepareCampaigns } from "./prepare-campaigns.ts";

export type ReaderTask = CampaignsTask | { name: "list"; columns: ListColumns };

/** What each task makes of a file, by its name. */
export interface ReaderParts {
  campaigns: PreparedPart;
  list: readonly ListRow[];
}

/** To the main thread, which replies with the next bytes, or when it wants another part. */
export type ReaderMessage =
  | "more"
  | { part: ReaderParts[keyof ReaderParts] }
  | { ended: true; appError?: { code: ErrorCode; message: string } };

/** The file to start the thread with. */
export const readerFile = new URL(import.meta.url);

/** Receiving so many takes some milliseconds of the event loop. */
const rowsPerPart = 1_000;

function ask(question: ReaderMessage): Promise<Uint8Array | undefined> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>();
  parentPort?.once("message", resolve);
  parentPort?.postMessage(question);
  return promise;
}

async function* receive(): AsyncGenerator<Uint8Array> {
  for (let bytes = await ask("more"); bytes; bytes = await ask("more")) yield bytes;
}

async function read(task: ReaderTask): Promise<void> {
  const parts =
    task.name === "campaigns"
      ? prepareCampaigns(receive(), task)
      : asyncChunks(readCsvList(receive(), task.columns), rowsPerPart);
  try {
    for await (const part of parts) await ask({ part });
    await ask({ ended: true });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await ask({ ended: true, appError: { code: error.code, message: error.message } });
  }
}

const { readerTask } = (workerData ?? {}) as { readerTask?: ReaderTask };
if (!isMainThread && readerTask) await read(readerTask);
