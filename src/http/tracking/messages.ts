// POST /ingest/v1/campaigns/{id}/messages: from the HTML of a campaign, a tracked message for each recipient.

import { Readable } from "node:stream";
import { setImmediate as afterOthers } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { normalizeRecipient } from "../../campaign/events/event.ts";
import { quote } from "../../campaign/quote.ts";
import { formatErrors } from "../../campaign/validate-fields.ts";
import { hashRecipient } from "../../counting/events/hash-recipient.ts";
import { AppError } from "../../errors.ts";
import { parseBoundedJson } from "../../limits/bounded-json.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { Organization } from "../../storage/organizations.ts";
import {
  authenticateSenders,
  campaignIdOf,
  isGzipped,
  mediaTypeOf,
  type SenderOptions,
} from "../request-body.ts";
import { addToLog } from "../request-log.ts";
import { countTrackedUrls, findMissingSurveys, makeMessage } from "./html/make-message.ts";
import type { Template } from "./html/template.ts";
import { startTemplateThread } from "./html/template-thread.ts";
import { type MessagesBody, messageLimits, parseMessagesBody } from "./messages-body.ts";
import type { TrackedMessage, TrackingUrls } from "./tracking-urls.ts";

interface MessagesOptions extends SenderOptions {
  /** None where there is no secret to seal them with. */
  trackingUrls?: TrackingUrls;
}

/** After so long other requests have their turn. In milliseconds. */
const turnMs = 5;

let lastTurn: Promise<unknown> = Promise.resolve();

/** Of several requests that make messages, one goes on in each turn of the event loop. */
function nextTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => afterOthers());
  return lastTurn;
}

export function addMessagesRoute(app: FastifyInstance, options: MessagesOptions): void {
  const { database } = options;
  const caller = authenticateSenders(app, options);
  const templates = startTemplateThread();
  app.addHook("onClose", () => templates.stop());

  const path = "/ingest/v1/campaigns/:id/messages";
  app.post<{ Body: Buffer }>(path, { bodyLimit: messageLimits.bodyBytes }, async (request, reply) => {
    const organization = caller(request);
    const campaignId = campaignIdOf(request);
    const { trackingUrls } = options;
    if (!trackingUrls) {
      throw new AppError(
        "conflict",
        "No tracked messages can be made: the setting TRACKING_SECRET is empty.",
      );
    }
    mediaTypeOf(request, ["application/json"]);
    const input = parseBoundedJson(request.body ?? Buffer.alloc(0), isGzipped(request), {
      maxBytes: messageLimits.bodyBytes,
      maxValues: messageLimits.values,
    });
    const body = parseMessagesBody(input);
    if ("faults" in body) throw new AppError("bad_request", `${formatErrors(body.faults)}.`);
    const messageOf = await database.snapshot(async (queries) => {
      const [stored] = await findCampaigns(queries, organization.id, [campaignId]);
      if (!stored) throw new AppError("not_found", `There is no campaign ${campaignId}; register it first.`);
      if (!stored.counting)
        throw new AppError("conflict", `The numbers of campaign ${campaignId} were imported.`);
      if (stored.counting.ledgerId === null)
        throw new AppError("conflict", `Campaign ${campaignId} is closed.`);
      return messagesOf(organization, campaignId, stored.campaign.trackingType);
    });
    const template = await templates.parse(body.html);
    const [missing] = findMissingSurveys(template, body.surveys);
    if (missing !== undefined) {
      const problem = `has a place for the survey ${quote(missing)}, which is not among the surveys`;
      throw new AppError("bad_request", `html: ${problem}.`);
    }
    const count = countTrackedUrls(template, body.surveys);
    if (count > messageLimits.addresses) {
      const problem = `has ${count} links and answers to track; up to ${messageLimits.addresses} are possible`;
      throw new AppError("bad_request", `html: ${problem}.`);
    }
    addToLog(request, { campaign: campaignId, messages: body.recipients.length });
    const pieces = writeMessages(template, body, trackingUrls, messageOf);
    return reply.type("application/json; charset=utf-8").send(Readable.from(pieces));
  });
}

/** Whose a message is, as its addresses may say it. */
function messagesOf(
  { id: organizationId, secret }: Organization,
  campaignId: number,
  trackingType: string | null,
): (recipient: string) => TrackedMessage {
  const base = { organizationId, campaignId };
  return (given) => {
    const recipient = normalizeRecipient(given);
    if (trackingType === "Individual") return { ...base, recipient };
    if (trackingType === "Anonymous") return { ...base, recipientHash: hashRecipient(secret, { recipient }) };
    return base;
  };
}

/** The answer, message by message: as a whole it may be larger than the memory. */
async function* writeMessages(
  template: Template,
  { recipients, surveys }: MessagesBody,
  trackingUrls: TrackingUrls,
  messageOf: (recipient: string) => TrackedMessage,
): AsyncGenerator<string> {
  let turnSince = performance.now();
  let before = '{"messages":[';
  for (const recipient of recipients) {
    if (performance.now() - turnSince > turnMs) {
      await nextTurn();
      turnSince = performance.now();
    }
    const html = makeMessage({ template, surveys }, trackingUrls, messageOf(recipient));
    yield `${before}${JSON.stringify({ recipient, html })}`;
    before = ",";
  }
  yield "]}";
}
