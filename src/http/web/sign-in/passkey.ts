// Sign-in with a passkey (WebAuthn): a discoverable credential that verifies the user, which replaces password and code.

import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { challengeTime, makeChallenge } from "../../../access/passkey-challenge.ts";
import { AppError } from "../../../errors.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { paths } from "../../../paths.ts";
import { listOrganizations } from "../../../storage/organizations/organizations.ts";
import type { Queries } from "../../../storage/queries/queries.ts";
import { findPasskey, savePasskey } from "../../../storage/users/passkeys.ts";
import { findUser } from "../../../storage/users/users.ts";
import { bodyLimits } from "../../request/body-limits.ts";
import { beginSession, type SignInContext, safeRedirectPath } from "../frame/begin-session.ts";
import { hiddenField } from "../ui/forms/field.ts";
import { actionForm } from "../ui/forms/form.ts";
import { type Rejected, readGuestForm, tooManyAttempts } from "./guest-form.ts";
import { findRelyingParty, parseCredential, parseHandle } from "./relying-party.ts";

const path = paths.web.signInPasskey;

/** @param reject shows the sign-in page with a problem */
export function addPasskeySignIn(
  scope: FastifyInstance,
  context: SignInContext,
  reject: (request: FastifyRequest, reply: FastifyReply, problem: Rejected & { to: string }) => FastifyReply,
): void {
  const { cookies, database, now, publicUrl } = context;
  scope.get(path, async (request, reply) => {
    const party = findRelyingParty(publicUrl());
    const key = await database.query((queries) => keyOf(queries, cookies.guestSecret(request, reply)));
    if (!party || !key) throw new AppError("not_found");
    const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
    const options = await generateAuthenticationOptions({
      rpID: party.id,
      challenge: makeChallenge(now(), key),
      userVerification: "required",
    });
    return reply.header("cache-control", "no-store").send(options);
  });
  scope.post(path, { bodyLimit: bodyLimits.webForm }, async (request, reply) => {
    const { locale, form } = readGuestForm({ request, context });
    const to = safeRedirectPath(form.get("to") ?? "/");
    const problem = await signIn(request, reply, context, {
      credential: form.get("credential") ?? "",
      locale,
    });
    return problem ? reject(request, reply, { ...problem, to }) : reply.redirect(to, 303);
  });
}

/** The button, which the script shows where the browser knows passkeys. Undefined if the service's URL is an IP address. */
export function passkeyButton(
  { t }: Locale,
  { csrfToken, publicUrl, to }: { csrfToken: string; publicUrl: string; to: string },
): Html | undefined {
  if (!findRelyingParty(publicUrl)) return undefined;
  return html`<div data-passkey="${path}" data-failed="${t("passkeys.notUsed")}" hidden><p class="or">${t("signIn.or")}</p>
${actionForm(
  { csrfToken },
  { action: "passkey", to: path },
  html`${hiddenField("to", to)}<input type="hidden" name="credential">
<button class="second">${t("passkeys.signIn")}</button>`,
)}<p class="problem small" role="alert" hidden></p></div>`;
}

/** Before sign-in the organization is unknown, so the secret of the first one signs. The browser's secret is part of it. */
async function keyOf(queries: Queries, guest: string) {
  const [first] = await listOrganizations(queries);
  return first && { secret: first.secret, purpose: `sign-in\n${guest}` };
}

/** @returns why it was refused */
async function signIn(
  request: FastifyRequest,
  reply: FastifyReply,
  context: SignInContext,
  { credential, locale }: { credential: string; locale: Locale },
): Promise<Rejected | undefined> {
  const { attemptLimit, cookies, database, now, publicUrl } = context;
  const refused = { code: "unauthorized", problem: locale.t("passkeys.refused") } as const;
  const response = parseCredential<AuthenticationResponseJSON>(credential);
  const named = response && parseHandle(response.response.userHandle);
  const party = findRelyingParty(publicUrl());
  if (!response || !named || !party) return refused;
  const attempt = attemptLimit.startSignIn(`passkey ${named.organizationId}.${named.id}`, request.ip);
  if (typeof attempt === "number") return tooManyAttempts(reply, locale, attempt);
  const { user, passkey, key } = await database.queryOf(named.organizationId, async (scope) => ({
    user: await findUser(scope, named.id),
    passkey: await findPasskey(scope, named, response.id),
    key: await keyOf(scope.queries, cookies.read(request, "guest")),
  }));
  if (!user || !passkey || !key) return refused;
  let challengedAt = 0;
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => {
      challengedAt = challengeTime(challenge, now(), key) ?? 0;
      return challengedAt > 0;
    },
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id: passkey.id, publicKey: passkey.publicKey, counter: passkey.counter },
    requireUserVerification: true,
  }).catch(() => undefined);
  if (!verified?.verified) return refused;
  const { newCounter } = verified.authenticationInfo;
  const isSignedIn = await beginSession(request, reply, context, user, async (scope) => {
    const current = await findPasskey(scope, user, passkey.id);
    // It may have been removed, or used with this challenge, since it was read.
    if (!current || current.counter !== passkey.counter || challengedAt <= current.challengedAt) return false;
    const used = { ...current, counter: newCounter, lastUsedAt: now(), challengedAt };
    await savePasskey(scope, used);
    return true;
  });
  if (!isSignedIn) return refused;
  attempt.succeeded();
  return undefined;
}
