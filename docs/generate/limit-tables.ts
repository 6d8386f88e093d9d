// Renders the tables of limits.

import { burst } from "../../src/campaign/events/click-verdicts.ts";
import { besideScanner } from "../../src/campaign/events/open-verdicts.ts";
import { clicksKept, opensKept } from "../../src/campaign/events/recipient.ts";
import { floodLimits } from "../../src/campaign/events/traffic.ts";
import { batchLimits } from "../../src/counting/events/event-batch.ts";
import { bodyLimits } from "../../src/http/request/body-limits.ts";
import { type ServerLimits, serverLimits } from "../../src/http/request/limits.ts";
import { answerLimits } from "../../src/http/tracking/answer-limit.ts";
import { messageLimits } from "../../src/http/tracking/messages/messages-schema.ts";
import { bytes, digits, table } from "./markdown.ts";

export function limitTable(): string {
  const rows = (Object.keys(serverLimits) as (keyof ServerLimits)[]).map((name) => {
    const value = serverLimits[name];
    if (name.endsWith("Ms")) return [`${value / 1000} s`, limitMeanings[name]];
    return [name.endsWith("Bytes") ? bytes(value) : String(value), limitMeanings[name]];
  });
  const body =
    "Body of a request; beyond it 413. Requests with events have [their own limits](ingest.md#limits).";
  return table(["Limit", "What it bounds"], [...rows, [bytes(bodyLimits.default), body]]);
}

/** What each limit bounds, and the response beyond it. */
const limitMeanings: Record<keyof ServerLimits, string> = {
  headersMs: "For the headers to arrive, and for the first byte of a connection; then 408.",
  requestMs: "For a whole request to arrive; then 408.",
  keepAliveMs: "Between a response and the next request on the same connection.",
  silenceMs: "Without a byte in either direction.",
  checkMs: "Between two checks for connections that exceed a time limit.",
  headBytes: "URL and headers of a request together; beyond it 431.",
  lingeringMs: "For a client that still sends a rejected body to read the answer.",
  lingeringSilenceMs: "The same, without a byte from the client.",
  lingeringBytes: "Rest of a rejected body that is read and discarded.",
  backlog: "Connections waiting to be accepted, at most `net.core.somaxconn` of Linux.",
  pageWaitMs: "For a page of changes to wait until other pages are read; then 503.",
  ingestWaitMs:
    "That the oldest events of an organization wait to be written; beyond it 503 for its other events.",
  downloadStallMs: "For the client of a download or of OData rows to take 256 KiB of it.",
  readyMs: "For the database to answer `/readyz`.",
  retryAfterMs:
    "`Retry-After` of a 503 or 429. For a [CSV link](downloads.md#csv-links), it is the rest of the hour.",
};

export function batchLimitTable(): string {
  const rows = (Object.keys(batchLimits) as (keyof typeof batchLimits)[]).map((name) => {
    const value = batchLimits[name];
    return [name.endsWith("Bytes") ? bytes(value) : digits(value), batchLimitMeanings[name]];
  });
  return table(
    ["Limit", "What it bounds"],
    [...rows, [bytes(bodyLimits.default), "Body of a request with a campaign, as sent and decompressed."]],
  );
}

const batchLimitMeanings: Record<keyof typeof batchLimits, string> = {
  events: "Events in one request.",
  maxCompressedBytes: "Body of a request with events, as sent.",
  maxDecompressedBytes: "The same body, decompressed.",
  values: "Array elements, object members and lines in the same body.",
};

export function messageLimitTable(): string {
  const rows = (Object.keys(messageLimits) as (keyof typeof messageLimits)[]).map((name) => {
    const value = messageLimits[name];
    return [digits(value), messageLimitMeanings[name]];
  });
  return table(
    ["Limit", "What it bounds"],
    [...rows, [bytes(bodyLimits.messages), "Body of the request, as sent and decompressed."]],
  );
}

const messageLimitMeanings: Record<keyof typeof messageLimits, string> = {
  htmlLength: "Characters of `html`.",
  recipients: "Recipients in one request.",
  surveys: "Surveys in one request.",
  answers: "Answer options in a survey.",
  trackedUrls: "Tracked links and survey answers in `html` together.",
  values: "Array elements and object members in the body.",
};

/** The constants that affect the numbers. */
export function countingLimitTable(): string {
  return table(
    ["Limit", "What it decides"],
    [
      [
        `${burst.links} links in ${burst.ms / 1000} s`,
        "This many different links clicked by one recipient within this time are a burst.",
      ],
      [
        `${besideScanner.beforeMs / 1000} s before, ${besideScanner.afterMs / 1000} s after`,
        "An open this close to an automated click can be the scanner's.",
      ],
      [`${besideScanner.sweepMs / 1000} s`, "A burst this quick is a sign of a scanner beside an open."],
      [String(opensKept), "Human opens stored with their times, for one recipient in one campaign."],
      [digits(clicksKept), "Clicks stored with time and link, for one recipient in one campaign."],
      [
        `${floodLimits.perRecipient} in ${floodLimits.windowMs / 1000} s`,
        "Opens of one recipient's tracked message that may count as human; also clicks, and reads.",
      ],
      [
        `${floodLimits.perNetwork} in ${floodLimits.windowMs / 1000} s`,
        "The same for one network, with *Overall* tracking.",
      ],
      [
        `${answerLimits.devices} in ${answerLimits.windowMs / 60_000} min`,
        "Devices of one network that may answer the surveys of a campaign with *Overall* tracking.",
      ],
    ],
  );
}
