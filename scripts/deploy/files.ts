// All files of deploy/ that are made from the table of the service.

import { composeFiles } from "./compose.ts";
import { helmFiles } from "./helm.ts";
import { platformFiles } from "./platforms.ts";
import { service } from "./service.ts";
import { installedUnit } from "./systemd-unit.ts";
import { trueNasFiles } from "./truenas.ts";
import { yunoHostFiles } from "./yunohost.ts";

/** The content of each file, by its path from the repository root. */
export function deployFiles(): [path: string, content: string][] {
  const files = {
    "logo.svg": `${service.logo}\n`,
    "email-analytics.service": installedUnit,
    ...composeFiles(),
    ...platformFiles(),
    ...trueNasFiles(),
    ...yunoHostFiles(),
    ...helmFiles(),
  };
  return Object.entries(files).map(([path, content]) => [`deploy/${path}`, content]);
}
