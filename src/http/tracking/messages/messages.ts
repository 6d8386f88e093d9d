// POST /ingest/v1/campaigns/{id}/messages: makes a tracked message for each recipient from the HTML of a campaign.

import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { normalizeRecipient } from "../../../campaign/events/parse-event.ts";
import { quote } from "../../../campaign/fields/quote.ts";
import { formatErrors } from "../../../campaign/fields/validate-fields.ts";
import { questionKey } from "../../../campaign/survey-question.ts";
import { requireSender } from "../../../counting/campaigns/check-campaign-change.ts";
import { hashRecipient } from "../../../counting/hashes/hash-recipient.ts";
import { AppError, orNotFound } from "../../../errors.ts";
import { parseBoundedJson } from "../../../limits/bounded-json.ts";
import { paths } from "../../../paths.ts";
import { findQuestions, saveQuestions } from "../../../storage/campaigns/campaign-questions.ts";
import { findCampaigns } from "../../../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { lockOrganization, type Organization } from "../../../storage/organizations/organizations.ts";
import type { Database } from "../../../storage/queries/database.ts";
import { authenticateSenders, type Sender, type SenderOptions } from "../../request/authenticate-senders.ts";
import { campaignIdOf, isGzipped, mediaTypeOf } from "../../request/body.ts";
import { bodyLimits } from "../../request/body-limits.ts";
import { requireChunks } from "../../request/head.ts";
import { addToLog } from "../../request/log.ts";
import type { Template } from "../html/template.ts";
import { startTemplateThread } from "../html/template-thread.ts";
import type { TrackedMessage, TrackingUrls } from "../tracking-urls.ts";
import { countTrackedUrls, findMissingSurveys } from "./make-message.ts";
import { messageLimits } from "./messages-schema.ts";
import { type MessagesBody, parseMessagesBody, type Survey } from "./parse-messages-body.ts";
import { writeMessages } from "./write-messages.ts";

interface MessagesOptions extends SenderOptions {
  /** Undefined if there is no secret to seal tracking URLs with. */
  trackingUrls?: TrackingUrls;
}

export function addMessagesRoute(app: FastifyInstance, options: MessagesOptions): void {
  const caller = authenticateSenders(app, options);
  const templates = startTemplateThread();
  app.addHook("onClose", () => templates.stop());

  const { messages: path } = paths.tracking;
  app.post<{ Body: Buffer }>(path, { bodyLimit: bodyLimits.messages }, async (request, reply) => {
    const organization = caller(request);
    const campaignId = campaignIdOf(request);
    const { trackingUrls } = options;
    if (!trackingUrls) {
      throw new AppError(
        "conflict",
        "This service cannot make tracked messages: its operator has not set TRACKING_SECRET.",
      );
    }
    requireChunks(request);
    const body = readBody(request);
    const campaign = await findOpenCampaign(options.database, organization, campaignId);
    const template = await templates.parse(body.html);
    checkTemplate(template, body.surveys);
    await keepQuestions(options.database, organization.id, campaign, body.surveys);
    addToLog(request, { campaign: campaignId, messages: body.recipients.length });
    const messageFor = (recipient: string) => toTrackedMessage(organization, campaign, recipient);
    const json = writeMessages(template, body, trackingUrls, messageFor);
    return reply.type("application/json; charset=utf-8").send(Readable.from(json));
  });
}

/** @throws AppError `unsupported_media_type`, `payload_too_large` or `bad_request` */
function readBody(request: FastifyRequest): MessagesBody {
  mediaTypeOf(request, ["application/json"]);
  const input = parseBoundedJson(request.body as Buffer, isGzipped(request), {
    maxBytes: bodyLimits.messages,
    maxValues: messageLimits.values,
  });
  const body = parseMessagesBody(input);
  if ("errors" in body) throw new AppError("bad_request", `${formatErrors(body.errors)}.`);
  return body;
}

/** @throws AppError `not_found` if there is no such campaign; `conflict` if it is closed or imported; `forbidden` */
async function findOpenCampaign(
  database: Database,
  { id: organizationId, sender }: Sender,
  campaignId: number,
): Promise<StoredCampaign> {
  const [found] = await database.snapshotOf(organizationId, (scope) => findCampaigns(scope, [campaignId]));
  const stored = orNotFound(found, `There is no campaign ${campaignId}. Register it first.`);
  if (!stored.counting) {
    throw new AppError("conflict", `Campaign ${campaignId} was imported, so its events are not counted.`);
  }
  if (stored.counting.ledgerId === null) {
    throw new AppError("conflict", `Campaign ${campaignId} is closed.`);
  }
  requireSender(stored, sender);
  return stored;
}

/**
 * Saves questions that are not known yet. The first request of a campaign writes, and the others find theirs, also if they
 * ask in another language.
 */
async function keepQuestions(
  database: Database,
  organizationId: number,
  { campaign: { id: campaignId }, registration }: StoredCampaign,
  surveys: readonly Survey[],
): Promise<void> {
  if (surveys.length === 0) return;
  const known = await database.queryOf(organizationId, (scope) => findQuestions(scope, [campaignId]));
  const added = surveys.filter((survey) => !known.get(campaignId)?.has(questionKey(survey)));
  if (added.length === 0) return;
  await database.transactionOf(organizationId, async (scope) => {
    await lockOrganization(scope);
    // It may have been deleted meanwhile.
    const [stored] = await findCampaigns(scope, [campaignId]);
    if (stored?.registration === registration) await saveQuestions(scope, campaignId, added);
  });
}

/** @throws AppError `bad_request` if the HTML names an unknown survey or has too many links */
function checkTemplate(template: Template, surveys: readonly Survey[]): void {
  const [missing] = findMissingSurveys(template, surveys);
  if (missing !== undefined) {
    const problem = `has a place for the survey ${quote(missing)}, which is not in surveys`;
    throw new AppError("bad_request", `html: ${problem}.`);
  }
  const count = countTrackedUrls(template, surveys);
  if (count > messageLimits.trackedUrls) {
    const problem = `has ${count} links and answers to track; at most ${messageLimits.trackedUrls} are accepted`;
    throw new AppError("bad_request", `html: ${problem}.`);
  }
}

/** The message, with as much about the recipient as the tracking type allows in its URLs. */
function toTrackedMessage(
  { id: organizationId, secret }: Organization,
  { campaign: { id: campaignId, trackingType }, registration }: StoredCampaign,
  input: string,
): TrackedMessage {
  const base = { organizationId, campaignId, registration };
  const recipient = normalizeRecipient(input);
  if (trackingType === "Individual") return { ...base, recipient };
  if (trackingType === "Anonymous") return { ...base, recipientHash: hashRecipient(secret, { recipient }) };
  return base;
}
