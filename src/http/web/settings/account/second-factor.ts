// The page of the second factor at `/settings/account/second-factor`: turning it on and off, and new recovery codes.

import type { AuditAction } from "../../../../access/audit-actions.ts";
import { hashRecoveryCode, newRecoveryCodes } from "../../../../access/recovery-codes.ts";
import { isTotpSecret, newTotpSecret, stepOfCode, totpUri } from "../../../../access/totp.ts";
import { AppError } from "../../../../errors.ts";
import { Html, html } from "../../../../locale/html.ts";
import { webPaths } from "../../../../paths.ts";
import {
  findSecondFactor,
  removeSecondFactor,
  type SecondFactor,
  saveSecondFactor,
} from "../../../../storage/users/second-factors.ts";
import type { AttemptLimit } from "../../frame/attempt-limit.ts";
import type { Action, Actor, Page, PageContent, PageRequest, WebSession } from "../../frame/page.ts";
import { copyable, copyableLines } from "../../ui/forms/copyable.ts";
import { hiddenField, inputField } from "../../ui/forms/field.ts";
import { actionForm, readField } from "../../ui/forms/form.ts";
import { currentPasswordField, withPassword } from "./current-password.ts";

const path = webPaths.secondFactor;

export function secondFactorPage(attemptLimit: AttemptLimit): Page {
  /** Saves a factor with new recovery codes, and shows these. @param factorOf returns the factor, or refuses */
  const saveCodes = async (
    actor: Actor,
    form: URLSearchParams,
    action: AuditAction,
    factorOf: (stored: SecondFactor | undefined) => Pick<SecondFactor, "secret" | "step">,
  ) => {
    const { user } = actor;
    const codes = newRecoveryCodes();
    const transaction = await withPassword(attemptLimit, actor, form.get("password"));
    await transaction(
      async (scope) => {
        const factor = factorOf(await findSecondFactor(scope, user));
        await saveSecondFactor(scope, user, { ...factor, recoveryHashes: codes.map(hashRecoveryCode) });
      },
      [action, user.email],
    );
    return codesPage(actor, codes);
  };
  const turnOn: Action = async (actor, form) => {
    const { t } = actor;
    const secret = form.get("secret") ?? "";
    if (!isTotpSecret(secret)) throw new AppError("bad_request", t("secondFactor.reload"));
    const step = stepOfCode(secret, readField(actor, form, "code").replaceAll(/\s/g, ""), {
      now: actor.now,
      after: 0,
    });
    if (step === undefined) {
      throw new AppError(
        "bad_request",
        t("ui.fieldProblem", { label: t("signIn.code"), problem: t("secondFactor.wrongCode") }),
      );
    }
    return saveCodes(actor, form, "second-factor.add", (stored) => {
      if (stored) throw new AppError("conflict", t("secondFactor.alreadyOn"));
      return { secret, step };
    });
  };
  const replaceCodes: Action = (actor, form) =>
    saveCodes(actor, form, "second-factor.codes", (stored) => {
      if (!stored) throw new AppError("conflict", actor.t("secondFactor.alreadyOff"));
      return stored;
    });
  const turnOff: Action = async (actor, form) => {
    const { user, t } = actor;
    const transaction = await withPassword(attemptLimit, actor, form.get("password_off"));
    await transaction((scope) => removeSecondFactor(scope, user), ["second-factor.delete", user.email]);
    return { notice: t("secondFactor.turnedOff"), redirectTo: webPaths.account };
  };
  return {
    path,
    role: "viewer",
    async show(session, request) {
      const { user, t } = session;
      const factor = await session.query((scope) => findSecondFactor(scope, user));
      const setUp = user.hasPassword ? await setUpForm(session, request) : noPasswordCard(session);
      const body = factor ? statusCards(session, request, factor.recoveryHashes.length) : setUp;
      return { title: t("secondFactor.title"), breadcrumb: toAccount(session), body };
    },
    actions: { on: turnOn, codes: replaceCodes, off: turnOff },
  };
}

const toAccount = ({ t }: WebSession) => [{ url: webPaths.account, name: t("pages.account") }];

/** Only sign-in with a password asks for a second factor. */
const noPasswordCard = ({ t }: WebSession) =>
  html`<section class="card"><p>${t("secondFactor.noPassword")}</p></section>`;

/** A new secret each time, until one is confirmed with a code. It is stored only then. */
async function setUpForm(session: WebSession, { rejected }: PageRequest): Promise<Html> {
  const { organization, user, t } = session;
  const submitted = rejected?.form.get("secret") ?? "";
  const secret = isTotpSecret(submitted) ? submitted : newTotpSecret();
  // A colon would end the issuer.
  const issuer = organization.name.replaceAll(":", " ");
  const { renderSVG } = await import("uqr");
  const picture = new Html(renderSVG(totpUri(secret, { issuer, label: user.email }), { border: 2 }));
  return html`<section class="card"><p>${t("secondFactor.intro")}</p>
<ol><li>${t("secondFactor.scan")}<div class="qr" role="img" aria-label="${t("secondFactor.qr")}">${picture}</div>
${t("secondFactor.orType")} ${copyable(session, "secret", secret, t("secondFactor.secret"))}</li>
<li>${t("secondFactor.thenType")}</li></ol>
${actionForm(
  session,
  "on",
  hiddenField("secret", secret),
  inputField(
    { problem: rejected?.problem },
    { name: "code", label: t("signIn.code") },
    html` inputmode="numeric" maxlength="10" autocomplete="one-time-code" required`,
  ),
  currentPasswordField(session, rejected?.problem),
  html`<p><button>${t("secondFactor.turnOn")}</button></p>`,
)}</section>`;
}

function statusCards(session: WebSession, { rejected }: PageRequest, left: number): Html {
  const { t } = session;
  const problemOf = (action: string) => (rejected?.action === action ? rejected.problem : undefined);
  return html`<section class="card"><p>${t("secondFactor.isOn")}</p></section>
<section class="card"><h2>${t("secondFactor.codes")}</h2><p>${t("secondFactor.codesLeft", { count: left })}</p>
${actionForm(
  session,
  "codes",
  currentPasswordField(session, problemOf("codes")),
  html`<p><button class="second">${t("secondFactor.newCodes")}</button></p>`,
)}</section>
<section class="card"><h2>${t("secondFactor.turnOff")}</h2><p>${t("secondFactor.offWarning")}</p>
${actionForm(
  session,
  "off",
  currentPasswordField(session, problemOf("off"), "password_off"),
  html`<p><button class="danger">${t("secondFactor.turnOff")}</button></p>`,
)}</section>`;
}

/** Shown once: only hashes of the codes are stored. */
function codesPage(session: WebSession, codes: readonly string[]): PageContent {
  const { t } = session;
  const body = html`<section class="card"><p class="warning" role="status">${t("secondFactor.saveCodes")}</p>
${copyableLines(session, "codes", codes.join("\n"), t("secondFactor.codes"))}
<p><a href="${webPaths.account}">${t("secondFactor.saved")}</a></p></section>`;
  return { title: t("secondFactor.codes"), breadcrumb: toAccount(session), body };
}
