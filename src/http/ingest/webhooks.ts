// POST /ingest/v1/webhooks/{source id}: events as an email provider sends them. 2xx means that they are on disk.

import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import { fetchFromProvider } from "../../providers/fetch-from-provider.ts";
import type { Provider } from "../../providers/provider.ts";
import { findProvider, providers } from "../../providers/providers.ts";
import { findSource, recordedEveryMs, type Source } from "../../storage/sources.ts";
import { isGzipped, releaseBody, reserveBody } from "../request-body.ts";
import { addToLog } from "../request-log.ts";
import { type IngestOptions, refuseFullQuota } from "./ingest-context.ts";

export const webhooksPath = "/ingest/v1/webhooks";
const path = `${webhooksPath}/:source`;

const bodyLimit = Math.max(...Object.values(providers).map(({ maxBodyBytes }) => maxBodyBytes));

/** In a door of its own: here the address is the credential, and the provider's signature. */
export function addWebhooks(app: FastifyInstance, options: IngestOptions): void {
  const { database, writing, now, publicUrl, log, ask = (url) => fetchFromProvider(url) } = options;
  const sources = new WeakMap<FastifyRequest, Source>();
  const sourceOf = (request: FastifyRequest) => sources.get(request) as Source;
  // Before the body is read: whoever may not come in cannot make us take it.
  app.addHook("onRequest", async (request, reply) => {
    const { source: id } = request.params as { source: string };
    const source = await database.query((queries) => findSource(queries, id));
    if (!source)
      throw new AppError("not_found", "There is no source at this address; it was deleted or cut.");
    sources.set(request, source);
    addToLog(request, { organization: source.organizationId, provider: source.provider });
    if (request.method !== "POST") return;
    refuseByHead(request, source);
    reserveBody(request, reply, writing, source.organizationId);
  });

  // What it throws goes on to the handler of all errors.
  app.setErrorHandler((error: FastifyError | AppError, request) => {
    if (error instanceof AppError) addToLog(request, { reason: error.message });
    const source = sources.get(request);
    const code = source ? findProvider(source.provider).retryCode : "too_many_requests";
    const isRefusal = error instanceof AppError;
    const isForLater = isRefusal ? error.code === "unavailable" : (error.statusCode ?? 500) >= 500;
    if (!code || !isForLater) throw error;
    if (!isRefusal) log.error({ err: error, request_id: request.id }, "request failed");
    throw new AppError(code, isRefusal ? error.message : undefined);
  });

  app.post<{ Body: Buffer }>(path, { bodyLimit }, async (request, reply) => {
    const source = sourceOf(request);
    const { organizationId, secret, provider: name, campaignField } = source;
    const provider = findProvider(name);
    const body = request.body ?? Buffer.alloc(0);
    if (body.length > provider.maxBodyBytes) throw tooLarge(provider);
    const url = publicUrl() + request.url;
    const handshake = await provider.authenticate({
      headers: request.headers,
      body,
      url,
      secret,
      fetch: ask,
    });
    if (handshake) return reply.send(handshake.body);
    await releaseBody(request);
    const arrivedAt = now();
    const isNoted = (source.lastEventAt ?? 0) > arrivedAt - recordedEveryMs;
    const { accepted, repeated, quarantined, problems, refused, ignored } = await writing.write({
      organizationId,
      now: arrivedAt,
      body,
      isGzipped: false,
      task: {
        name: "ingest_webhook",
        provider: name,
        campaignField,
        unusedSourceId: isNoted ? undefined : source.id,
      },
    });
    addToLog(request, { accepted, repeated, quarantined, ignored, refused });
    refuseFullQuota(refused);
    return reply.send({ accepted, repeated, quarantined, problems });
  });

  // Providers look whether there is somebody before they take an address.
  app.head(path, async (_request, reply) => reply.send());
  // CloudEvents, "HTTP 1.1 Web Hooks for Event Delivery", section 4: a sender asks whether it may send.
  app.options(path, async ({ headers }, reply) => {
    const origin = headers["webhook-request-origin"];
    if (typeof origin === "string") {
      reply.header("webhook-allowed-origin", origin).header("webhook-allowed-rate", "*");
    }
    return reply.code(204).header("allow", "HEAD, POST, OPTIONS").send();
  });
}

/** What can be refused without the body. */
function refuseByHead(request: FastifyRequest, { secret, provider: name }: Source): void {
  const provider = findProvider(name);
  if (secret === undefined && provider.secret.isRequired) {
    throw new AppError(
      "unauthorized",
      `This source has no secret yet, so nothing from ${provider.title} is taken. It is ${provider.secret.description}; set it with: source change --secret.`,
    );
  }
  if (Number(request.headers["content-length"] ?? 0) > provider.maxBodyBytes) throw tooLarge(provider);
  if (isGzipped(request)) {
    throw new AppError(
      "unsupported_media_type",
      "Content-Encoding: providers send bodies that are not packed.",
    );
  }
}

function tooLarge({ title, maxBodyBytes }: Provider): AppError {
  const message = `The request body is larger than ${maxBodyBytes} bytes, which is more than ${title} sends.`;
  return new AppError("payload_too_large", message);
}
