// Streams tracked messages as JSON: all of them together may not fit in memory.

import { setImmediate as afterPendingEvents } from "node:timers/promises";
import type { Template } from "../html/template.ts";
import type { TrackedMessage, TrackingUrls } from "../tracking-urls.ts";
import { makeMessage } from "./make-message.ts";
import type { MessagesBody } from "./parse-messages-body.ts";

/** Messages are made for this long before other requests have their turn. */
const sliceMs = 5;

export async function* writeMessages(
  template: Template,
  { recipients, surveys }: MessagesBody,
  trackingUrls: TrackingUrls,
  messageFor: (recipient: string) => TrackedMessage,
): AsyncGenerator<string> {
  let sliceStart = performance.now();
  let separator = '{"messages":[';
  for (const recipient of recipients) {
    if (performance.now() - sliceStart > sliceMs) {
      await yieldToOthers();
      sliceStart = performance.now();
    }
    const html = makeMessage({ template, surveys }, trackingUrls, messageFor(recipient));
    yield `${separator}${JSON.stringify({ recipient, html })}`;
    separator = ",";
  }
  yield "]}";
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** Resumes only one of several concurrent requests in each turn of the event loop. */
function yieldToOthers(): Promise<unknown> {
  lastTurn = lastTurn.then(() => afterPendingEvents());
  return lastTurn;
}
