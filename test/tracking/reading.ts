// A served organization with a counted campaign, and readers of its messages.

import { type IncomingHttpHeaders, request } from "node:http";
import type { TestContext } from "node:test";
import { makeAddresses } from "../../src/tracking/addresses.ts";
import { type Sending, sending } from "../ingest/sending.ts";
import { trackingSecret } from "../world.ts";

/** What people read their mail with. */
export const desktopAgent =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";
export const mobileAgent =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";

export interface Fetched {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Asks an address as a mail program would; redirects are not followed. */
export function fetchAs(
  url: string,
  {
    agent = desktopAgent,
    method = "GET",
    headers = {},
    body,
  }: { agent?: string; method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, agent: false, headers: { "user-agent": agent, ...headers } });
    asked.on("response", (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(pieces),
        }),
      );
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

export interface Reading extends Sending {
  addresses: ReturnType<typeof makeAddresses>;
  /** The message of Ann. */
  ann: { organizationId: number; campaignId: number; recipient: string };
}

/** Serves an organization with campaign 1, sent an hour ago. */
export async function reading(
  test: TestContext,
  options: Parameters<typeof sending>[1] & { register?: Record<string, unknown> } = {},
): Promise<Reading> {
  const { register, ...rest } = options;
  const given = await sending(test, rest);
  await given.put(1, register);
  const addresses = makeAddresses([trackingSecret], () => given.service.url);
  const ann = { organizationId: given.organization.id, campaignId: 1, recipient: "ann@example.com" };
  return { ...given, addresses, ann };
}
