// Serves an organization that registers campaigns and sends events over HTTP.

import type { TestContext } from "node:test";
import {
  startWriterThread,
  type WriterOptions,
  type WriterThread,
} from "../../src/counting/writer/writer-thread.ts";
import { summarizeQuarantine } from "../../src/storage/quarantine/quarantine-groups.ts";
import {
  countedCampaign,
  makeWorld,
  type Response,
  type ServedWith,
  type Service,
  serve,
  type World,
} from "./world.ts";

export const campaignsPath = "/ingest/v1/campaigns";
export const eventsPath = "/ingest/v1/events";

/** Response to a batch of events. */
export interface EventsResponse extends Omit<Response, "body"> {
  body: {
    accepted: number;
    repeated: number;
    quarantined: number;
    problems: { index: number; reason: string; message: string }[];
    error: string;
    error_message: string;
  };
}

export interface Sender {
  key: string;
  ingestKey: string;
  /** Registers a campaign; `given` overrides the default fields. */
  put(id: number | string, given?: Record<string, unknown>): Promise<Response>;
  /** Sends events as a JSON document. */
  post(events: readonly unknown[], headers?: Record<string, string>): Promise<EventsResponse>;
  /** Sends a raw body. */
  postRaw(body: string | Uint8Array, headers?: Record<string, string>): Promise<EventsResponse>;
  remove(id: number | string): Promise<Response>;
  /** The first record of the API; undefined if there is none. */
  record(): Promise<Record<string, unknown> | undefined>;
  /** Fields of that record. */
  numbers(...names: string[]): Promise<unknown[]>;
}

export type ServedSender = Sender & {
  world: World;
  service: Service;
  writer: WriterThread;
  organization: Awaited<ReturnType<World["addOrganization"]>>["organization"];
};

/** Serves a world with one organization. Options set limits low enough for a test to reach. */
export async function serveSender(
  test: TestContext,
  options: ServedWith & Partial<WriterOptions> & { timeZone?: string } = {},
): Promise<ServedSender> {
  const { timeZone = "UTC", maxQueueBytes = 64 * 1024 * 1024, maxQuarantined = 100_000, ...rest } = options;
  const world = await makeWorld(test);
  const writer = startWriterThread({
    databaseUrl: world.databaseUrl,
    maxQueueBytes,
    maxQuarantined,
  });
  const service = await serve(test, world, { writer, ...rest });
  test.after(async () => {
    await service.stop();
    await writer.stop();
  });
  const { organization, key, ingestKey } = await world.addOrganization({ timeZone });
  return { world, service, writer, organization, ...senderOf(service, { key, ingestKey }) };
}

/** The requests of an organization, with its keys. */
export function senderOf(service: Service, { key, ingestKey }: Pick<Sender, "key" | "ingestKey">): Sender {
  const post = async (body: unknown, headers: Record<string, string> = {}) =>
    (await service.send(eventsPath, { key: ingestKey, body, headers })) as Response & EventsResponse;
  const record = async () => (await service.emails(key)).emails[0];
  return {
    key,
    ingestKey,
    put: (id, given = {}) =>
      service.send(`${campaignsPath}/${id}`, {
        method: "PUT",
        key: ingestKey,
        body: { ...countedCampaign(Number(id)), ...given },
      }),
    post: (events, headers) => post({ events }, headers),
    postRaw: post,
    remove: (id) => service.send(`${campaignsPath}/${id}`, { method: "DELETE", key: ingestKey }),
    record,
    async numbers(...names) {
      const found = await record();
      return names.map((name) => found?.[name]);
    },
  };
}

let count = 0;

/** An event of campaign 1, 15 minutes after it was sent, with a unique id; `given` overrides the fields. */
export function event(given: Record<string, unknown> = {}): Record<string, unknown> {
  count += 1;
  return {
    id: `e-${count}`,
    campaign_id: 1,
    recipient: "ann@example.com",
    type: "open",
    at: "2026-06-15T11:15:00Z",
    ...given,
  };
}

/** The response if all events of a batch are counted. */
export const accepted = (count: number) => ({ accepted: count, repeated: 0, quarantined: 0, problems: [] });

/** The response if all events of a batch are quarantined for the same reason. */
export const allQuarantined = (reason: string, messages: readonly string[]) => ({
  accepted: 0,
  repeated: 0,
  quarantined: messages.length,
  problems: messages.map((message, index) => ({ index, reason, message })),
});

/** Number of quarantined events by campaign and reason. */
export const summarizeQuarantined = async ({
  world,
  organization,
}: Pick<ServedSender, "world" | "organization">) => {
  const rows = await world.database.snapshot((queries) => summarizeQuarantine(queries, organization.id, {}));
  return rows.map(({ campaign: of, reason, events }) => [of, reason, events]);
};
