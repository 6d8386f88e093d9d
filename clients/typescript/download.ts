// A download: a stream of bytes that fails if it is cut, and its records.

import { EmailAnalyticsError } from "./email-analytics-error.ts";
import type { FeedRecord } from "./records.ts";
import { reasonOf } from "./requester.ts";

export type DownloadFormat = "csv" | "ndjson" | "parquet";

/** How each file ends. Runtimes report most cuts, but not one at which a proxy of HTTP/1.0 just closes the connection. */
const ends: Record<DownloadFormat, RegExp> = { csv: /\r\n$/, ndjson: /^$|\n$/, parquet: /PAR1$/ };

export class Download {
  readonly format: DownloadFormat;
  /** Read it to its end: it fails with an EmailAnalyticsError `cut` if the file is not whole. */
  readonly stream: ReadableStream<Uint8Array>;
  /** The changes since this download follow from it. Undefined with filters. */
  readonly cursor: string | undefined;

  constructor(format: DownloadFormat, response: Response, signal?: AbortSignal) {
    this.format = format;
    this.cursor = response.headers.get("changes-cursor") ?? undefined;
    this.stream = failIfCut(format, response, signal);
  }

  /**
   * The records of NDJSON, one by one.
   *
   * @throws TypeError if the download has another format
   */
  async *records(): AsyncGenerator<FeedRecord, void, undefined> {
    if (this.format !== "ndjson") {
      throw new TypeError(
        `records() reads NDJSON, and this download is ${this.format}; use download("ndjson")`,
      );
    }
    const decoder = new TextDecoder();
    const reader = this.stream.getReader();
    let rest = "";
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        const lines = (rest + decoder.decode(next.value, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) yield JSON.parse(line) as FeedRecord;
      }
    } finally {
      await reader.cancel();
    }
  }
}

function failIfCut(
  format: DownloadFormat,
  { body, headers }: Response,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const cut = (reason: string, cause?: unknown) => {
    const requestId = headers.get("x-request-id") ?? undefined;
    return new EmailAnalyticsError("cut", `The download was cut: ${reason}. Discard it, and start again.`, {
      requestId,
      cause,
    });
  };
  const reader = body?.getReader();
  let end = "";
  return new ReadableStream({
    async pull(controller) {
      let next: { done: boolean; value?: Uint8Array | undefined };
      try {
        next = (await reader?.read()) ?? { done: true };
      } catch (error) {
        signal?.throwIfAborted();
        throw cut(reasonOf(error), error);
      }
      if (next.value) {
        end = (end + String.fromCharCode(...next.value.subarray(-4))).slice(-4);
        controller.enqueue(next.value);
      } else {
        if (!ends[format].test(end)) throw cut(`it does not end as ${format} does`);
        controller.close();
      }
    },
    cancel: (reason) => reader?.cancel(reason),
  });
}
