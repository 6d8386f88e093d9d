// GET, PUT, PATCH and DELETE /ingest/v1/campaigns/{id}: campaigns whose metrics are counted from events.

import type { FastifyInstance } from "fastify";
import { keyActor } from "../../access/audit-actions.ts";
import { toRegistration } from "../../campaign/counted-campaign.ts";
import { saidOf } from "../../counting/campaigns/corrections.ts";
import { toJob } from "../../counting/writer/jobs.ts";
import { orNotFound } from "../../errors.ts";
import { paths } from "../../paths.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { listTags } from "../../storage/organizations/tags.ts";
import { campaignIdOf, isGzipped, mediaTypeOf } from "../request/body.ts";
import type { SenderContext } from "./ingest-context.ts";

const path = paths.ingest.campaign;

export function addCampaigns(app: FastifyInstance, { caller, database, writer, now }: SenderContext): void {
  app.get<{ Params: { id: string } }>(path, async (request) => {
    const { id: organizationId } = caller(request);
    const id = campaignIdOf(request);
    const [[found], all] = await database.snapshotOf(organizationId, async (scope) => [
      await findCampaigns(scope, [id]),
      await listTags(scope),
    ]);
    const stored = orNotFound(found, noCampaign(id));
    const { counting } = stored;
    // A program that changes a field and sends all of them again makes nothing its own that a person has set.
    const { campaign, tagIds } = saidOf(stored);
    const tags = all.filter((tag) => tagIds.includes(tag.id));
    return {
      id,
      numbers: counting ? "counted" : "imported",
      closed_at: counting?.closedAt ? new Date(counting.closedAt).toISOString() : null,
      campaign: {
        ...toRegistration(campaign, tags, counting?.externalId ?? null),
        ...(counting && { senders: Object.keys(counting.senders).map(Number) }),
      },
    };
  });

  app.put<{ Params: { id: string }; Body: Buffer }>(path, async (request, reply) => {
    const { id: organizationId, sender } = caller(request);
    mediaTypeOf(request, ["application/json"]);
    const id = campaignIdOf(request);
    const status = await writer.write({
      organizationId,
      now: now(),
      body: request.body,
      isGzipped: isGzipped(request),
      task: { name: "save_campaign", id, sender },
    });
    return reply.code(status === "added" ? 201 : 200).send({ id, status });
  });

  app.patch<{ Params: { id: string }; Body: Buffer }>(path, async (request) => {
    const { id: organizationId, keyName, sender } = caller(request);
    mediaTypeOf(request, ["application/json"]);
    const id = campaignIdOf(request);
    const actor = keyActor(keyName);
    const status = await writer.write({
      organizationId,
      now: now(),
      body: request.body,
      isGzipped: isGzipped(request),
      task: { name: "edit_campaign", id, sender, actor },
      audit: { actor, action: "campaign.change", target: `campaign ${id}` },
    });
    return { id, status };
  });

  app.delete<{ Params: { id: string } }>(path, async (request, reply) => {
    const { id: organizationId, keyName, sender } = caller(request);
    const id = campaignIdOf(request);
    const audit = { actor: keyActor(keyName), action: "campaign.delete", target: `campaign ${id}` } as const;
    const job = toJob(organizationId, now(), { name: "remove_campaign", id, sender }, audit);
    orNotFound(await writer.write(job), noCampaign(id));
    return reply.code(204).send();
  });
}

const noCampaign = (id: number) => `There is no campaign ${id}.`;
