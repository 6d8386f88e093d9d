// A served organization with a counted campaign, and readers of its messages.

import { type IncomingHttpHeaders, request } from "node:http";
import type { TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { WriterThread } from "../../src/counting/writer/writer-thread.ts";
import { makeTrackingUrls } from "../../src/http/tracking/tracking-urls.ts";
import { type Sending, sending } from "./sending.ts";
import { trackingSecret } from "./world.ts";

/** What people read their mail with. */
export const desktopAgent =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";
export const mobileAgent =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";

export interface FetchedResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Readers wait no longer than a second until it is on disk what they did; in milliseconds, somewhat less. */
const patienceMs = 900;
/** Whether somebody was answered who may not have waited for that: on a machine that is slow, or busy with others. */
let wasLate = false;

/** Asks an address as a mail program would; redirects are not followed. */
export function fetchAs(
  url: string,
  {
    agent = desktopAgent,
    method = "GET",
    headers = {},
    body,
  }: { agent?: string; method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<FetchedResponse> {
  const from = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, agent: false, headers: { "user-agent": agent, ...headers } });
    asked.on("response", (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("error", reject);
      response.on("end", () => {
        wasLate ||= performance.now() - from > patienceMs;
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(pieces),
        });
      });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

export interface ReaderWorld extends Sending {
  trackingUrls: ReturnType<typeof makeTrackingUrls>;
  /** Waits until everything that came in is on disk. */
  waitForWrites(): Promise<void>;
  /** The message of Ann. */
  ann: { organizationId: number; campaignId: number; recipient: string };
}

/** Serves an organization with campaign 1, sent an hour ago. */
export async function serveReaders(
  test: TestContext,
  options: Parameters<typeof sending>[1] & { register?: Record<string, unknown> } = {},
): Promise<ReaderWorld> {
  const { register, ...rest } = options;
  const given = await sending(test, rest);
  const waitForWrites = followWrites(given.writing);
  await given.put(1, register);
  const trackingUrls = makeTrackingUrls([trackingSecret], () => given.service.url);
  const ann = { organizationId: given.organization.id, campaignId: 1, recipient: "ann@example.com" };
  const numbers = async (...names: string[]) => {
    // Whoever was answered in time has to find it on disk.
    if (wasLate) await waitForWrites();
    wasLate = false;
    return given.numbers(...names);
  };
  return { ...given, numbers, waitForWrites, trackingUrls, ann };
}

/** @returns waits until nothing is being written any more */
function followWrites(writing: WriterThread): () => Promise<void> {
  const underWay = new Set<Promise<unknown>>();
  const write = writing.write.bind(writing);
  writing.write = (job) => {
    const written = write(job);
    const ended = written.catch(() => undefined).finally(() => underWay.delete(ended));
    underWay.add(ended);
    return written;
  };
  return async () => {
    // What has gathered meanwhile is given to the thread as soon as it has done what it had.
    for (await nextTurn(); underWay.size > 0; await nextTurn()) await Promise.all(underWay);
  };
}
