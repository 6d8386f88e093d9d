// The clients of the API behind one interface, so that the same tests run with each of them.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  type DownloadFormat,
  EmailAnalytics,
  EmailAnalyticsError,
  type Filters,
} from "../../clients/typescript/email-analytics.ts";
import type { Cleanup } from "./world.ts";

export interface ClientCall {
  address: string;
  key: string;
  verb: "emails" | "changes" | "download" | "records" | "to_pandas" | "save_twice";
  /** Of the file to save. */
  path?: string;
  cursor?: string;
  format?: DownloadFormat;
  filters?: Filters;
}

export interface Outcome {
  value?: unknown;
  error?: {
    code: string;
    message: string;
    status?: number | null;
    requestId?: string | null;
    /** In seconds. */
    retryAfter?: number | null;
  };
  /** In seconds; nothing waits in tests. */
  waits: number[];
}

export type Client = (call: ClientCall) => Promise<Outcome>;

export const callTypescript: Client = async ({ address, key, ...call }) => {
  const waits: number[] = [];
  const sleep = async (ms: number) => void waits.push(ms / 1000);
  try {
    return { value: await run(new EmailAnalytics({ address, key, sleep }), call), waits };
  } catch (error) {
    if (!(error instanceof EmailAnalyticsError)) {
      return { error: { code: (error as Error).name, message: (error as Error).message }, waits };
    }
    const { code, message, status, requestId, retryAfterMs } = error;
    const retryAfter = retryAfterMs === undefined ? undefined : retryAfterMs / 1000;
    return { error: { code, message, status, requestId, retryAfter }, waits } as Outcome;
  }
};

async function run(
  client: EmailAnalytics,
  { verb, cursor, format = "ndjson", filters }: Omit<ClientCall, "address" | "key">,
): Promise<unknown> {
  if (verb === "emails") return collect(client.emails(filters));
  if (verb === "changes") return collect(client.changes(cursor));
  const download = await client.download(format, filters);
  if (verb === "records") return collect(download.records());
  const file = Buffer.concat(await collect(download.stream));
  return { file: file.toString("base64"), cursor: download.cursor };
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const root = join(import.meta.dirname, "../..");

/** One process of Python for all calls. Calls wait for each other. */
export function startPython(test: Cleanup): Client {
  const child = spawn("python3", [
    join(import.meta.dirname, "python-client.py"),
    join(root, "clients/python"),
  ]);
  const failed = once(child, "error").then(([error]) => {
    throw new Error(
      `The tests of the Python client need python3, 3.9 or later: apt-get install python3 (${error})`,
    );
  });
  // It is reported to the call.
  failed.catch(() => undefined);
  child.stderr.pipe(process.stderr);
  test.after(() => child.stdin.end());
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return async ({ address, key, verb, cursor, path, format = "ndjson", filters = {} }) => {
    const { sentAfter, sentBefore, tagIds } = filters;
    const selection = { sent_after: sentAfter, sent_before: sentBefore, tag_ids: tagIds };
    const ofVerb =
      verb === "emails" ? selection : verb === "changes" ? { cursor } : { format, path, ...selection };
    child.stdin.write(`${JSON.stringify({ verb, arguments: ofVerb, options: { address, key } })}\n`);
    const { value: line } = await Promise.race([lines.next(), failed]);
    const { error, ...outcome } = JSON.parse(line as string);
    if (!error) return outcome;
    const { request_id: requestId, retry_after: retryAfter, ...rest } = error;
    return { ...outcome, error: { ...rest, requestId, retryAfter } };
  };
}
