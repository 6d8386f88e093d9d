// Assistants sign in: the routes of OAuth, and the page at `/connect/assistant/:uid` that asks the user.

import type { FastifyInstance } from "fastify";
import { AppError, orNotFound } from "../../../errors.ts";
import { html } from "../../../locale/html.ts";
import { isolate } from "../../../locale/isolated-text.ts";
import { paths, webPaths } from "../../../paths.ts";
import { deleteExpiredSessions, insertSession } from "../../../storage/users/sessions.ts";
import { addToLog } from "../../request/log.ts";
import { accountOf, allowsOAuth, oauthScope } from "../../request/oauth.ts";
import { queryOf } from "../../request/url.ts";
import { signInUrl } from "../frame/begin-session.ts";
import type { Cookies } from "../frame/cookies.ts";
import type { Page, PageContent, PageRequest, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { findWebSession } from "../frame/web-session.ts";
import { actionForm } from "../ui/forms/form.ts";
import type { OAuthServer } from "./oauth-provider.ts";

/** The routes and the page. */
export function addAssistants(scope: FastifyInstance, context: WebContext, cookies: Cookies): Page[] {
  if (!context.servesMcp) return [];
  let loaded: Promise<OAuthServer> | undefined;
  // Loaded when the first assistant asks: the public URL may lack its port before.
  const server = () => {
    loaded ??= import("./oauth-provider.ts").then(
      ({ OAuthServer }) => new OAuthServer(context, context.publicUrl()),
    );
    return loaded;
  };
  const { resource: _resource, ...routes } = paths.oauth;
  void scope.register(async (inner) => {
    inner.removeAllContentTypeParsers();
    // The library reads the body, of at most 56 KB.
    inner.addContentTypeParser("*", (_request, _body, done) => done(null));
    for (const path of [...Object.values(routes), `${routes.authorization}/:uid`]) {
      inner.all(path, { bodyLimit: 57_344 }, async (request, reply) => {
        if (!allowsOAuth(context.publicUrl())) throw new AppError("not_found");
        const isBrowser = path.startsWith(routes.authorization);
        const session = isBrowser ? await findWebSession(request, context, cookies) : undefined;
        if (isBrowser && !session) return reply.redirect(signInUrl(request.url), 303);
        if (session) addToLog(request, { organization: session.organization.id, user: session.user.id });
        const { raw } = request;
        // Clients may leave out the scope; there is only one.
        if (isBrowser && request.method === "GET" && !queryOf(request.url).has("scope")) {
          raw.url = `${request.url}${request.url.includes("?") ? "&" : "?"}scope=${oauthScope}`;
        }
        // The library makes URLs of these headers, and cookies Secure: both are as the public URL says, whatever a proxy says.
        const { protocol, host } = new URL(context.publicUrl());
        Object.assign(raw.headers, { "x-forwarded-proto": protocol.slice(0, -1), "x-forwarded-host": host });
        const oauth = await server();
        reply.hijack();
        for (const [name, value] of Object.entries(reply.getHeaders())) {
          if (value !== undefined) reply.raw.setHeader(name, value);
        }
        // The library lets pages of other origins read its metadata, unless a header of CORS is there already.
        reply.raw.setHeader("access-control-max-age", "0");
        await oauth.handle(session ? accountOf(session.user) : "", raw, reply.raw);
        return reply;
      });
    }
  });
  return [assistantPage(context, server)];
}

/** What a user of the assistant page allows or refuses. */
function assistantPage({ now }: WebContext, server: () => Promise<OAuthServer>): Page {
  const findRequest = async ({ user, t }: WebSession, { params }: PageRequest) => {
    const request = await (await server()).findRequest(user, params.uid ?? "");
    return orNotFound(request, t("assistants.gone"));
  };
  const continueTo = ({ t }: WebSession, url: string, host: string): PageContent => ({
    title: t("assistants.continue"),
    continueTo: url,
    body: html`<p><a class="button" href="${url}">${t("assistants.continueTo", { host })}</a></p>`,
  });
  return {
    path: `${webPaths.assistant}/:uid`,
    role: "viewer",
    async show(session, pageRequest) {
      const { organization, user, t } = session;
      const { name, host } = await findRequest(session, pageRequest);

      const client = name === "" ? host : name;
      const body = html`<div class="card">
<p>${t("assistants.reads", { client: isolate(client), organization: isolate(organization.name) })}</p>
<p>${t("assistants.sends", { host, email: user.email })}</p>
<div class="row">${actionForm(session, "allow", html`<button>${t("assistants.allow")}</button>`)}
${actionForm(session, "refuse", html`<button class="second">${t("assistants.refuse")}</button>`)}</div></div>`;
      return { title: t("assistants.title", { client: isolate(client) }), body };
    },
    actions: {
      async allow(actor, _form, pageRequest) {
        const request = await findRequest(actor, pageRequest);
        const { user } = actor;
        const client = `${request.name} (${request.host})`.trim();
        const url = await (await server()).answer(user, request, (hash) =>
          actor.transaction(
            async (scope) => {
              await deleteExpiredSessions(scope, now());
              await insertSession(scope, user, { hash, client, now: now() });
            },
            ["session.start", client],
          ),
        );
        return continueTo(actor, url, request.host);
      },
      async refuse(actor, _form, pageRequest) {
        const request = await findRequest(actor, pageRequest);
        return continueTo(actor, await (await server()).answer(actor.user, request), request.host);
      },
    },
  };
}
