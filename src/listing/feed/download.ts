// Entry point of a download thread: reads one download at a time in one transaction, and posts its bytes to the main thread.

import { pipeline } from "node:stream";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { constants, createGzip } from "node:zlib";
import {
  type FeedRow,
  type FeedTable,
  type FileTableName,
  feedTables,
} from "../../campaign/feed/feed-tables.ts";
import { AppError, type PostedError, toPostedError } from "../../errors.ts";
import { type FileFormatName, fileFormats } from "../../formats/feed-files.ts";
import { checkSheetRows } from "../../formats/xlsx.ts";
import { lowerThreadPriority } from "../../limits/thread-priority.ts";
import { countEmails, type EmailSelection } from "../../storage/campaigns/emails.ts";
import { openDatabase } from "../../storage/open-database.ts";
import { findOrganization } from "../../storage/organizations/organizations.ts";
import type { Database, DatabaseOptions } from "../../storage/queries/database.ts";
import { type ChangesPosition, positionAt } from "../changes-position.ts";
import { encodeOData, type ODataContent } from "./odata-content.ts";
import { readDetails } from "./read-details.ts";
import type { SnapshotSource } from "./read-emails.ts";
import { readFeed } from "./read-feed.ts";

/** What the thread is started with. */
export interface DownloadThreadData {
  databaseUrl: string;
  databaseOptions?: DatabaseOptions | undefined;
}

export interface DownloadRequest {
  organizationId: number;
  /** The time zone that the caller knows: the selection was made for it. */
  timeZone: string;
  content: DownloadContent;
  isGzipped: boolean;
}

/** A file, or the answer to an OData request. */
export type DownloadContent = TableFile | ODataContent;

/** What a file has of its rows. */
export interface FileSelection {
  /** The fields in their order; all by default. */
  fields?: string[] | undefined;
  /** In CSV, numbers have a decimal comma. */
  decimal?: "comma" | undefined;
}

/** A file with the rows of a selection of campaigns. */
interface TableFile extends FileSelection {
  format: FileFormatName;
  table: FileTableName;
  selection: EmailSelection;
}

/** The state of the organization that a download shows. */
export interface DownloadState {
  revisionId: number;
  /** The position from which a client with the whole download reads the changes. */
  position: ChangesPosition;
}

/** A message from the main thread. `more` allows another piece. */
export type DownloadCommand = { start: DownloadRequest } | "more" | "cancel";

/** A message to the main thread. `ended` comes last, also after a failure. */
export type DownloadMessage =
  | { state: DownloadState }
  | { piece: Uint8Array }
  | { ended: true; error?: PostedError };

/** The file to start the thread with. */
export const downloadFile = new URL(import.meta.url);

/** Pieces that the main thread has not asked to replace yet. */
const piecesUnderWay = 4;
const maxPieceBytes = 256 * 1024;

const post = (message: DownloadMessage, transfer: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transfer);

/** Lets a thread wait until the main thread wants another piece. */
class Credit {
  #pieces = piecesUnderWay;
  #isCancelled = false;
  #wake: (() => void) | undefined;

  add(): void {
    this.#pieces += 1;
    this.#wake?.();
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#wake?.();
  }

  /** @throws Error if the download was cancelled */
  async take(): Promise<void> {
    if (this.#pieces === 0 && !this.#isCancelled) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    if (this.#isCancelled) throw new Error("the download was cancelled");
    this.#pieces -= 1;
  }
}

/** A retry would send the first bytes twice. */
function download(database: Database, request: DownloadRequest, credit: Credit): Promise<void> {
  const { organizationId, timeZone, content, isGzipped } = request;
  return database.snapshotOf(
    organizationId,
    async (scope) => {
      const organization = await findOrganization(scope);
      if (organization?.timeZone !== timeZone) {
        throw new AppError("unavailable", "The organization has just changed. Try again.");
      }
      const position = await positionAt(scope, organization);
      if ("format" in content && content.format === "xlsx" && content.table === "emails")
        checkSheetRows(await countEmails(scope, content.selection));
      const encoded =
        "format" in content
          ? fileFormats[content.format].encode(tableOf(content), readFile({ scope, organization }, content), {
              ...organization,
              decimal: content.decimal,
            })
          : await encodeOData({ scope, organization }, content);
      post({ state: { revisionId: organization.revisionId, position } });
      for await (const bytes of isGzipped ? gzip(encoded) : encoded) await sendPieces(bytes, credit);
    },
    "never",
  );
}

function tableOf({ table, fields }: TableFile): FeedTable {
  const { fields: all, ...rest }: FeedTable = feedTables[table];
  return { ...rest, fields: fields ? pick(all, fields) : all };
}

const pick = <Value>(of: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> =>
  Object.fromEntries(names.map((name) => [name, of[name] as Value]));

async function* readFile(source: SnapshotSource, file: TableFile): AsyncGenerator<readonly FeedRow[]> {
  const { fields } = file;
  for await (const rows of readRows(source, file)) {
    yield fields ? rows.map((row) => pick(row, fields)) : rows;
  }
}

function readRows(source: SnapshotSource, { table, selection }: TableFile): AsyncIterable<FeedRow[]> {
  if (table === "emails") return readFeed(source.scope, selection);
  return readDetails(source, table, { from: 0, until: Number.MAX_SAFE_INTEGER }, selection);
}

function gzip(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: maxPieceBytes });
  // A failure destroys the stream, and so reaches its reader.
  pipeline(bytes, gzip, () => undefined);
  return gzip;
}

async function sendPieces(bytes: Uint8Array, credit: Credit): Promise<void> {
  for (let at = 0; at < bytes.length; at += maxPieceBytes) {
    await credit.take();
    // A copy: encoders may share the memory of their bytes, and a transfer takes all of it.
    const piece = new Uint8Array(bytes.subarray(at, at + maxPieceBytes));
    post({ piece }, [piece.buffer]);
  }
}

async function run(database: Database, request: DownloadRequest, credit: Credit): Promise<void> {
  try {
    await download(database, request, credit);
    post({ ended: true });
  } catch (error) {
    post({ ended: true, error: toPostedError(error) });
  }
}

async function listen({ databaseUrl, databaseOptions }: DownloadThreadData): Promise<void> {
  // Messages that arrive meanwhile wait in the port.
  const database = await openDatabase(databaseUrl, { ...databaseOptions, mayPause: true });
  let credit = new Credit();
  parentPort?.on("message", (command: DownloadCommand) => {
    if (command === "more") credit.add();
    else if (command === "cancel") credit.cancel();
    else {
      credit = new Credit();
      void run(database, command.start, credit);
    }
  });
}

const { downloadThread } = (workerData ?? {}) as { downloadThread?: DownloadThreadData };
if (!isMainThread && downloadThread !== undefined) {
  lowerThreadPriority();
  await listen(downloadThread);
}
