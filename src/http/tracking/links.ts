// The links in tracked messages. The reader is always redirected to the target, even if the click cannot be recorded.

import type { FastifyInstance } from "fastify";
import { sendNotice } from "./pages.ts";
import { logMessage, toIncomingEvent } from "./tracked-request.ts";
import { type TrackingContext, waitForStatus } from "./tracking-context.ts";
import { routePathOf } from "./tracking-urls.ts";

export function addLinkRoutes(
  app: FastifyInstance,
  { trackingUrls, recorder, floods, now }: TrackingContext,
): void {
  app.get<{ Params: { token: string } }>(routePathOf("click"), async (request, reply) => {
    // Mail programs take the mark behind a URL in a plain text for a part of it: `).`, `>`.
    const link = trackingUrls.parse("click", request.params.token.replace(/[^\w-].*$/s, ""));
    if (!link) return sendNotice(reply, "brokenLink");
    logMessage(request, link);
    const { url, isHidden } = link;
    const click = { type: "click" as const, url, ...(isHidden && { hidden: true }) };
    const isFlood = floods.isFlood(request, "click", link);
    const event = toIncomingEvent(request, link, click, { at: now(), isFlood });
    await waitForStatus(recorder.record(link.organizationId, event));
    return reply.code(302).headers({ location: url, "cache-control": "no-store" }).send();
  });
}
