// A stand-in for a hosted service: a real server with the emails endpoint, which can misbehave. And pulls from it, in this
// process with a clock that only moves when the pull sleeps.

import type { IncomingMessage, ServerResponse } from "node:http";
import { record } from "./import-files.ts";
import { startServer } from "./start-server.ts";
import { type Cleanup, type Run, run, type World } from "./world.ts";

export const hostedKey = "hosted-key-0123456789abcdef";

export interface HostedStandIn {
  url: string;
  /** The URLs of all requests, without the host. */
  requests: string[];
  /** What the next requests get, one by one, instead of a page. */
  faults: Fault[];
  /** The campaigns that it has, newest first. */
  campaigns: Record<string, unknown>[];
}

/** Returns `true` if it has answered, otherwise the request gets its page. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Campaigns of a hosted service, newest first, one each minute in UTC. */
export function hostedCampaigns(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => {
    const id = count - index;
    const sentAt = new Date(Date.UTC(2024, 0, 1, 0, id % 60, 0));
    return record(id, { sent_at: `Jan 1, 2024 12:${String(sentAt.getUTCMinutes()).padStart(2, "0")} AM` });
  });
}

export async function startHosted(test: Cleanup, campaigns = hostedCampaigns(250)): Promise<HostedStandIn> {
  const hosted: HostedStandIn = { url: "", requests: [], faults: [], campaigns };
  const { url } = await startServer(test, (request, response) => {
    hosted.requests.push(request.url ?? "");
    const fault = hosted.faults.shift();
    if (!fault?.(request, response)) sendPage(hosted.campaigns, request, response);
  });
  hosted.url = url;
  return hosted;
}

function sendPage(
  campaigns: HostedStandIn["campaigns"],
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (request.headers.authorization !== `Bearer ${hostedKey}`) {
    send(response, 401, {
      error: "unauthorized",
      error_message: `No such key: ${request.headers.authorization}`,
    });
    return;
  }
  send(response, 200, pageOf(campaigns, request));
}
export function pageOf(campaigns: HostedStandIn["campaigns"], { url }: IncomingMessage) {
  const { searchParams } = new URL(url ?? "", "http://localhost");
  const page = Number(searchParams.get("page") ?? 1);
  const total = campaigns.length;
  return {
    emails: campaigns.slice((page - 1) * 100, page * 100),
    meta: { page, per_page: 100, total_entries: total, total_pages: Math.ceil(total / 100) },
  };
}

export function send(response: ServerResponse, status: number, body: unknown, headers = {}): true {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  return true;
}

/** A fault that answers with a status. */
export const status =
  (code: number, headers: Record<string, string> = {}): Fault =>
  (_request, response) =>
    send(response, code, { error: "some_error", error_message: "Something is wrong." }, headers);

/** The request gets its page. */
export const page: Fault = () => false;

export interface Pull extends Run {
  /** How long it slept, each time, in milliseconds. */
  sleeps: number[];
}

/** Pulls into organization 1, on a clock that moves only when the pull sleeps. */
export async function pulling(
  world: Pick<World, "databaseUrl" | "clock">,
  url: string,
  argv: string[] = [],
  { key = hostedKey, untilStopped = () => new Promise<void>(() => undefined) } = {},
): Promise<Pull> {
  const sleeps: number[] = [];
  const done = await run(world.databaseUrl, ["pull", "--organization", "1", "--from", url, ...argv], {
    environment: {
      DATABASE_URL: world.databaseUrl,
      EMAIL_ANALYTICS_PULL_KEY: key,
    },
    now: () => world.clock.now,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      sleeps.push(ms);
      world.clock.now += ms;
    },
    untilStopped,
  });
  return { ...done, sleeps };
}
