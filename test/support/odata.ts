// Sends OData requests, and reads all pages of an answer.

import assert from "node:assert/strict";
import type { FeedRow } from "../../src/campaign/feed/feed-tables.ts";

export interface ODataBody {
  "@odata.context": string;
  "@odata.count"?: number;
  "@odata.nextLink"?: string;
  value: FeedRow[];
  error: { code: string; message: string };
}

export interface ODataAnswer {
  status: number;
  headers: Headers;
  text: string;
  body: ODataBody;
}

export interface ODataSource {
  /** Where the service listens. */
  url: string;
  key: string;
  headers?: Record<string, string>;
}

/** @param path below the root, with its query; spaces are encoded */
export async function askOData(
  { url, key, headers }: ODataSource,
  path: string,
  method = "GET",
): Promise<ODataAnswer> {
  const response = await fetch(`${url}/odata/v1${path.replaceAll(" ", "%20")}`, {
    method,
    headers: {
      connection: "close",
      authorization: `Basic ${Buffer.from(`any:${key}`).toString("base64")}`,
      ...headers,
    },
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

/** The pages of a collection, as a client follows its links. */
export async function readPages(source: ODataSource, path: string): Promise<ODataBody[]> {
  const pages: ODataBody[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, text, body }: ODataAnswer = await askOData(source, next);
    assert.equal(status, 200, `${next}: ${text}`);
    pages.push(body);
    const link = body["@odata.nextLink"];
    next = link?.slice(link.indexOf("/odata/v1") + "/odata/v1".length);
  }
  return pages;
}

export async function readRows(source: ODataSource, path: string): Promise<FeedRow[]> {
  return (await readPages(source, path)).flatMap(({ value }) => value);
}
