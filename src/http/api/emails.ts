// GET /data_api/v1/emails: the email records of the caller's organization, with pagination (specification 4.1).

import type { FastifyInstance, FastifyReply } from "fastify";
import { AppError } from "../../errors.ts";
import { singleFlight } from "../../limits/single-flight.ts";
import { type AuthenticatedCaller, type AuthenticateOptions, authenticate } from "../authenticate.ts";
import { type ApiCaller, callerOf } from "../credentials.ts";
import { paths } from "../paths.ts";
import { addToLog } from "../request-log.ts";
import type { ServerLimits } from "../server-limits.ts";
import { type EmailsRequest, parseEmailsRequest } from "./emails-request.ts";
import {
  cachingHeaders,
  type EmailsResponseOptions,
  makeEmailsResponse,
  type ResponseMemory,
} from "./emails-response.ts";
import { matches } from "./etag.ts";
import { limitPageReads } from "./limit-page-reads.ts";
import { PageBodies } from "./page-bodies.ts";
import { type CachedResponse, ResponseCache } from "./response-cache.ts";
import { UnsentBodies } from "./unsent-bodies.ts";

export interface EmailsOptions extends AuthenticateOptions, Omit<EmailsResponseOptions, "limitReads"> {
  region: string;
  /** Maximum bytes of the response cache. */
  memory: { pages: number };
  limits: Pick<ServerLimits, "unsentBytes">;
}

/** An organization that changes this often while one page is read has a problem of its own. */
const maxAttempts = 20;

export function addEmails(app: FastifyInstance, options: EmailsOptions): void {
  const memory: ResponseMemory = {
    responses: new ResponseCache(options.memory.pages),
    bodies: new PageBodies(),
  };
  const unsent = new UnsentBodies(options.limits.unsentBytes);
  const limitReads = limitPageReads(options.database.maxWriters);
  // Requests that arrive together share one query for their key. It starts after they arrived, so a deleted key is
  // rejected by the very next request.
  const findCaller = singleFlight(
    ({ key }: ApiCaller) => key.text,
    (caller) => authenticate(options, caller, "read"),
  );

  // Hot path: a callback route. Most responses are cached, and an async handler would cost more than finding one.
  app.get(paths.api.emails, (request, reply) => {
    const caller = callerOf(request.raw, options.region);
    findCaller(caller)
      .then(({ organization, noteRows }) => {
        addToLog(request, { organization: organization.id });
        const parsed = parseEmailsRequest(request, organization);
        const now = options.now();
        const cached = memory.responses.find(parsed.cacheKey, organization.revisionId, now);
        return cached
          ? send(reply, parsed, cached, noteRows)
          : sendNew(reply, caller, parsed, { now, noteRows });
      })
      .catch((error) => reply.send(error));
  });

  /** Makes the response, again if the organization changes in the meantime. */
  async function sendNew(
    reply: FastifyReply,
    caller: ApiCaller,
    parsed: EmailsRequest,
    { now, noteRows }: Pick<AuthenticatedCaller, "noteRows"> & { now: number },
  ): Promise<void> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const response = await makeEmailsResponse({ ...options, limitReads }, memory, parsed, now);
      if (response) {
        reply.raw.once("close", () => memory.bodies.release(response.body));
        return send(reply, parsed, response, noteRows);
      }
      parsed = parseEmailsRequest(reply.request, (await findCaller(caller)).organization);
      now = options.now();
    }
    throw new AppError("unavailable", "The records change faster than they can be read. Try again.");
  }

  function send(
    reply: FastifyReply,
    { ifNoneMatch, organization }: EmailsRequest,
    { etag, headers, body, rows }: CachedResponse,
    noteRows: AuthenticatedCaller["noteRows"],
  ): void {
    if (matches(ifNoneMatch, etag)) {
      reply.code(304).headers(cachingHeaders(etag)).send();
      return;
    }
    noteRows?.(rows);
    unsent.count(reply.raw, organization.id, body);
    reply.headers(headers).send(body);
  }
}
