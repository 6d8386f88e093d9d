// The fields of an edit of many campaigns, and how pages describe one.

import type { Tag } from "../../../campaign/campaign.ts";
import { nextPaletteColor } from "../../../campaign/campaign.ts";
import { findSameName } from "../../../campaign/fields/names.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { quoted } from "../../../locale/quoted.ts";
import type { CampaignsEdit } from "../../../storage/imports/imports.ts";
import { addTag, listTags } from "../../../storage/organizations/tags.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import type { Actor } from "../frame/page.ts";
import { inputField, type Submitted } from "../ui/forms/field.ts";
import { readField, readName } from "../ui/forms/form.ts";

/** A tag by its name, which may be new. */
export function tagField({ t }: Locale, tags: readonly Tag[], submitted: Submitted): Html {
  const options = tags.map(({ name }) => html`<option value="${name}">`);
  const field = { name: "tag", label: t("edit.tag"), value: "" };
  return html`${inputField(submitted, field, html` dir="auto" maxlength="200" autocomplete="off" list="tags-known"`)}<datalist id="tags-known">${options}</datalist>`;
}

export function teamField(label: string, teams: readonly string[], submitted: Submitted): Html {
  const options = teams.map((team) => html`<option value="${team}">`);
  const field = { name: "team", label, value: "" };
  return html`${inputField(submitted, field, html` dir="auto" maxlength="200" autocomplete="off" list="teams-known"`)}<datalist id="teams-known">${options}</datalist>`;
}

/** The tag that the form names, which is added if it is new; undefined if the field is empty. @throws AppError `bad_request` */
export async function readTag(actor: Actor, form: URLSearchParams): Promise<Tag | undefined> {
  const { transaction, record, t } = actor;
  if (readField(actor, form, "tag") === "") return undefined;
  const name = readName(actor, form, t("edit.tag"), "tag");
  return transaction(async (scope) => findOrAddTag(scope, name, () => record(scope, "tag.add", name)));
}

/** The team that the form names; null if the field is empty. @throws AppError `bad_request` */
export function readTeam(locale: Locale, form: URLSearchParams): string | null {
  if (readField(locale, form, "team") === "") return null;
  return readName(locale, form, locale.t("campaigns.columns.team"), "team");
}

async function findOrAddTag(scope: Scope, name: string, added: () => Promise<void>): Promise<Tag> {
  const tags = await listTags(scope);
  const same = findSameName(tags, name);
  if (same) return same;
  await added();
  return addTag(scope, { name, color: nextPaletteColor(tags) });
}

export function editText(locale: Locale, { add, remove, team, deletes }: CampaignsEdit): string {
  const { t } = locale;
  const parts = [
    ...(add ? [t("edit.added", { name: quoted(locale, add.name) })] : []),
    ...(remove ? [t("edit.removed", { name: quoted(locale, remove.name) })] : []),
    ...(team === undefined
      ? []
      : [team === null ? t("edit.noTeam") : t("edit.teamSet", { team: quoted(locale, team) })]),
    ...(deletes ? [t("edit.deleted")] : []),
  ];
  return parts.join(" · ");
}
