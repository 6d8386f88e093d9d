// What the forms of guests have in common: a CSRF token of the browser, and attempts that are limited.

import type { FastifyReply, FastifyRequest } from "fastify";
import { type ErrorCode, errors } from "../../../errors.ts";
import type { Html, HtmlValue } from "../../../locale/html.ts";
import { type Locale, localeOf } from "../../../locale/locale.ts";
import type { SignInContext } from "../frame/begin-session.ts";
import { checkCsrf, csrfTokenOf } from "../frame/csrf.ts";
import { sendPage } from "../frame/layout.ts";
import { readForm } from "../frame/read-form.ts";
import { actionForm } from "../ui/forms/form.ts";

/** Why a form of a guest was rejected. */
export interface Rejected {
  code: ErrorCode;
  problem: string;
}

export function guestForm(
  { request, reply, context: { cookies } }: GuestRequest,
  action: string,
  ...content: HtmlValue[]
): Html {
  const csrfToken = csrfTokenOf(cookies.guestSecret(request, reply));
  return actionForm({ csrfToken }, { action }, ...content);
}

export interface GuestRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  context: SignInContext;
}

/** @throws AppError `forbidden` if the form is not from this service */
export function readGuestForm({ request, context }: Omit<GuestRequest, "reply">): {
  locale: Locale;
  form: URLSearchParams;
} {
  const { cookies, publicUrl } = context;
  const locale = localeOf(request);
  const form = readForm(locale, request);
  checkCsrf(request, form, { cookie: cookies.read(request, "guest"), publicUrl, locale });
  return { locale, form };
}

/** @param wait in milliseconds */
export function tooManyAttempts(reply: FastifyReply, { t, format }: Locale, wait: number): Rejected {
  reply.header("retry-after", String(Math.ceil(wait / 1000)));
  return {
    code: "too_many_requests",
    problem: t("signIn.tooManyAttempts", { wait: format.relativeTime(wait) }),
  };
}

/** @param rejected sets the status, and shows the problem */
export function sendGuestPage(
  reply: FastifyReply,
  context: SignInContext,
  { code, ...options }: Omit<Parameters<typeof sendPage>[1], "status"> & { code?: ErrorCode | undefined },
): FastifyReply {
  return sendPage(reply, { ...options, status: code && errors[code].status }, { context });
}
