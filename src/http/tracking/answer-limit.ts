// Limits the devices of one network that answer the surveys of a campaign with *Overall* tracking. There each device is a
// recipient, and a user agent is easily invented. The counts are in the memory of this process.

import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { hourMs } from "../../campaign/calendar/durations.ts";
import { TimeWindows } from "../../limits/time-windows.ts";
import { networkOf } from "../request/network-of.ts";
import { recipientKeyOf, type TrackedMessage } from "./tracking-urls.ts";

export const answerLimits = {
  /** The devices of a network that may answer in a window. Browsers of one version share a user agent. */
  devices: 20,
  windowMs: hourMs,
} as const;

const maxWindows = 5_000;

export class AnswerLimit {
  readonly #windows: TimeWindows<{ devices: Set<string> }>;

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    const { windowMs } = answerLimits;
    this.#windows = new TimeWindows({ windowMs, maxWindows, now, create: () => ({ devices: new Set() }) });
  }

  /** Adds the device of a request. @returns whether it may answer; a device that has answered may always do so again */
  admit({ ip, headers }: FastifyRequest, message: TrackedMessage): boolean {
    if (recipientKeyOf(message) !== undefined) return true;
    const device = createHash("sha256")
      .update(`${ip}\n${headers["user-agent"] ?? ""}`)
      .digest("base64");
    const { devices } = this.#windows.at(`${message.organizationId} ${message.campaignId} ${networkOf(ip)}`);
    if (devices.size < answerLimits.devices) devices.add(device);
    return devices.has(device);
  }
}
