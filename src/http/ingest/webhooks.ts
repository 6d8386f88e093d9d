// POST /ingest/v1/webhooks/{source id}: events as an email provider sends them. 2xx means that they are on disk.

import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import { AppError, errors, orNotFound } from "../../errors.ts";
import { paths } from "../../paths.ts";
import { fetchFromProvider } from "../../providers/fetch-from-provider.ts";
import type { Provider } from "../../providers/provider.ts";
import { findProvider } from "../../providers/providers.ts";
import type { Delivery } from "../../storage/keys/deliveries.ts";
import { findSource, type Source } from "../../storage/keys/sources.ts";
import { isGzipped, releaseBody, reserveBody } from "../request/body.ts";
import { bodyLimits } from "../request/body-limits.ts";
import { errorCodeOf } from "../request/error-handler.ts";
import { addToLog } from "../request/log.ts";
import { DeliveryLog } from "./delivery-log.ts";
import { type IngestContext, rejectFullQuarantine } from "./ingest-context.ts";

const path = `${paths.ingest.webhooks}/:source`;

declare module "fastify" {
  interface FastifyRequest {
    /** Whose webhook URL it is to; undefined for other requests. */
    source: Source | undefined;
    /** What became of its events. */
    delivery: Pick<Delivery, "reason" | "accepted" | "repeated" | "quarantined"> | undefined;
  }
}

export function addWebhooks(app: FastifyInstance, context: IngestContext): void {
  app.decorateRequest("source").decorateRequest("delivery");
  findSourceFirst(app, context);
  recordDeliveries(app, context);
  answerAsProviderExpects(app, context);

  app.post<{ Body: Buffer }>(path, { bodyLimit: bodyLimits.webhook }, async (request, reply) => {
    const { publicUrl, fetchUrl = (url) => fetchFromProvider(url) } = context;
    const source = request.source as Source;
    const provider = findProvider(source.provider);
    const body = request.body;
    if (body.length > provider.maxBodyBytes) throw tooLarge(provider);
    const url = publicUrl() + request.url;
    const { secret } = source;
    const handshake = await provider.authenticate({
      headers: request.headers,
      body,
      url,
      secret,
      fetch: fetchUrl,
    });
    if (handshake) return reply.send(handshake.body);
    await releaseBody(request);
    const { accepted, repeated, quarantined, problems, refused, ignored } = await writeEvents(
      context,
      source,
      body,
    );
    addToLog(request, { accepted, repeated, quarantined, ignored, refused });
    request.delivery = { reason: null, accepted, repeated, quarantined };
    rejectFullQuarantine(refused);
    return reply.send({ accepted, repeated, quarantined, problems });
  });
  answerChecks(app);
}

/** What providers ask before they send events to a webhook URL. */
function answerChecks(app: FastifyInstance): void {
  // Some providers check that the webhook URL exists before they accept it.
  app.head(path, async (_request, reply) => reply.send());
  // CloudEvents, "HTTP 1.1 Web Hooks for Event Delivery", section 4: a sender asks for permission.
  app.options(path, async ({ headers }, reply) => {
    const origin = headers["webhook-request-origin"];
    if (typeof origin === "string") {
      reply.header("webhook-allowed-origin", origin).header("webhook-allowed-rate", "*");
    }
    return reply.code(204).header("allow", "HEAD, POST, OPTIONS").send();
  });
}

/** Finds the source before the body is read: a request that is not allowed cannot make the server buffer anything. */
function findSourceFirst(app: FastifyInstance, { database, writer }: IngestContext): void {
  app.addHook("onRequest", async (request, reply) => {
    const { source: id } = request.params as { source: string };
    const found = await database.query((queries) => findSource(queries, id));
    const source = orNotFound(found, "There is no source at this webhook URL; it was deleted or cut.");
    request.source = source;
    addToLog(request, { organization: source.organizationId, provider: source.provider });
    if (request.method !== "POST") return;
    checkHead(request, source);
    reserveBody(request, reply, writer, source.organizationId);
  });
}

const nothingCounted = { accepted: null, repeated: null, quarantined: null };

/** Records each request to a source, also a rejected one, for the page of the source. */
function recordDeliveries(app: FastifyInstance, context: IngestContext): void {
  const deliveries = new DeliveryLog(context);
  app.addHook("onResponse", async (request, { statusCode: status }) => {
    const { source, delivery = { ...nothingCounted, reason: null } } = request;
    if (!source || request.method !== "POST") return;
    deliveries.note(source, { at: context.now(), status, ...delivery });
  });
  app.addHook("onClose", () => deliveries.flush());
}

/** Replaces temporary errors by the status that makes the provider retry. Other errors go to the app's error handler. */
function answerAsProviderExpects(app: FastifyInstance, { log }: IngestContext): void {
  app.setErrorHandler((error: FastifyError | AppError, request) => {
    const isAppError = error instanceof AppError;
    if (isAppError) addToLog(request, { reason: error.message });
    const { message } = isAppError ? error : errors[errorCodeOf(error)];
    request.delivery = { ...nothingCounted, reason: message };
    const { source } = request;
    const code = source ? findProvider(source.provider).retryCode : "too_many_requests";
    const isTemporary = ["unavailable", "internal_error"].includes(errorCodeOf(error));
    if (!code || !isTemporary) throw error;
    if (!isAppError) log.error({ err: error, request_id: request.id }, "request failed");
    throw new AppError(code, isAppError ? error.message : undefined);
  });
}

function writeEvents({ writer, now }: IngestContext, source: Source, body: Buffer) {
  const { id, organizationId, provider, campaignField, lastEventAt, reports, sender } = source;
  return writer.write({
    organizationId,
    now: now(),
    body,
    isGzipped: false,
    task: {
      name: "ingest_webhook",
      provider,
      campaignField,
      sender,
      source: { id, lastEventAt, reports },
    },
  });
}

/** @throws AppError if the request can be rejected without its body */
function checkHead(request: FastifyRequest, { secret, provider: name }: Source): void {
  const provider = findProvider(name);
  if (secret === undefined && provider.secret.isRequired) {
    throw new AppError(
      "unauthorized",
      `This source has no secret yet, so it accepts nothing from ${provider.title}. The secret is ${provider.secret.description}; set it with: email-analytics source change --secret.`,
    );
  }
  if (Number(request.headers["content-length"] ?? 0) > provider.maxBodyBytes) throw tooLarge(provider);
  if (isGzipped(request)) {
    throw new AppError(
      "unsupported_media_type",
      "Content-Encoding: webhooks must not be compressed; send the body without an encoding.",
    );
  }
}

function tooLarge({ title, maxBodyBytes }: Provider): AppError {
  const message = `The request body is larger than ${maxBodyBytes} bytes, more than ${title} sends.`;
  return new AppError("payload_too_large", message);
}
