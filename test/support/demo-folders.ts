// The folders that a demo makes in the temporary folder.

import { readdirSync } from "node:fs";

/** Without that of range files, which the processes of the machine share. */
export const demoFoldersIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => !name.startsWith("email-analytics-ranges-"));
