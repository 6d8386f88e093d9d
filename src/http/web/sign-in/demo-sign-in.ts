// The sign-in link of the demo: opening it signs in. Only the demo has one.

import { hash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../../errors.ts";
import { addSession } from "../../../storage/sessions.ts";
import { signInStrings } from "../strings/sign-in.ts";
import type { WebContext } from "../web-context.ts";
import type { Cookies } from "./cookies.ts";

export function addDemoSignIn(
  scope: FastifyInstance,
  { database, now, welcome }: WebContext,
  cookies: Cookies,
): void {
  if (!welcome) return;
  const { organizationId, userId: id, secret: expected } = welcome;
  scope.get<{ Params: { secret: string } }>("/welcome/:secret", async (request, reply) => {
    const given = hash("sha256", request.params.secret, "buffer");
    if (!timingSafeEqual(given, hash("sha256", expected, "buffer"))) throw new AppError("not_found");
    const secret = await database.transaction((queries) =>
      addSession(queries, { organizationId, id }, { client: signInStrings.demoClient, now: now() }),
    );
    cookies.write(reply, "session", secret);
    return reply.redirect("/", 303);
  });
}
