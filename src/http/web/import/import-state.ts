// What became of a file, as text.

import type { Locale } from "../../../locale/locale.ts";
import type { StoredImport } from "../../../storage/imports/imports.ts";

export function importState({ t }: Locale, { state, outcomes }: StoredImport): string {
  if (state === "imported") return t("imports.outcomes", { ...outcomes });
  return t(`imports.states.${state === "discarded" ? "undone" : state}`);
}
