// Sign-out: ends the session on the server and deletes its cookie.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { localeOf } from "../../../locale/locale.ts";
import { recordAction } from "../../../storage/organizations/audit-log.ts";
import { lockOrganization } from "../../../storage/organizations/organizations.ts";
import { deleteSession, findSession } from "../../../storage/users/sessions.ts";
import { bodyLimits } from "../../request/body-limits.ts";
import type { SignInContext } from "../frame/begin-session.ts";
import { checkCsrf } from "../frame/csrf.ts";
import { readForm } from "../frame/read-form.ts";

export function addSignOut(scope: FastifyInstance, context: SignInContext): void {
  scope.post("/sign-out", { bodyLimit: bodyLimits.webForm }, (request, reply) =>
    signOut(request, reply, context),
  );
}

async function signOut(
  request: FastifyRequest,
  reply: FastifyReply,
  { database, now, publicUrl, cookies }: SignInContext,
): Promise<FastifyReply> {
  const secret = cookies.read(request, "session");
  const found =
    secret === "" ? undefined : await database.query((queries) => findSession(queries, secret, now()));
  const locale = localeOf(request, found?.user.language);
  if (found) {
    checkCsrf(request, readForm(locale, request), { cookie: secret, publicUrl, locale });
    const { organization, session, user } = found;
    await database.transactionOf(organization.id, async (scope) => {
      await lockOrganization(scope);
      if (!(await deleteSession(scope, session.hash))) return;
      await recordAction(scope, { at: now(), actor: user.email, action: "session.end", target: user.email });
    });
  }
  cookies.clear(reply, "session");
  cookies.write(reply, "notice", locale.t("signIn.signedOut"));
  return reply.redirect("/sign-in", 303);
}
