// Sign-in with a company account (OpenID Connect). Only users that an admin has added may sign in.

import type { FastifyInstance, FastifyReply } from "fastify";
import { normalizeEmail } from "../../../access/email.ts";
import type { ErrorCode } from "../../../errors.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findUser, findUserByEmail } from "../../../storage/users/users.ts";
import { queryOf } from "../../request/url.ts";
import {
  beginSession,
  type GuestRequest,
  type SignInContext,
  safeRedirectPath,
} from "../frame/begin-session.ts";
import type { OpenIdSettings } from "../frame/web-context.ts";
import { guestOf, sendGuestMessage } from "./guest-form.ts";
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
      return sendFailure(guestOf(context, request, reply), error);
    }
  });

  scope.get(callbackPath, async (request, reply) => {
    const guest = guestOf(context, request, reply);
    const { t } = guest;
    const pending = decode(cookies.read(request, "openId"));
    cookies.clear(reply, "openId");
    if (!pending) return sendMessage(guest, "forbidden", t("signIn.openIdExpired"));
    let email: string | undefined;
    try {
      email = await provider.verifiedEmail(new URL(`${callbackUrl()}?${queryOf(request.url)}`), pending);
    } catch (error) {
      return sendFailure(guest, error);
    }
    const found =
      email === undefined
        ? undefined
        : await context.database.query((queries) => findUserByEmail(queries, normalizeEmail(email)));
    // An admin may have removed the user meanwhile.
    const exists = async (scope: Scope) => (await findUser(scope, found?.user.id ?? 0)) !== undefined;
    if (found && (await beginSession(guest, found.user, exists))) {
      return reply.redirect(pending.to, 303);
    }
    const reason = email === undefined ? "no verified email" : "no user has this email";
    log.warn({ request_id: request.id, reason }, "signing in by OpenID was refused");
    return sendMessage(
      guest,
      "forbidden",
      email === undefined ? t("signIn.openIdNoEmail") : t("signIn.openIdUnknownUser"),
    );
  });
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

function sendFailure(guest: GuestRequest, error: unknown): FastifyReply {
  const { request, reply, log, t } = guest;
  const fields = { request_id: request.id, ...loggableFields(error) };
  if (!isProviderFailure(error)) {
    log.warn(fields, "signing in by OpenID was refused");
    return sendMessage(guest, "forbidden", t("signIn.openIdInvalid"));
  }
  log.error(fields, "the OpenID provider cannot be used");
  reply.header("retry-after", "30");
  return sendMessage(guest, "unavailable", t("signIn.openIdUnavailable"));
}

function sendMessage(guest: GuestRequest, code: ErrorCode, text: string): FastifyReply {
  const { t } = guest;
  return sendGuestMessage(
    guest,
    { title: t("signIn.failedTitle"), code },
    { text, url: "/sign-in", label: t("signIn.backToSignIn") },
  );
}
