// The form fields of a tag: rendering and reading them.

import type { Tag } from "../../../../campaign/campaign.ts";
import { colorPattern } from "../../../../campaign/email-record-schema.ts";
import { findSameName, quoteName } from "../../../../campaign/fields/names.ts";
import { AppError } from "../../../../errors.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { inputField, nameInput, type Submitted } from "../../ui/forms/field.ts";
import { isFieldEdited, readField, readName, rejectField } from "../../ui/forms/form.ts";

export function renderTagFields(
  { t }: Locale,
  { name, color }: Pick<Tag, "name" | "color">,
  submitted: Submitted,
): Html[] {
  return [
    inputField(submitted, { name: "name", label: t("ui.name"), value: name }, nameInput),
    inputField(
      submitted,
      { name: "color", label: t("tags.color"), isTight: true, value: color },
      html` type="color"`,
    ),
  ];
}

/**
 * Returns the color in upper case, as the API has it. An unchanged color keeps its spelling.
 *
 * @param before the tag that is edited
 * @throws AppError `bad_request` if it is not a color
 */
export function readColor(locale: Locale, form: URLSearchParams, before?: Tag): string {
  const color = readField(locale, form, "color");
  const label = locale.t("tags.color");
  const current = before?.color.toLowerCase() ?? "";
  const isEdited = isFieldEdited(locale, form, { name: "color", label, current });
  if (before && (!isEdited || color.toLowerCase() === current)) return before.color;
  if (colorPattern.test(color)) return color.toUpperCase();
  return rejectField(locale, label, color, locale.t("tags.colorRule"));
}

/**
 * Returns the name. People take names that differ only in letter case for the same; programs may still send both.
 *
 * @param tags all tags of the organization
 * @param before the tag that is edited
 * @throws AppError `bad_request` if it is not a name, `conflict` if another tag has the same
 */
export function readUniqueName(
  locale: Locale,
  form: URLSearchParams,
  tags: readonly Tag[],
  before?: Tag,
): string {
  const text = readField(locale, form, "name");
  const label = locale.t("ui.name");
  const isEdited = isFieldEdited(locale, form, { name: "name", label, current: before?.name ?? "" });
  if (before && (!isEdited || text === before.name.normalize("NFC"))) return before.name;
  const name = readName(locale, form, label);
  const others = tags.filter(({ id }) => id !== before?.id);
  const other = findSameName(others, name);
  if (!other) return name;
  throw new AppError("conflict", locale.t("tags.nameTaken", { name: quoteName(other.name), id: other.id }));
}
