// The links inside messages. Whatever happens to the event, the reader is led to where the link leads.

import type { FastifyInstance } from "fastify";
import { sendDamaged } from "./pages.ts";
import { entryOf, noteMessage } from "./tracked-request.ts";
import { type TrackingContext, withinPatience } from "./tracking-context.ts";
import { pathOf } from "./tracking-urls.ts";

export function addLinks(app: FastifyInstance, { addresses, recorder, now }: TrackingContext): void {
  app.get<{ Params: { token: string } }>(pathOf("click"), async (request, reply) => {
    const link = addresses.read("click", request.params.token);
    if (!link) return sendDamaged(reply);
    noteMessage(request, link);
    const { url, isHidden } = link;
    const entry = entryOf(request, link, { type: "click", url, ...(isHidden && { hidden: true }) }, now());
    await withinPatience(recorder.record(link.organizationId, entry));
    return reply.code(302).headers({ location: url, "cache-control": "no-store" }).send();
  });
}
