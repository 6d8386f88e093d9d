// The two images at the end of a tracked message: the pixel records an open; the read image, which is sent slowly,
// measures for how long the message is read.

import type { FastifyInstance, FastifyReply } from "fastify";
import { imageHeaders } from "./image-headers.ts";
import { OpenReads } from "./open-reads.ts";
import { pixel } from "./pixel.ts";
import { isHumanRequest, logMessage, toIncomingEvent } from "./tracked-request.ts";
import { type TrackingContext, waitForStatus } from "./tracking-context.ts";
import { routePathOf, type TrackedMessage } from "./tracking-urls.ts";

export function addImageRoutes(app: FastifyInstance, context: TrackingContext): void {
  const { trackingUrls, recorder, floods, now } = context;
  app.get<{ Params: { token: string } }>(routePathOf("open"), async (request, reply) => {
    const message = trackingUrls.parse("open", request.params.token);
    if (message) {
      logMessage(request, message);
      const isFlood = floods.isFlood(request, "open", message);
      const event = toIncomingEvent(request, message, { type: "open" }, { at: now(), isFlood });
      await waitForStatus(recorder.record(message.organizationId, event));
    }
    return sendPixel(reply, message);
  });

  const openReads = new OpenReads(context);
  app.addHook("preClose", async () => openReads.stop());
  app.get<{ Params: { token: string } }>(routePathOf("read"), async (request, reply) => {
    const message = trackingUrls.parse("read", request.params.token);
    if (message) logMessage(request, message);
    const isMeasured =
      message &&
      isHumanRequest(request) &&
      !floods.isFlood(request, "read", message) &&
      !openReads.isFull(message);
    if (!isMeasured) return sendPixel(reply, message);
    openReads.add(request, reply, message);
    return reply;
  });
}

/** Even a 404 has an image as its body: mail clients would show a broken image to the reader. */
function sendPixel(reply: FastifyReply, message: TrackedMessage | undefined): FastifyReply {
  return reply
    .code(message ? 200 : 404)
    .headers(imageHeaders)
    .send(pixel);
}
