// Does the parts of what a user has started: an import, an edit of many campaigns, or undoing one.

import type { StoredImport } from "../../../storage/imports/imports.ts";
import type { Actor } from "../frame/page.ts";

/** Another process may do some of the parts. @returns the import after the last one */
export async function finishImport({ write }: Actor, id: number): Promise<StoredImport> {
  for (;;) {
    const step = await write({ name: "continue_import", id });
    if (step !== "more") return step;
  }
}
