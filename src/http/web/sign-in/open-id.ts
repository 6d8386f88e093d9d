// Signing in with the account of a company, by OpenID Connect: whoever the provider has verified, and who may sign in here.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type ErrorCode, errors } from "../../../errors.ts";
import type { Queries } from "../../../storage/database.ts";
import { findUser, findUsersByEmail, normalizeEmail } from "../../../storage/users.ts";
import { html } from "../../html.ts";
import { sendPage } from "../ui/layout.ts";
import type { OpenIdSettings } from "../web-context.ts";
import { beginSession, type Entrance, ownAddress } from "./begin-session.ts";
import { factsOf, isProviderFailure, OpenIdProvider, type Question } from "./open-id-provider.ts";

const path = "/sign-in/open-id";

/** Under it the provider sends people back; the provider has to know it. */
const callbackPath = `${path}/callback`;

export function addOpenId(scope: FastifyInstance, entrance: Entrance, settings: OpenIdSettings): void {
  const provider = new OpenIdProvider(settings);
  const { door, cookies } = entrance;
  const callbackUrl = () => door.publicUrl() + callbackPath;

  // A link leads here and no form: a page's forms may not lead elsewhere, not even by a redirection.
  scope.get(path, async (request, reply) => {
    try {
      const { url, question } = await provider.ask(callbackUrl());
      const to = ownAddress(queryOf(request).get("to") ?? "/");
      cookies.write(reply, "openId", packed({ ...question, to: to.length > 1_000 ? "/" : to }));
      return reply.redirect(url.href, 303);
    } catch (error) {
      return sendFailure(request, reply, entrance, error);
    }
  });

  scope.get(callbackPath, async (request, reply) => {
    const asked = unpacked(cookies.read(request, "openId"));
    cookies.clear(reply, "openId");
    if (!asked) return sendRefusal(reply, "It was begun in another browser, or more than ten minutes ago.");
    let email: string | undefined;
    try {
      email = await provider.emailIn(new URL(`${callbackUrl()}?${queryOf(request)}`), asked);
    } catch (error) {
      return sendFailure(request, reply, entrance, error);
    }
    const isIn = email !== undefined && (await admit(request, reply, entrance, normalizeEmail(email)));
    if (isIn) return reply.redirect(asked.to, 303);
    const reason = email === undefined ? "no verified email" : "no user has this email";
    door.log.warn({ request_id: request.id, reason }, "signing in by OpenID was refused");
    return sendRefusal(
      reply,
      email === undefined
        ? "Your company account has no email address that was verified."
        : "Nobody has added you here. Ask an admin of your organization to add the email address of your company account.",
    );
  });
}

async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  entrance: Entrance,
  email: string,
): Promise<boolean> {
  const [found, other] = await entrance.door.database.query((queries) => findUsersByEmail(queries, email));
  // Two were added at the same moment: which one is meant cannot be told.
  if (!found || other) return false;
  const { organizationId, id } = found.user;
  const isThere = async (queries: Queries) => (await findUser(queries, organizationId, id)) !== undefined;
  return beginSession(request, reply, entrance, found.user, isThere);
}

function queryOf({ url }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(url.split("?").slice(1).join("?"));
}

type OpenIdRequest = Question & { to: string };

function packed(asked: OpenIdRequest): string {
  return Buffer.from(JSON.stringify(asked)).toString("base64url");
}

function unpacked(cookie: string): OpenIdRequest | undefined {
  try {
    const { state, nonce, verifier, to } = JSON.parse(Buffer.from(cookie, "base64url").toString("utf8"));
    const isWhole = [state, nonce, verifier, to].every((each) => typeof each === "string" && each !== "");
    return isWhole ? { state, nonce, verifier, to: ownAddress(to) } : undefined;
  } catch {
    return undefined;
  }
}

function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  { door: { log } }: Entrance,
  error: unknown,
): FastifyReply {
  const facts = { request_id: request.id, ...factsOf(error) };
  if (!isProviderFailure(error)) {
    log.warn(facts, "signing in by OpenID was refused");
    return sendRefusal(reply, "It was broken off, or the answer of your company's sign-in was not valid.");
  }
  log.error(facts, "the OpenID provider cannot be used");
  reply.header("retry-after", "30");
  return send(
    reply,
    "unavailable",
    "The sign-in of your company does not answer as it should. Try again shortly.",
  );
}

function sendRefusal(reply: FastifyReply, why: string): FastifyReply {
  return send(reply, "forbidden", why);
}

function send(reply: FastifyReply, code: ErrorCode, why: string): FastifyReply {
  const body = html`<p>${why}</p>
<p><a href="/sign-in">To the sign-in page</a></p>`;
  const { status } = errors[code];
  return sendPage(reply, { title: "You could not be signed in", body, status }, { path });
}
