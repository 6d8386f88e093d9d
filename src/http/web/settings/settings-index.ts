// Redirects `/settings` to the first page of the settings that the user may see.

import type { FastifyInstance } from "fastify";
import { paths } from "../../paths.ts";
import type { Cookies } from "../sign-in/cookies.ts";
import { findWebSession } from "../sign-in/web-session.ts";
import { firstSettings } from "../ui/rail.ts";
import type { WebContext } from "../web-context.ts";

export function addSettingsIndex(scope: FastifyInstance, context: WebContext, cookies: Cookies): void {
  const path = paths.web.settings;
  scope.get(path, async (request, reply) => {
    const session = await findWebSession(request, context, cookies);
    const signIn = `${paths.web.signIn}?to=${encodeURIComponent(path)}`;
    return reply.redirect(session ? firstSettings(session.user.role) : signIn, 303);
  });
}
