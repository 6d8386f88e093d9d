// PUT /ingest/v1/campaigns/{id}/recipients and PUT /ingest/v1/directory: recipients with their attributes. Both replace.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { keyActor } from "../../access/audit-actions.ts";
import { pluralize } from "../../campaign/fields/pluralize.ts";
import { type ListFormat, type ListRow, readList } from "../../counting/audience/parse-list.ts";
import { replaceDirectory } from "../../counting/audience/save-directory.ts";
import { listedPerPart } from "../../counting/audience/stage-list.ts";
import { type Job, toJob } from "../../counting/writer/jobs.ts";
import { paths } from "../../paths.ts";
import { recordAction } from "../../storage/organizations/audit-log.ts";
import { asyncChunks } from "../../storage/queries/database.ts";
import { campaignIdOf, isGzipped, mediaTypeOf } from "../request/body.ts";
import { bodyLimits, maxWorkMs } from "../request/body-limits.ts";
import { chunksOf } from "../request/chunks-of.ts";
import { closeSignal } from "../request/close-signal.ts";
import { addToLog } from "../request/log.ts";
import type { SenderContext } from "./ingest-context.ts";

const formats = {
  "text/csv": "csv",
  "application/x-ndjson": "ndjson",
  "application/ndjson": "ndjson",
} as const satisfies Record<string, ListFormat>;
const mediaTypes = Object.keys(formats) as (keyof typeof formats)[];

/** A smaller body is read without a thread, within a millisecond or two. */
const maxBytesWithoutThread = 32 * 1024;

export function addRecipients(
  app: FastifyInstance,
  { caller, database, writer, readFile, now }: SenderContext,
): void {
  const rowsOf = (
    request: FastifyRequest<{ Body: Buffer }>,
    reply: FastifyReply,
    organizationId: number,
  ): AsyncIterable<readonly ListRow[]> => {
    request.raw.setTimeout(maxWorkMs);
    const body = request.body;
    const read = { format: formats[mediaTypeOf(request, mediaTypes)], isGzipped: isGzipped(request) };
    const bytes = chunksOf(body);
    if (body.length <= maxBytesWithoutThread && !read.isGzipped)
      return asyncChunks(readList(bytes, read), listedPerPart);
    return readFile({ name: "sent_list", ...read }, { bytes, organizationId, signal: closeSignal(reply) });
  };

  const options = { bodyLimit: bodyLimits.recipients };
  app.put<{ Params: { id: string }; Body: Buffer }>(
    paths.ingest.recipients,
    options,
    async (request, reply) => {
      const { id: organizationId, sender } = caller(request);
      const id = campaignIdOf(request);
      const parts = rowsOf(request, reply, organizationId)[Symbol.asyncIterator]();
      const write = <Task extends Job["task"]>(task: Task, body?: Uint8Array) =>
        writer.write<Task["name"]>({
          ...toJob(organizationId, now(), task, undefined),
          ...(body && { body }),
        });
      let recipients: number | "more" = "more";
      try {
        // A list begins with its first rows: until then the request may wait for its turn to be read.
        let part = await parts.next();
        const list = await write({ name: "start_list", id, sender });
        try {
          for (; !part.done; part = await parts.next()) {
            const body = Buffer.from(JSON.stringify(part.value));
            await write({ name: "stage_list", list }, body);
          }
        } catch (error) {
          await write({ name: "give_up_list", list }).catch(() => undefined);
          throw error;
        }
        for (let isMerging = false; recipients === "more"; isMerging = true) {
          recipients = await write({ name: "merge_list", id, list, isMerging });
        }
      } finally {
        await parts.return?.();
      }
      addToLog(request, { campaign: id, recipients });
      return reply.send({ id, recipients });
    },
  );

  app.put<{ Body: Buffer }>(paths.ingest.directory, options, async (request, reply) => {
    const { id, keyName } = caller(request);
    const recipients = await replaceDirectory(database, id, rowsOf(request, reply, id), (scope, count) =>
      recordAction(scope, {
        at: now(),
        actor: keyActor(keyName),
        action: "directory.replace",
        target: pluralize(count, "recipient"),
      }),
    );
    addToLog(request, { recipients });
    return reply.send({ recipients });
  });
}
