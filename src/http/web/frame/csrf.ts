// CSRF protection: a token in every form, bound to the session by an HMAC, and a check of where the form came from.

import { createHmac } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { constantTimeEqual } from "../../../access/constant-time-equal.ts";
import { AppError } from "../../../errors.ts";
import type { Locale } from "../../../locale/locale.ts";
import { isSameOrigin } from "../../request/same-origin.ts";
import { csrfField } from "../ui/forms/form.ts";

/** The CSRF token of all forms in one browser. @param cookie the secret in the browser's session or guest cookie */
export function csrfTokenOf(cookie: string): string {
  return createHmac("sha256", cookie).update("form token").digest("base64url");
}

/**
 * Accepts a form only if it was sent from one of our pages, by the browser that loaded the page.
 *
 * @param options the secret in the browser's cookie, the service's base URL, and the locale of the error
 * @throws AppError `forbidden` if the token or the origin is wrong
 */
export function checkCsrf(
  request: FastifyRequest,
  form: URLSearchParams,
  { cookie, publicUrl, locale }: { cookie: string; publicUrl: () => string; locale: Locale },
): void {
  const isValid = constantTimeEqual(form.get(csrfField) ?? "", csrfTokenOf(cookie));
  if (isValid && cookie !== "" && isSameOrigin(request, publicUrl())) return;
  throw new AppError("forbidden", locale.t("ui.csrfFailed"));
}
