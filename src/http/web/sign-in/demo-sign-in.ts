// The address that the demo prints: whoever opens it has signed in. No other service has it.

import { hash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../../errors.ts";
import { addSession } from "../../../storage/sessions.ts";
import type { WebContext } from "../web-context.ts";
import type { Cookies } from "./cookies.ts";

export function addDemoSignIn(
  scope: FastifyInstance,
  { database, now, welcome }: WebContext,
  cookies: Cookies,
): void {
  if (!welcome) return;
  const { organizationId, userId: id, secret: wanted } = welcome;
  scope.get<{ Params: { secret: string } }>("/welcome/:secret", async (request, reply) => {
    const given = hash("sha256", request.params.secret, "buffer");
    if (!timingSafeEqual(given, hash("sha256", wanted, "buffer"))) throw new AppError("not_found");
    const secret = await database.transaction((queries) =>
      addSession(queries, { organizationId, id }, { client: "The demo's address", now: now() }),
    );
    cookies.write(reply, "session", secret);
    return reply.redirect("/", 303);
  });
}
