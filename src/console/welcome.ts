// The address that the demo prints: whoever opens it has signed in. No other service has it.

import { hash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { Refusal } from "../errors.ts";
import { addSession } from "../storage/sessions.ts";
import type { Cookies } from "./cookies.ts";
import type { ConsoleDoor } from "./door.ts";

export function addWelcome(
  scope: FastifyInstance,
  { database, now, welcome }: ConsoleDoor,
  cookies: Cookies,
): void {
  if (!welcome) return;
  const { organizationId, userId: id, secret: wanted } = welcome;
  scope.get<{ Params: { secret: string } }>("/welcome/:secret", async (request, reply) => {
    const given = hash("sha256", request.params.secret, "buffer");
    if (!timingSafeEqual(given, hash("sha256", wanted, "buffer"))) throw new Refusal("not_found");
    const secret = await database.write((queries) =>
      addSession(queries, { organizationId, id }, { client: "The demo's address", now: now() }),
    );
    cookies.write(reply, "session", secret);
    return reply.redirect("/", 303);
  });
}
