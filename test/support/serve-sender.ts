// Serves an organization that registers campaigns and sends events over HTTP.

import { after, type TestContext } from "node:test";
import {
  startWriterThread,
  type WriterOptions,
  type WriterThread,
} from "../../src/counting/writer/writer-thread.ts";
import { fetchFromProvider } from "../../src/providers/fetch-from-provider.ts";
import { summarizeQuarantine } from "../../src/storage/quarantine/quarantine-groups.ts";
import {
  type Cleanup,
  countedCampaign,
  makeWorld,
  present,
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
  post(events: readonly unknown[], headers?: Record<string, string>): Promise<EventsResponse>;
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

/** Options of the writer and the server that set limits low enough for a test to reach. */
export type SenderOptions = ServedWith &
  Partial<WriterOptions> & {
    timeZone?: string;
    /** Registers campaign 1; its fields override the default ones. */
    register?: Record<string, unknown>;
  };

/**
 * Serves a new organization. Tests of a file that use the same options share one server and its database: starting them
 * takes longer than most tests.
 */
export async function serveSender(
  test: TestContext,
  { timeZone = "UTC", register, ...options }: SenderOptions = {},
): Promise<ServedSender> {
  const { world, writer, service } = await findOrServe(test, options);
  const { organization, key, ingestKey } = await world.addOrganization({ timeZone });
  const sender = senderOf(service, { key, ingestKey });
  if (register) await sender.put(1, register);
  return { world, service, writer, organization, ...sender };
}

interface Served {
  world: World;
  writer: WriterThread;
  service: Service;
}

/** The server of tests without limits of their own. */
let shared: (Served & { close(): Promise<void> }) | undefined;
/** How the shared server fetches from providers in the current test. */
let fetchOfTest = fetchFromProvider;
after(() => shared?.close());

async function findOrServe(
  test: TestContext,
  options: Omit<SenderOptions, "timeZone" | "register">,
): Promise<Served> {
  const { fetchUrl = fetchFromProvider, ...limits } = options;
  if (Object.keys(limits).length > 0) return serveAlone(test, options);
  fetchOfTest = fetchUrl;
  shared ??= await serveShared();
  const { world, writer, service, close } = shared;
  world.clock.now = present;
  const [characters, lines] = [service.log().length, service.logged.length];
  return {
    world,
    writer,
    service: {
      ...service,
      get logged() {
        return service.logged.slice(lines);
      },
      log: () => service.log().slice(characters),
      async stop() {
        shared = undefined;
        await service.stop();
        test.after(close);
      },
    },
  };
}

async function serveShared(): Promise<NonNullable<typeof shared>> {
  const steps: (() => unknown)[] = [];
  const served = await serveAlone(
    { after: (step) => steps.push(step) },
    { fetchUrl: (url) => fetchOfTest(url) },
  );
  return {
    ...served,
    async close() {
      for (const step of steps) await step();
    },
  };
}

/** A quarantined event of {@link event} takes a little less. */
export const quarantinedBytes = 725;

async function serveAlone(
  test: Cleanup,
  {
    maxQueueBytes = 64 * 1024 * 1024,
    maxQuarantineBytes = 100_000_000,
    ...served
  }: Omit<SenderOptions, "timeZone" | "register"> = {},
): Promise<Served> {
  const world = await makeWorld(test);
  const writer = startWriterThread({ databaseUrl: world.databaseUrl, maxQueueBytes, maxQuarantineBytes });
  const service = await serve(test, world, { writer, ...served });
  test.after(async () => {
    await service.stop();
    await writer.stop();
  });
  return { world, writer, service };
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
  const rows = await world.database.snapshotOf(organization.id, (scope) => summarizeQuarantine(scope, {}));
  return rows.map(({ campaign: of, reason, events }) => [of, reason, events]);
};
