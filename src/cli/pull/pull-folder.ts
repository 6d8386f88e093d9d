// The folder in which a pull of an organization keeps its pages: beside the SQLite file, or in the user's state folder.

import { createHmac } from "node:crypto";
import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { AppError } from "../../errors.ts";
import { sqlitePath } from "../../storage/open-database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { type Shell, settingsOf } from "../shell.ts";

/** @throws AppError `conflict` if the folder cannot be created */
export function openPullFolder(shell: Shell, organization: Organization): string {
  const database = sqlitePath(settingsOf(shell).DATABASE_URL);
  const folder = database
    ? `${database}-pull-${organization.id}`
    : join(stateFolder(shell), "email-analytics", pullIdentity(organization, "folder").slice(0, 32));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const advice = database ? "" : "; set XDG_STATE_HOME to a folder that can be written";
    throw new AppError("conflict", `The pages cannot be kept: ${(error as Error).message}${advice}.`);
  }
  return folder;
}

/** Identifies a pull, without revealing the text or the organization: other databases have other secrets. */
export function pullIdentity({ secret }: Organization, text: string): string {
  return createHmac("sha256", secret).update(`pull\n${text}`).digest("hex");
}

/** The state folder of the XDG Base Directory Specification, which ignores relative paths. */
function stateFolder({ environment: { XDG_STATE_HOME = "" } }: Shell): string {
  return isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(homedir(), ".local", "state");
}
