// What became of a file or an edit, as text.

import type { Locale } from "../../../locale/locale.ts";
import { isEdit, type StoredImport } from "../../../storage/imports/imports.ts";
import { editText } from "./edit-fields.ts";

/** The name of the file, or what was edited. */
export function importName(locale: Locale, stored: StoredImport): string {
  return isEdit(stored) ? editText(locale, stored.task.edit ?? {}) : stored.fileName;
}

export const undoText = ({ t }: Locale, stored: StoredImport): string =>
  isEdit(stored) ? t("edit.undo") : t("imports.undo");

export function importState({ t }: Locale, stored: StoredImport): string {
  const { state, outcomes } = stored;
  if (state === "imported" && isEdit(stored)) return t("edit.done", { count: outcomes.changed });
  if (state === "imported") return t("imports.outcomes", { ...outcomes });
  return t(`imports.states.${state === "discarded" ? "undone" : state}`);
}
