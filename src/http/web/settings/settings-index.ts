// Redirects `/settings` to the first page of the settings that the user may see.

import type { FastifyInstance } from "fastify";
import { webPaths } from "../../../paths.ts";
import type { Cookies } from "../frame/cookies.ts";
import { firstSettings } from "../frame/rail.ts";
import type { WebContext } from "../frame/web-context.ts";
import { findWebSession } from "../frame/web-session.ts";

export function addSettingsIndex(scope: FastifyInstance, context: WebContext, cookies: Cookies): void {
  const path = webPaths.settings;
  scope.get(path, async (request, reply) => {
    const session = await findWebSession(request, context, cookies);
    return reply.redirect(
      session ? firstSettings(session.user.role) : `${webPaths.signIn}?to=${encodeURIComponent(path)}`,
      303,
    );
  });
}
