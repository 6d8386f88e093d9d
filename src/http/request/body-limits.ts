// The size limit of every request body, in bytes as sent. A larger body is answered with 413.

import { minuteMs } from "../../campaign/calendar/durations.ts";

import { listLimits } from "../../counting/audience/parse-list.ts";
import { batchLimits } from "../../counting/events/event-batch.ts";
import { maxCampaignBytes } from "../../counting/writer/prepare-change.ts";
import { providers } from "../../providers/providers.ts";

export const bodyLimits = {
  /** Routes without a limit of their own, such as a campaign. */
  default: maxCampaignBytes,
  /** A batch of events. Decompressed, it may have `batchLimits.maxDecompressedBytes`. */
  events: batchLimits.maxCompressedBytes,
  /** A list of recipients. Decompressed, it may have `listLimits.maxDecompressedBytes`. */
  recipients: listLimits.maxBytes,
  /** Any provider's webhook. Each provider has its own `maxBodyBytes` as well. */
  webhook: Math.max(...Object.values(providers).map(({ maxBodyBytes }) => maxBodyBytes)),
  /** A request for tracked messages, also after decompression. */
  messages: 4 * 1024 * 1024,
  /** An answer to a survey: each character of a comment may take nine bytes. */
  surveyAnswer: 128 * 1024,
  /** A form of the web application: names and URLs, no long texts. */
  webForm: 64 * 1024,
} as const;

/** How long the connection of a request with large work may be silent, in milliseconds: more than it takes on a slow machine. */
export const maxWorkMs = 15 * minuteMs;
