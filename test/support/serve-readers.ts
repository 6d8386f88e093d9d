// Serves an organization with a counted campaign, and sends requests as the readers of its messages do.

import { type IncomingHttpHeaders, request } from "node:http";
import type { TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { WriterThread } from "../../src/counting/writer/writer-thread.ts";
import { makeTrackingUrls, type TrackedMessage } from "../../src/http/tracking/tracking-urls.ts";
import { findCampaigns } from "../../src/storage/campaigns/campaigns.ts";
import { type ServedSender, serveSender } from "./serve-sender.ts";
import { desktopAgent } from "./user-agents.ts";
import { trackingSecret } from "./world.ts";

export interface FetchedResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Links and pixels are answered after one second even if the event is not on disk yet; a little less than that. */
const slowResponseMs = 900;
/** Whether a response may have arrived before its event was on disk, because the machine is busy. */
let hadSlowResponse = false;

/** Sends a request as a mail client does; redirects are not followed. */
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
    const sent = request(url, { method, agent: false, headers: { "user-agent": agent, ...headers } });
    sent.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        hadSlowResponse ||= performance.now() - from > slowResponseMs;
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

export interface ReaderWorld extends ServedSender {
  trackingUrls: ReturnType<typeof makeTrackingUrls>;
  /** Waits until all events are on disk. */
  waitForWrites(): Promise<void>;
  /** Ann's message, for tracking URLs. */
  ann: TrackedMessage & { recipient: string };
}

/** Serves an organization with campaign 1, which was sent an hour ago. */
export async function serveReaders(
  test: TestContext,
  options: Parameters<typeof serveSender>[1] = {},
): Promise<ReaderWorld> {
  const given = await serveSender(test, { register: {}, ...options });
  const waitForWrites = followWrites(given.writer);
  const trackingUrls = makeTrackingUrls([trackingSecret], () => given.service.url);
  const { id: organizationId } = given.organization;
  const [stored] = await given.world.database.queryOf(organizationId, (scope) => findCampaigns(scope, [1]));
  const ann = {
    ...{ organizationId, campaignId: 1, registration: stored?.registration ?? 0 },
    recipient: "ann@example.com",
  };
  const numbers = async (...names: string[]) => {
    // After any other response the event must be on disk already, so do not wait then.
    if (hadSlowResponse) await waitForWrites();
    hadSlowResponse = false;
    return given.numbers(...names);
  };
  return { ...given, numbers, waitForWrites, trackingUrls, ann };
}

/** For each writer, the function that waits for it: several tests may share a writer. */
const followed = new WeakMap<WriterThread, () => Promise<void>>();

/** @returns a function that waits until the writer has written everything */
function followWrites(writer: WriterThread): () => Promise<void> {
  const known = followed.get(writer);
  if (known) return known;
  const running = new Set<Promise<unknown>>();
  const write = writer.write.bind(writer);
  writer.write = (job) => {
    const written = write(job);
    const settled = written.catch(() => undefined).finally(() => running.delete(settled));
    running.add(settled);
    return written;
  };
  const waitForWrites = async () => {
    // Events that arrive during a write are written next, so check again after each round.
    for (await nextTurn(); running.size > 0; await nextTurn()) await Promise.all(running);
  };
  followed.set(writer, waitForWrites);
  return waitForWrites;
}
