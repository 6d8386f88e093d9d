// PUT and DELETE /ingest/v1/campaigns/{id}: campaigns whose numbers are counted from events.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { largestInteger, quote } from "../campaign/fields.ts";
import { Refusal } from "../errors.ts";
import { type IngestDoor, isPacked, mediaTypeOf } from "./door.ts";

const path = "/ingest/v1/campaigns/:id";

export function addCampaigns(app: FastifyInstance, { caller, writing, now }: IngestDoor): void {
  app.put<{ Params: { id: string }; Body: Buffer }>(path, async (request, reply) => {
    const { id: organizationId } = caller(request);
    if (mediaTypeOf(request) !== "application/json") {
      throw new Refusal(
        "unsupported_media_type",
        `Content-Type: ${mediaTypeOf(request) || "none"} is not understood; use application/json.`,
      );
    }
    const id = idOf(request);
    const status = await writing.write({
      organizationId,
      now: now(),
      body: request.body ?? Buffer.alloc(0),
      isPacked: isPacked(request),
      work: { name: "save_campaign", id },
    });
    return reply.code(status === "added" ? 201 : 200).send({ id, status });
  });

  app.delete<{ Params: { id: string } }>(path, async (request, reply) => {
    const { id: organizationId } = caller(request);
    const id = idOf(request);
    const wasThere = await writing.write({
      organizationId,
      now: now(),
      body: new Uint8Array(),
      isPacked: false,
      work: { name: "remove_campaign", id },
    });
    if (!wasThere) throw new Refusal("not_found", `There is no campaign ${id}.`);
    return reply.code(204).send();
  });
}

function idOf({ params }: FastifyRequest<{ Params: { id: string } }>): number {
  const id = Number(params.id);
  if (/^[1-9]\d{0,15}$/.test(params.id) && id <= largestInteger) return id;
  throw new Refusal(
    "bad_request",
    `id: ${quote(params.id)} is not a whole number from 1 to ${largestInteger} in plain digits.`,
  );
}
