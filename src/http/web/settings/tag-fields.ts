// The fields of a tag in a form: how they are shown, and how they are read.

import type { Tag } from "../../../campaign/campaign.ts";
import { colorPattern } from "../../../campaign/email-record.ts";
import { acceptedName, normalizeName } from "../../../campaign/names.ts";
import { quote } from "../../../campaign/quote.ts";
import { AppError } from "../../../errors.ts";
import { type Html, html } from "../../html.ts";
import { field } from "../ui/field.ts";
import { fieldOf, isLeft, refuseField } from "../ui/form.ts";

/** @param problem why what was sent with this form could not be done */
export function tagFields({ name, color }: Pick<Tag, "name" | "color">, problem: string | undefined): Html[] {
  return [
    field(
      { name: "name", label: "Name" },
      problem,
      (its) => html`<input ${its} dir="auto" required maxlength="200" autocomplete="off" value="${name}">`,
    ),
    field(
      { name: "color", label: "Colour", isTight: true },
      problem,
      (its) => html`<input ${its} type="color" value="${color}">`,
    ),
  ];
}

/**
 * In capitals, as colours are written elsewhere: browsers send small letters.
 *
 * @param before the tag as it was: where nothing else was chosen, its colour stays as it is written
 * @throws Refusal
 */
export function colorIn(form: URLSearchParams, before?: Tag): string {
  const color = fieldOf(form, "color");
  const isSame = isLeft(form, "color") || color.toLowerCase() === before?.color.toLowerCase();
  if (before && isSame) return before.color;
  if (colorPattern.test(color)) return color.toUpperCase();
  return refuseField("Colour", color, "a colour of the form #RRGGBB");
}

/**
 * A name that no other tag has. Forms bring text in one form of Unicode; a tag may have come in another, and is the same.
 *
 * @param tags all of the organization
 * @param before the tag as it was
 * @throws Refusal
 */
export function freeNameIn(form: URLSearchParams, tags: readonly Tag[], before?: Tag): string {
  const given = fieldOf(form, "name");
  if (before && (isLeft(form, "name") || given === before.name.normalize("NFC"))) return before.name;
  const name = normalizeName(given) ?? refuseField("Name", given, `accepted: a name has ${acceptedName}`);
  const other = tags.find((each) => each.id !== before?.id && each.name.normalize("NFC") === name);
  if (!other) return name;
  throw new AppError(
    "conflict",
    `Name: ${quote(name)} is already that of the tag with the id ${other.id}; choose another.`,
  );
}
