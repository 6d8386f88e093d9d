// The links inside messages. Whatever happens to the event, the reader is led to where the link leads.

import type { FastifyInstance } from "fastify";
import { sendBrokenLink } from "./pages.ts";
import { logMessage, toEntry } from "./tracked-request.ts";
import { type TrackingContext, waitForStatus } from "./tracking-context.ts";
import { routePathOf } from "./tracking-urls.ts";

export function addLinkRoutes(app: FastifyInstance, { trackingUrls, recorder, now }: TrackingContext): void {
  app.get<{ Params: { token: string } }>(routePathOf("click"), async (request, reply) => {
    const link = trackingUrls.parse("click", request.params.token);
    if (!link) return sendBrokenLink(reply);
    logMessage(request, link);
    const { url, isHidden } = link;
    const entry = toEntry(request, link, { type: "click", url, ...(isHidden && { hidden: true }) }, now());
    await waitForStatus(recorder.record(link.organizationId, entry));
    return reply.code(302).headers({ location: url, "cache-control": "no-store" }).send();
  });
}
