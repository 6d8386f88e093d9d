// What the forms of guests have in common: a CSRF token of the browser, and attempts that are limited.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, type ErrorCode, errors } from "../../../errors.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import { localeOf } from "../../../locale/locale.ts";
import { bodyLimits } from "../../request/body-limits.ts";
import type { GuestRequest, SignInContext } from "../frame/begin-session.ts";
import { checkCsrf, csrfTokenOf } from "../frame/csrf.ts";
import { messageOf, setRetryAfter } from "../frame/error-page.ts";
import { sendPage } from "../frame/layout.ts";
import { readForm } from "../frame/read-form.ts";
import { actionForm } from "../ui/forms/form.ts";

/** Why a form of a guest was rejected. */
export interface Rejected {
  code: ErrorCode;
  problem: string;
  /** What was sent. */
  form: URLSearchParams;
}

export const guestOf = (
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
): GuestRequest => ({ ...context, ...localeOf(request), request, reply });

/** @throws AppError `forbidden` if the form is not from this service */
export function readGuestForm(guest: GuestRequest): URLSearchParams {
  const { request, cookies, publicUrl } = guest;
  const form = readForm(guest, request);
  checkCsrf(request, form, { cookie: cookies.read(request, "guest"), publicUrl, locale: guest });
  return form;
}

/** @throws AppError `too_many_requests` */
export function startAttempt(
  { request, reply, attemptLimit, t, format }: GuestRequest,
  account: string,
  isKnownDevice = false,
): Exclude<ReturnType<SignInContext["attemptLimit"]["startSignIn"]>, number> {
  const attempt = attemptLimit.startSignIn(account, request.ip, isKnownDevice);
  if (typeof attempt !== "number") return attempt;
  reply.header("retry-after", String(Math.ceil(attempt / 1000)));
  throw new AppError(
    "too_many_requests",
    t("signIn.tooManyAttempts", { wait: format.relativeTime(attempt) }),
  );
}

/** Attributes of an input for the email that a guest signs in with. */
export const emailInput = html` type="email" maxlength="254" autocomplete="username" required`;

/** What a page for guests is made of. */
interface GuestPage {
  title: string;
  lead?: string;
  notice?: string | undefined;
  /** The status; 200 by default. */
  code?: ErrorCode;
  problem?: string | undefined;
}

/** Sends a page of a card. @param below the card */
export function sendGuestPage(
  guest: GuestRequest,
  { code, ...page }: GuestPage,
  card: HtmlValue,
  below?: HtmlValue,
): FastifyReply {
  const { reply } = guest;
  if (code) setRetryAfter(reply, code);
  const body = html`<div class="card">${card}</div>
${below}`;
  return sendPage(reply, { ...page, body, status: code && errors[code].status }, { context: guest });
}

/** Sends a page with a form. @param fields with the button, which the form ends with */
export function sendGuestForm(
  guest: GuestRequest,
  { action, below, ...page }: GuestPage & { action: string; below?: HtmlValue },
  ...fields: HtmlValue[]
): FastifyReply {
  return sendGuestPage(guest, page, guestForm(guest, action, ...fields), below);
}

/** Sends a page with a sentence and a link. */
export function sendGuestMessage(
  guest: GuestRequest,
  page: GuestPage,
  { text, url, label }: { text: string; url: string; label: string },
): FastifyReply {
  return sendGuestPage(
    guest,
    page,
    html`<p>${text}</p>
<p><a class="button" href="${url}">${label}</a></p>`,
  );
}

export function guestForm(
  { request, reply, cookies }: GuestRequest,
  action: string,
  ...content: HtmlValue[]
): Html {
  return actionForm({ csrfToken: csrfTokenOf(cookies.guestSecret(request, reply)) }, action, ...content);
}

interface GuestForm {
  show(guest: GuestRequest, rejected?: Rejected): FastifyReply | Promise<FastifyReply>;
  /** An AppError shows the form again. */
  submit(guest: GuestRequest): FastifyReply | Promise<FastifyReply>;
}

/** Adds the routes of a form for guests. */
export function addGuestForm(
  scope: FastifyInstance,
  context: SignInContext,
  path: string,
  { show, submit }: GuestForm,
): void {
  scope.get(path, async (request, reply) => show(guestOf(context, request, reply)));
  scope.post(path, { bodyLimit: bodyLimits.webForm }, async (request, reply) => {
    const guest = guestOf(context, request, reply);
    try {
      return await submit(guest);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "forbidden") throw error;
      const form = readForm(guest, request);
      return show(guest, { code: error.code, problem: messageOf(error, guest), form });
    }
  });
}
