// Requests downloads, and reads them as feed records.

import assert from "node:assert/strict";
import { type EventEmitter, once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { FeedRecord } from "../../src/campaign/feed/feed-fields.ts";
import { type FeedRow, type FileTableName, feedTables } from "../../src/campaign/feed/feed-tables.ts";
import type { FileFormatName } from "../../src/formats/feed-files.ts";
import { readFeedRows } from "./feed-records.ts";
import { campaign } from "./world.ts";

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

interface RequestedRows {
  url: string;
  key: string;
  /** With its `?`. */
  query?: string;
}

/** The records of a download, which must succeed. */
export async function downloadRecords(options: RequestedRows, format: FileFormatName): Promise<FeedRecord[]> {
  return (await downloadRows("emails", options, format)) as unknown as FeedRecord[];
}

/** The rows of a download, which must succeed. */
export async function downloadRows(
  table: FileTableName,
  { url, key, query = "" }: RequestedRows,
  format: FileFormatName,
): Promise<FeedRow[]> {
  const response = await requestDownload(`${url}/data_api/v1/${table}.${format}${query}`, { key });
  assert.equal(response.status, 200, Buffer.from(response.bytes).toString());
  return readFeedRows(format, response.bytes, feedTables[table].fields);
}

/** Campaigns of 20 KB: a few hundred are more than the sockets of both sides and the server hold. */
export function longCampaigns(count: number) {
  const recipients = "x".repeat(20_000);
  return Array.from({ length: count }, (_, index) => campaign({ id: index + 1, recipients }));
}

/** The response of a client that does not read it yet. */
export async function stalledDownload(url: string, key: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${key}` };
  const sent = request(url, { agent: false, headers }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  // The response reports it too.
  sent.on("error", () => undefined);
  return response;
}

/** The error of a stream. Call it before the stream can fail. */
export function failureOf(stream: EventEmitter): Promise<NodeJS.ErrnoException> {
  return new Promise((resolve) => stream.once("error", resolve));
}
