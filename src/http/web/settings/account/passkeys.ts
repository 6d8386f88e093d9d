// The page of passkeys at `/settings/account/passkeys`: adding one, with a name, and removing it.

import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { challengeTime, makeChallenge } from "../../../../access/passkey-challenge.ts";
import { minuteMs } from "../../../../campaign/calendar/durations.ts";
import { quoteName } from "../../../../campaign/fields/names.ts";
import { AppError } from "../../../../errors.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { paths } from "../../../../paths.ts";
import { addPasskey, deletePasskeys, findPasskey, listPasskeys } from "../../../../storage/users/passkeys.ts";
import { findPasswordHash } from "../../../../storage/users/passwords.ts";
import { listSessions } from "../../../../storage/users/sessions.ts";
import type { AttemptLimit } from "../../frame/attempt-limit.ts";
import { breadcrumb } from "../../frame/layout.ts";
import type { Action, Actor, Page, PageRequest, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { findRelyingParty, handleOf, parseCredential } from "../../sign-in/relying-party.ts";
import { hiddenField, inputField, nameInput, submittedOf } from "../../ui/forms/field.ts";
import { actionForm, readField, readName } from "../../ui/forms/form.ts";
import { recordTable } from "../../ui/lists/table.ts";
import { moment } from "../../ui/numbers/moment.ts";
import { checkCurrentPassword, currentPasswordField } from "./current-password.ts";

const path = paths.web.passkeys;
const maxPasskeys = 20;
/** Users without a password need no other confirmation for this long after signing in. */
const confirmedMs = 10 * minuteMs;

type Passkeys = Awaited<ReturnType<typeof listPasskeys>>;

export function passkeysPage(context: WebContext, attemptLimit: AttemptLimit): Page {
  const { database, publicUrl } = context;
  return {
    path,
    role: "viewer",
    async show(session, request) {
      const { t } = session.locale;
      const all = await database.queryOf(session.user.organizationId, (scope) =>
        listPasskeys(scope, session.user),
      );
      const add = findRelyingParty(publicUrl())
        ? startForm(session, request)
        : html`<p>${t("passkeys.needsHost")}</p>`;
      const body = html`<section class="card"><p>${t("passkeys.intro")}</p>${all.length > 0 && passkeysTable(session, all, context.now())}</section>
<section class="card"><h2>${t("passkeys.add")}</h2>${add}</section>`;
      return { title: t("passkeys.title"), breadcrumb: toAccount(session.locale), body };
    },
    actions: {
      start: startAction(context, attemptLimit),
      add: addAction(context),
      remove: removeAction(context, attemptLimit),
    },
  };
}

const toAccount = (locale: Locale) =>
  breadcrumb(locale, [{ url: paths.web.account, name: locale.t("pages.account") }]);

function startForm(session: WebSession, request: PageRequest): Html {
  const { t } = session.locale;
  const submitted = submittedOf(request, "start");
  const field = { name: "name", label: t("passkeys.name"), hint: t("passkeys.nameHint"), value: "" };
  return actionForm(
    session,
    { action: "start" },
    inputField(submitted, field, nameInput),
    session.user.hasPassword && currentPasswordField(session.locale, submitted.problem),
    html`<p><button>${t("passkeys.continue")}</button></p>`,
  );
}

function passkeysTable(session: WebSession, all: Passkeys, now: number): Html {
  const { locale, organization } = session;
  const { t } = locale;
  const time = (at: number) => moment(locale, at, { now, timeZone: organization.timeZone });
  const rows = all.map(({ id, name, createdAt, lastUsedAt }) => [
    name,
    time(createdAt),
    lastUsedAt === null ? t("keys.notUsedYet") : time(lastUsedAt),
    html`<details name="passkey"><summary>${t("passkeys.remove")}<span class="visually-hidden"> ${name}</span></summary>${actionForm(
      session,
      { action: "remove" },
      hiddenField("passkey", id),
      session.user.hasPassword && currentPasswordField(session.locale, undefined, `password_${id}`),
      html`<button class="danger" aria-label="${t("passkeys.removeNamed", { name })}">${t("passkeys.remove")}</button>`,
    )}</details>`,
  ]);
  const headers = [t("passkeys.name"), t("keys.created"), t("keys.lastUsed"), t("passkeys.remove")];
  return recordTable(t("passkeys.title"), headers, rows, { hidesCaption: true });
}

/** The session signs, so that a passkey is added only where the password was typed. */
const keyOf = ({ organization, hash }: WebSession) => ({
  secret: organization.secret,
  purpose: `add\n${hash}`,
});

/**
 * Makes sure that the user is at the browser.
 *
 * @throws AppError `bad_request` if the password is wrong, `forbidden` if a user without one signed in too long ago
 */
async function confirmUser(
  { database, now }: WebContext,
  attemptLimit: AttemptLimit,
  actor: Actor,
  password: string | null,
): Promise<void> {
  const { user, locale } = actor;
  const { current, sessions } = await database.queryOf(user.organizationId, async (scope) => ({
    current: await findPasswordHash(scope, user),
    sessions: await listSessions(scope, now()),
  }));
  if (current !== undefined) return checkCurrentPassword(attemptLimit, actor, password ?? "", current);
  const session = sessions.find(({ hash }) => hash === actor.hash);
  if (session && session.createdAt > now() - confirmedMs) return;
  throw new AppError("forbidden", locale.t("passkeys.signInAgain"));
}

function startAction(context: WebContext, attemptLimit: AttemptLimit): Action {
  const { database, publicUrl, now } = context;
  return async (actor, form) => {
    const { user, organization, locale } = actor;
    const { t } = locale;
    const party = findRelyingParty(publicUrl());
    if (!party) throw new AppError("conflict", t("passkeys.needsHost"));
    const name = readName(locale, form, t("passkeys.name"));
    await confirmUser(context, attemptLimit, actor, form.get("password"));
    const all = await database.queryOf(user.organizationId, (scope) => listPasskeys(scope, user));
    const { generateRegistrationOptions } = await import("@simplewebauthn/server");
    const options = await generateRegistrationOptions({
      rpID: party.id,
      rpName: organization.name,
      userName: user.email,
      userID: handleOf(user),
      challenge: makeChallenge(now(), keyOf(actor)),
      excludeCredentials: all.map(({ id }) => ({ id })),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    const body = html`<section class="card"><p>${t("passkeys.deviceAsks")}</p>
<div data-passkey="" data-options="${JSON.stringify(options)}" data-failed="${t("passkeys.notCreated")}" hidden>
${actionForm(
  actor,
  { action: "add", to: path },
  html`${hiddenField("name", name)}<input type="hidden" name="credential">
<button>${t("passkeys.create")}</button>`,
)}<p class="problem small" role="alert" hidden></p></div>
<noscript><p>${t("passkeys.needsScript")}</p></noscript></section>`;
    return { title: t("passkeys.add"), breadcrumb: toAccount(locale), body };
  };
}

function addAction({ publicUrl, now }: WebContext): Action {
  return async (actor, form) => {
    const { user, locale } = actor;
    const { t } = locale;
    const name = readName(locale, form, t("passkeys.name"));
    const party = findRelyingParty(publicUrl());
    const response = parseCredential<RegistrationResponseJSON>(form.get("credential") ?? "");
    const refused = () => new AppError("bad_request", t("passkeys.notAdded"));
    if (!party || !response) throw refused();
    let challengedAt = 0;
    const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
    const verified = await verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => {
        challengedAt = challengeTime(challenge, now(), keyOf(actor)) ?? 0;
        return challengedAt > 0;
      },
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    }).catch(() => undefined);
    if (!verified?.verified) throw refused();
    const { id, publicKey, counter } = verified.registrationInfo.credential;
    await actor.transaction(async (scope) => {
      const all = await listPasskeys(scope, user);
      // Each challenge adds one, so that each is confirmed.
      if (all.some(({ createdAt }) => createdAt >= challengedAt)) throw refused();
      if (all.length >= maxPasskeys)
        throw new AppError("conflict", t("passkeys.tooMany", { max: maxPasskeys }));
      const passkey = { id, name, publicKey, counter, createdAt: now() };
      if (!(await addPasskey(scope, user, passkey))) throw refused();
      await actor.record(scope, "passkey.add", name);
    });
    return { notice: t("passkeys.added", { name: quoteName(name) }), redirectTo: path };
  };
}

function removeAction(context: WebContext, attemptLimit: AttemptLimit): Action {
  return async (actor, form) => {
    const { user, locale } = actor;
    const { t } = locale;
    const id = readField(locale, form, "passkey");
    await confirmUser(context, attemptLimit, actor, form.get(`password_${id}`));
    const { name } = await actor.transaction(async (scope) => {
      const passkey = await findPasskey(scope, user, id);
      if (!passkey) throw new AppError("not_found", t("passkeys.notFound"));
      await deletePasskeys(scope, user, id);
      await actor.record(scope, "passkey.delete", passkey.name);
      return passkey;
    });
    return { notice: t("passkeys.removed", { name: quoteName(name) }), redirectTo: path };
  };
}
