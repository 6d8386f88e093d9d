// The requests of the load: pages of email records in random order, or batches of new events, as prebuilt bytes.

import { generateEvents } from "../../test/support/generated-events.ts";
import { Random } from "../../test/support/histories.ts";

const perPage = 100;

/** Requests for random pages of all records. */
export function pageRequests(url: string, key: string, records: number): () => Buffer {
  const pages = Array.from({ length: Math.ceil(records / perPage) }, (_, index) =>
    Buffer.from(
      `GET /data_api/v1/emails?per_page=${perPage}&page=${index + 1} HTTP/1.1\r\nhost: ${new URL(url).host}\r\nauthorization: Bearer ${key}\r\n\r\n`,
    ),
  );
  const random = new Random(records);
  return () => random.pick(pages);
}

export const eventsPerRequest = 100;
const templates = 50;
const digits = 9;
const idPlaceholder = "#".repeat(digits);
const recipientPlaceholder = "%".repeat(digits);
/** Enough that no recipient gets many events, which would make each further one slower. */
const recipients = 100_000;

/**
 * Requests with new events. A few batches are generated; each request sends one of them with other event ids and
 * recipients, which costs far less than generating events.
 *
 * @param prefix of the event ids
 */
export function eventRequests(url: string, key: string, campaigns: number, prefix: string): () => Buffer {
  const events = generateEvents(templates * eventsPerRequest, campaigns, prefix);
  const made = Array.from({ length: templates }, () => makeTemplate(url, key, events));
  const random = new Random(1);
  let sent = 0;
  return () => {
    const { bytes, ids, people } = made[sent % templates] as ReturnType<typeof makeTemplate>;
    sent += 1;
    const request = Buffer.from(bytes);
    const write = (number: number, position: number) =>
      request.write(String(number).padStart(digits, "0"), position, "latin1");
    for (const position of ids) write(sent, position);
    for (const position of people) write(random.between(1, recipients), position);
    return request;
  };
}

function makeTemplate(url: string, key: string, events: ReturnType<typeof generateEvents>) {
  const batch = Array.from({ length: eventsPerRequest }, () => {
    const event = events.next().value;
    return {
      ...event,
      id: `${event?.id}-${idPlaceholder}`,
      recipient: `${recipientPlaceholder}@example.com`,
    };
  });
  const body = JSON.stringify({ events: batch });
  const bytes = Buffer.from(
    `POST /ingest/v1/events HTTP/1.1\r\nhost: ${new URL(url).host}\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return {
    bytes,
    ids: positionsOf(idPlaceholder, bytes),
    people: positionsOf(recipientPlaceholder, bytes),
  };
}

function positionsOf(text: string, bytes: Buffer): number[] {
  const positions: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) positions.push(at);
  return positions;
}
