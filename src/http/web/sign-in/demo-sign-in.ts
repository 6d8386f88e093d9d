// The sign-in link of the demo: opening it signs in. Only the demo has one.

import type { FastifyInstance } from "fastify";
import { constantTimeEqual } from "../../../access/constant-time-equal.ts";
import { AppError } from "../../../errors.ts";
import { recordAction } from "../../../storage/organizations/audit-log.ts";
import { addSession } from "../../../storage/users/sessions.ts";
import { findUser } from "../../../storage/users/users.ts";
import type { Cookies } from "../frame/cookies.ts";
import type { WebContext } from "../frame/web-context.ts";

export function addDemoSignIn(
  scope: FastifyInstance,
  { database, now, welcome }: WebContext,
  cookies: Cookies,
): void {
  if (!welcome) return;
  const { organizationId, userId: id, secret: expected } = welcome;
  scope.get<{ Params: { secret: string } }>("/welcome/:secret", async (request, reply) => {
    if (!constantTimeEqual(request.params.secret, expected)) throw new AppError("not_found");
    const secret = await database.transactionOf(organizationId, async (scope) => {
      const [client, user] = ["email-analytics demo", await findUser(scope, id)];
      await recordAction(scope, {
        at: now(),
        actor: user?.email ?? "",
        action: "session.start",
        target: client,
      });
      return addSession(scope, { id }, { client, now: now() });
    });
    cookies.write(reply, "session", secret);
    return reply.redirect("/", 303);
  });
}
