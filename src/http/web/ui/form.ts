// Forms of the web application: how they are made, with the token that shows that they come from its own pages, and read.

import { createHmac, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { quote } from "../../../campaign/quote.ts";
import { AppError } from "../../../errors.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { mediaTypeOf } from "../../request-body.ts";

const fieldsMax = 100;
const fieldLengthMax = 4_000;

/** Under this name a form carries its token. */
const tokenName = "form_token";

/** The token of all forms in a browser, which nobody else can make. @param cookie the secret that the browser was given */
export function csrfTokenOf(cookie: string): string {
  return createHmac("sha256", cookie).update("form token").digest("base64url");
}

/**
 * A form that does something.
 *
 * @param action its name among those of the page
 * @param to the address of the page; that of the page on which it stands where there is none
 */
export function actionForm(
  { formToken }: { formToken: string },
  { action, to, className }: { action: string; to?: string; className?: string },
  ...content: HtmlValue[]
): Html {
  const target = to !== undefined && html` action="${to}"`;
  const kind = className !== undefined && html` class="${className}"`;
  return html`<form method="post"${target}${kind}>
<input type="hidden" name="${tokenName}" value="${formToken}">
<input type="hidden" name="action" value="${action}">
${content}
</form>`;
}

/**
 * Reads a form that was sent.
 *
 * @throws Refusal where the body is no form, or has more in it than any form of ours
 */
export function readForm(request: FastifyRequest): URLSearchParams {
  mediaTypeOf(request, ["application/x-www-form-urlencoded"]);
  const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
  const entries = [...new URLSearchParams(body.toString("utf8"))];
  // Whoever asks for a field looks through all of them.
  if (entries.length > fieldsMax) {
    throw new AppError(
      "bad_request",
      `The form has ${entries.length} fields; up to ${fieldsMax} are accepted.`,
    );
  }
  return new URLSearchParams(
    entries.map(([name, value]) => [name, value.replaceAll("\r\n", "\n").replaceAll("\0", "")]),
  );
}

/**
 * A form counts only where it comes from a page of ours in the same browser.
 *
 * @param sent the secret that the browser sent along, and where people reach the service
 * @throws Refusal `forbidden`
 */
export function checkCsrf(
  request: FastifyRequest,
  form: URLSearchParams,
  { cookie, publicUrl }: { cookie: string; publicUrl: () => string },
): void {
  const { origin, host, "sec-fetch-site": site } = request.headers;
  // A proxy may have put its own name in place of the host, or left the port out.
  const hosts = [host, new URL(publicUrl()).host];
  const isFromHere = origin === undefined || (URL.canParse(origin) && hosts.includes(new URL(origin).host));
  // Browsers say it themselves, but over plain HTTP.
  const isOurs = site === undefined ? isFromHere : site === "same-origin" || site === "none";
  const given = Buffer.from(form.get(tokenName) ?? "");
  const wanted = Buffer.from(csrfTokenOf(cookie));
  const isKnown = given.length === wanted.length && timingSafeEqual(given, wanted);
  if (isOurs && isKnown && cookie !== "") return;
  throw new AppError(
    "forbidden",
    "This form was not sent from a page of this application, or the page is too old. Go back to it, load it again, and send the form once more.",
  );
}

/**
 * What a field shows, sent along with the form: who leaves it as it was changes nothing of it, whatever others have changed
 * since the page was shown.
 */
export function asShown(name: string, value: string, sent?: URLSearchParams): Html {
  const shown = `shown_${name}`;
  return html`<input type="hidden" name="${shown}" value="${sent?.get(shown) ?? value}">`;
}

/** Whether a field came back as {@link asShown} has it. */
export function isLeft(form: URLSearchParams, name: string): boolean {
  const shown = form.get(`shown_${name}`);
  return shown !== null && shown === form.get(name);
}

/**
 * What was typed in, without blanks around it; empty where nothing was.
 *
 * @throws Refusal where it is longer than anything that is typed in: to normalize it could take seconds
 */
export function fieldOf(form: URLSearchParams, name: string): string {
  const text = form.get(name) ?? "";
  if (text.length > fieldLengthMax) {
    const problem = `has ${text.length} characters; up to ${fieldLengthMax} are accepted`;
    throw new AppError("bad_request", `${name}: ${problem}.`);
  }
  return text.trim().toWellFormed().normalize("NFC");
}

/**
 * Refuses what was typed into a field, which shows it then: the message begins with its label.
 *
 * @param accepted what would be, in words that follow "is not"
 * @throws Refusal
 */
export function refuseField(label: string, given: string, accepted: string): never {
  throw new AppError("bad_request", `${label}: ${visible(quote(given))} is not ${accepted}.`);
}

/** Marks that turn the direction of writing are shown as `\u202e`, say: they would turn the words around them. */
function visible(text: string): string {
  return text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);
}
