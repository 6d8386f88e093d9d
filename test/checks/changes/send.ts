// Sends requests of a history to one of several processes. One may be killed at any time.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

export interface SentRequest {
  key: string;
  method?: "PUT" | "POST" | "DELETE";
  body?: unknown;
}

export type Send = (path: string, request: SentRequest) => Promise<{ status: number; text: string }>;

const maxAttempts = 100;
const retryAfterMs = 50;

/**
 * Sends again what gets no response or 503, as clients do.
 *
 * @param pickUrl of a process, for each attempt
 */
export function sendTo(pickUrl: () => string): Send {
  return async (path, { key, method, body }) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    let failure: unknown;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      try {
        const sent = body === undefined ? {} : { body: JSON.stringify(body) };
        const response = await fetch(pickUrl() + path, { headers, ...(method && { method }), ...sent });
        const { status } = response;
        const text = await response.text();
        if (status !== 503) return { status, text };
        failure = text;
      } catch (error) {
        failure = error;
      }
      await pause(retryAfterMs);
    }
    assert.fail(`${path}: ${failure}`);
  };
}
