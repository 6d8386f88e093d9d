// PUT /ingest/v1/campaigns/{id}/recipients and PUT /ingest/v1/directory: recipients with their attributes. Both replace.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { keyActor } from "../../access/audit-actions.ts";
import { pluralize } from "../../campaign/fields/pluralize.ts";
import { type ListFormat, parseList } from "../../counting/audience/parse-list.ts";
import { replaceDirectory } from "../../counting/audience/save-directory.ts";
import { paths } from "../../paths.ts";
import { recordAction } from "../../storage/organizations/audit-log.ts";
import { campaignIdOf, isGzipped, mediaTypeOf } from "../request/body.ts";
import { bodyLimits } from "../request/body-limits.ts";
import { addToLog } from "../request/log.ts";
import type { SenderContext } from "./ingest-context.ts";

const formats = {
  "text/csv": "csv",
  "application/x-ndjson": "ndjson",
  "application/ndjson": "ndjson",
} as const satisfies Record<string, ListFormat>;
const mediaTypes = Object.keys(formats) as (keyof typeof formats)[];

const formatOf = (request: FastifyRequest) => formats[mediaTypeOf(request, mediaTypes)];

export function addRecipients(app: FastifyInstance, { caller, database, writer, now }: SenderContext): void {
  const options = { bodyLimit: bodyLimits.recipients };
  app.put<{ Params: { id: string }; Body: Buffer }>(
    paths.ingest.recipients,
    options,
    async (request, reply) => {
      const { id: organizationId, sender } = caller(request);
      const format = formatOf(request);
      const id = campaignIdOf(request);
      const recipients = await writer.write({
        organizationId,
        now: now(),
        body: request.body ?? Buffer.alloc(0),
        isGzipped: isGzipped(request),
        task: { name: "save_recipients", id, format, sender },
      });
      addToLog(request, { campaign: id, recipients });
      return reply.send({ id, recipients });
    },
  );

  app.put<{ Body: Buffer }>(paths.ingest.directory, options, async (request, reply) => {
    const { id, keyName } = caller(request);
    const rows = parseList(request.body ?? Buffer.alloc(0), formatOf(request), isGzipped(request));
    const recipients = await replaceDirectory(database, id, rows, (scope, count) =>
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
