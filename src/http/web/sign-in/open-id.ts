// Sign-in with a company account (OpenID Connect). Only users that an admin has added may sign in.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { normalizeEmail } from "../../../access/email.ts";
import type { ErrorCode } from "../../../errors.ts";
import { html } from "../../../locale/html.ts";
import { localeOf } from "../../../locale/locale.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findUser, findUserByEmail, type User } from "../../../storage/users/users.ts";
import { queryOf } from "../../request/url.ts";
import { beginSession, type SignInContext, safeRedirectPath } from "../frame/begin-session.ts";
import type { OpenIdSettings } from "../frame/web-context.ts";
import { sendGuestPage } from "./guest-form.ts";
import {
  type AuthorizationRequest,
  isProviderFailure,
  loggableFields,
  OpenIdProvider,
} from "./open-id-provider.ts";

const path = "/sign-in/open-id";

/** The redirect URI, which has to be registered with the provider. */
const callbackPath = `${path}/callback`;

export function addOpenId(scope: FastifyInstance, context: SignInContext, settings: OpenIdSettings): void {
  const provider = new OpenIdProvider(settings);
  const { cookies, log } = context;
  const callbackUrl = () => context.publicUrl() + callbackPath;

  // Reached by a link, not a form: the CSP directive form-action also forbids redirects to other sites.
  scope.get(path, async (request, reply) => {
    try {
      const { url, request: authorization } = await provider.authorizationUrl(callbackUrl());
      const to = safeRedirectPath(queryOf(request.url).get("to") ?? "/");
      cookies.write(reply, "openId", encode({ ...authorization, to: to.length > 1_000 ? "/" : to }));
      return reply.redirect(url.href, 303);
    } catch (error) {
      return sendFailure(request, reply, context, error);
    }
  });

  scope.get(callbackPath, async (request, reply) => {
    const { t } = localeOf(request);
    const pending = decode(cookies.read(request, "openId"));
    cookies.clear(reply, "openId");
    if (!pending) return sendMessage(reply, context, "forbidden", t("signIn.openIdExpired"));
    let email: string | undefined;
    try {
      email = await provider.verifiedEmail(new URL(`${callbackUrl()}?${queryOf(request.url)}`), pending);
    } catch (error) {
      return sendFailure(request, reply, context, error);
    }
    const user = email === undefined ? undefined : await findInvitedUser(context, normalizeEmail(email));
    if (user && (await beginUserSession(request, reply, context, user))) {
      return reply.redirect(pending.to, 303);
    }
    const reason = email === undefined ? "no verified email" : "no user has this email";
    log.warn({ request_id: request.id, reason }, "signing in by OpenID was refused");
    return sendMessage(
      reply,
      context,
      "forbidden",
      email === undefined ? t("signIn.openIdNoEmail") : t("signIn.openIdUnknownUser"),
    );
  });
}

async function findInvitedUser({ database }: SignInContext, email: string): Promise<User | undefined> {
  return (await database.query((queries) => findUserByEmail(queries, email)))?.user;
}

/** Begins a session unless the user was removed meanwhile. */
function beginUserSession(
  request: FastifyRequest,
  reply: FastifyReply,
  context: SignInContext,
  user: User,
): Promise<boolean> {
  const { id } = user;
  const exists = async (scope: Scope) => (await findUser(scope, id)) !== undefined;
  return beginSession(request, reply, context, user, exists);
}

/** A sign-in that waits for the provider's response, kept in a cookie. */
type OpenIdRequest = AuthorizationRequest & { to: string };

function encode(pending: OpenIdRequest): string {
  return Buffer.from(JSON.stringify(pending)).toString("base64url");
}

function decode(cookie: string): OpenIdRequest | undefined {
  try {
    const { state, nonce, verifier, to } = JSON.parse(Buffer.from(cookie, "base64url").toString("utf8"));
    const isComplete = [state, nonce, verifier, to].every((each) => typeof each === "string" && each !== "");
    return isComplete ? { state, nonce, verifier, to: safeRedirectPath(to) } : undefined;
  } catch {
    return undefined;
  }
}

function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  context: SignInContext,
  error: unknown,
): FastifyReply {
  const { log } = context;
  const fields = { request_id: request.id, ...loggableFields(error) };
  const { t } = localeOf(request);
  if (!isProviderFailure(error)) {
    log.warn(fields, "signing in by OpenID was refused");
    return sendMessage(reply, context, "forbidden", t("signIn.openIdInvalid"));
  }
  log.error(fields, "the OpenID provider cannot be used");
  reply.header("retry-after", "30");
  return sendMessage(reply, context, "unavailable", t("signIn.openIdUnavailable"));
}

function sendMessage(
  reply: FastifyReply,
  context: SignInContext,
  code: ErrorCode,
  message: string,
): FastifyReply {
  const { t } = localeOf(reply.request);
  const body = html`<div class="card"><p>${message}</p>
<p><a class="button" href="/sign-in">${t("signIn.backToSignIn")}</a></p></div>`;
  return sendGuestPage(reply, context, { title: t("signIn.failedTitle"), body, code });
}
