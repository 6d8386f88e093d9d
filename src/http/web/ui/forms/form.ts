// Forms: rendering them with a CSRF token, and reading their fields.

import { normalizeName } from "../../../../campaign/fields/names.ts";
import { AppError } from "../../../../errors.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { quoted } from "../../../../locale/quoted.ts";

const maxFieldLength = 4_000;

/** The hidden form field that carries the CSRF token. */
export const csrfField = "form_token";

interface FormOptions {
  /** One of the page's actions. */
  action: string;
  /** The path of the page; the current page by default. */
  to?: string;
  className?: string;
  /** The form has a file, see `Page.hasUpload`. */
  hasUpload?: boolean;
}

/** Renders a form that runs an action of a page. @param form the action, if there are no other options */
export function actionForm(
  { csrfToken }: { csrfToken: string },
  form: string | FormOptions,
  ...content: HtmlValue[]
): Html {
  const { action, to, className, hasUpload }: FormOptions =
    typeof form === "string" ? { action: form } : form;
  const target = to !== undefined && html` action="${to}"`;
  const classAttribute = className !== undefined && html` class="${className}"`;
  const encoding = hasUpload && html` enctype="multipart/form-data"`;
  return html`<form method="post"${target}${classAttribute}${encoding}>
<input type="hidden" name="${csrfField}" value="${csrfToken}">
<input type="hidden" name="action" value="${action}">
${content}
</form>`;
}

/** Renders a form whose fields are beside each other, with the button at their end. */
export const fieldsForm = (session: { csrfToken: string }, action: string, ...content: HtmlValue[]): Html =>
  actionForm(session, { action, className: "fields" }, ...content);

/**
 * Renders a hidden field with the value that was shown. {@link isFieldUnedited} compares it with the submitted value, so that
 * a field the user did not edit never overwrites what another user saved meanwhile.
 */
export function originalValue(name: string, value: string, submitted?: URLSearchParams): Html {
  const original = `shown_${name}`;
  return html`<input type="hidden" name="${original}" value="${submitted?.get(original) ?? value}">`;
}

/** Whether a field came back with its {@link originalValue}. */
export function isFieldUnedited(form: URLSearchParams, name: string): boolean {
  const original = form.get(`shown_${name}`);
  return original !== null && original === form.get(name);
}

/**
 * Whether a field was edited. The form that is shown again after a conflict has the current value as original one, so sending
 * it again replaces that.
 *
 * @param current value, as {@link originalValue} would have it now
 * @throws AppError `conflict` with both values if someone else changed it since the form was shown
 */
export function isFieldEdited(
  locale: Locale,
  form: URLSearchParams,
  { name, label, current }: { name: string; label: string; current: string },
): boolean {
  if (isFieldUnedited(form, name)) return false;
  const original = `shown_${name}`;
  const [shown, value] = [form.get(original) ?? current, form.get(name) ?? ""];
  if (shown === current || value === current) return true;
  form.set(original, current);
  throw new AppError(
    "conflict",
    locale.t("ui.changedMeanwhile", {
      label,
      current: quoted(locale, current),
      value: quoted(locale, value),
    }),
  );
}

/**
 * Returns a submitted value: trimmed, well-formed and in NFC; empty if missing.
 *
 * @throws AppError `bad_request` if the value is longer than any field accepts: normalizing it could take seconds
 */
export function readField({ t }: Locale, form: URLSearchParams, name: string): string {
  const text = form.get(name) ?? "";
  if (text.length > maxFieldLength) {
    throw new AppError(
      "bad_request",
      t("ui.fieldTooLong", { name, length: text.length, max: maxFieldLength }),
    );
  }
  return text.trim().toWellFormed().normalize("NFC");
}

/** A whole number. @param options.rule what the field accepts, as the end of "… is not …" @throws AppError `bad_request` */
export function readNumber(
  locale: Locale,
  form: URLSearchParams,
  name: string,
  { label, min, max, rule }: { label: string; min: number; max: number; rule: string },
): number {
  const text = readField(locale, form, name);
  const number = Number(text);
  if (/^\d{1,15}$/.test(text) && number >= min && number <= max) return number;
  return rejectField(locale, label, text, rule);
}

/** The field `days`, from 1 on. @throws AppError `bad_request` */
export const readDays = (
  locale: Locale,
  form: URLSearchParams,
  { label, max }: { label: string; max: number },
): number =>
  readNumber(locale, form, "days", { label, min: 1, max, rule: locale.t("csvLinks.daysRule", { max }) });

/** A name. @throws AppError `bad_request` */
export function readName(locale: Locale, form: URLSearchParams, label: string, field = "name"): string {
  const text = readField(locale, form, field);
  return normalizeName(text) ?? rejectField(locale, label, text, locale.t("ui.nameRule"));
}

/** One of a few values. @throws AppError `bad_request` */
export function readOneOf<Value extends string>(
  locale: Locale,
  form: URLSearchParams,
  name: string,
  { label, values }: { label: string; values: readonly Value[] },
): Value {
  const text = readField(locale, form, name);
  const rule = locale.t("ui.oneOf", { values: values.join(", ") });
  return values.find((each) => each === text) ?? rejectField(locale, label, text, rule);
}

/**
 * Rejects the value of a field. The message starts with the label, so the form shows it at the field.
 *
 * @param accepted what the field accepts, as the end of "… is not …"
 * @throws AppError `bad_request`
 */
export function rejectField(locale: Locale, label: string, value: string, accepted: string): never {
  throw new AppError(
    "bad_request",
    locale.t("ui.fieldRejected", { label, value: escapeDirectionMarks(quoted(locale, value)), accepted }),
  );
}

/** Shows marks that change the writing direction as `\u202e`: left in, they would reorder the message around them. */
function escapeDirectionMarks(text: string): string {
  return text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);
}
