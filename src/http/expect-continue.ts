// Sends `100 Continue` only when the server is about to read the body (RFC 9110, section 10.1.1).

import type { FastifyInstance } from "fastify";

/**
 * A client that waits for the server's consent gets a rejection instead, and sends no body at all. Node alone would
 * consent before any check.
 */
export function continueBeforeReading(app: FastifyInstance): void {
  app.server.on("checkContinue", (request, response) => app.server.emit("request", request, response));
  // Runs after authentication and all other hooks that reject a request by its head.
  app.addHook("preParsing", ({ raw }, reply, _payload, done) => {
    // HTTP/1.0 has no 1xx responses. The check of the request head has rejected every other expectation.
    if (raw.headers.expect !== undefined && raw.httpVersion === "1.1") reply.raw.writeContinue();
    done();
  });
}
