// Authenticates requests that send data, and reserves memory for their bodies.

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { WriterThread } from "../../counting/writer/writer-thread.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { type AuthenticateOptions, authenticate } from "./authenticate.ts";
import { releaseBody, reserveBody } from "./body.ts";
import { callerOf } from "./credentials.ts";
import { addToLog } from "./log.ts";

export interface SenderOptions extends AuthenticateOptions {
  region: string;
  writer: WriterThread;
}

/** The organization of a request, the name of its key, and who sends with that. */
export type Sender = Organization & { keyName: string; sender: number };

/**
 * Adds hooks that require a key of the scope `ingest`. They run before the body is read: a client without a valid key
 * cannot make the server buffer anything.
 *
 * @returns a function that returns the sender of a request
 */
export function authenticateSenders(
  app: FastifyInstance,
  options: SenderOptions,
): (request: FastifyRequest) => Sender {
  const senders = new WeakMap<FastifyRequest, Sender>();
  app.addHook("onRequest", async (request, reply) => {
    const { organization, ...key } = await authenticate(
      options,
      callerOf(request.raw, options.region),
      "ingest",
    );
    senders.set(request, { ...organization, ...key });
    addToLog(request, { organization: organization.id });
    reserveBody(request, reply, options.writer, organization.id);
  });
  app.addHook("preHandler", releaseBody);
  return (request) => senders.get(request) as Sender;
}
