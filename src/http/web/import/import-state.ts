// What became of a file, as text.

import type { StoredImport } from "../../../storage/imports/imports.ts";
import type { Locale } from "../locale.ts";

export function importState({ t }: Locale, { state, outcomes }: StoredImport): string {
  if (state === "imported") return t("imports.outcomes", { ...outcomes });
  return t(`imports.states.${state === "discarded" ? "undone" : state}`);
}
