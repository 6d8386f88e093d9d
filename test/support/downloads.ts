// Requests downloads, and reads them as feed records.

import assert from "node:assert/strict";
import type { FeedRecord } from "../../src/campaign/feed/feed-fields.ts";
import type { FileFormatName } from "../../src/formats/feed-files.ts";
import { readFeedFile } from "./feed-records.ts";

export interface DownloadOptions {
  key?: string;
  headers?: Record<string, string>;
  method?: string;
}

export interface DownloadResponse {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
}

/** @throws TypeError if the download is cut */
export async function requestDownload(
  url: string,
  { key, headers = {}, method = "GET" }: DownloadOptions = {},
): Promise<DownloadResponse> {
  const response = await fetch(url, {
    method,
    headers: {
      connection: "close",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

/** The records of a download, which must succeed. @param query with its `?` */
export async function downloadRecords(
  { url, key, query = "" }: { url: string; key: string; query?: string },
  format: FileFormatName,
): Promise<FeedRecord[]> {
  const response = await requestDownload(`${url}/data_api/v1/emails.${format}${query}`, { key });
  assert.equal(response.status, 200, Buffer.from(response.bytes).toString());
  return readFeedFile(format, response.bytes);
}
