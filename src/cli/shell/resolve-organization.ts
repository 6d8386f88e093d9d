// Finds the organization of a command: by its ID, by its name, or the only one.

import type { Command } from "commander";
import { findSameName } from "../../campaign/fields/names.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { listOrganizations, type Organization } from "../../storage/organizations/organizations.ts";
import { type Shell, withDatabase } from "./shell.ts";

const maxListed = 10;

/**
 * Sets the option `--organization` of a command to the ID.
 *
 * @throws AppError `bad_request` if the command has to name one of several, `not_found` if no organization has the name
 */
export async function resolveOrganization(shell: Shell, command: Command): Promise<void> {
  const given: unknown = command.opts().organization;
  if (typeof given === "number") return;
  const all = await withDatabase(shell, (database) => database.snapshot(listOrganizations));
  const first = orNotFound(
    all[0],
    "there is no organization yet; set up the first one: email-analytics init --name NAME --email EMAIL",
  );
  const matching =
    given === undefined ? (all.length === 1 ? first : undefined) : findSameName(all, String(given));
  if (matching) {
    command.setOptionValue("organization", matching.id);
  } else if (given === undefined) {
    throw new AppError("bad_request", `--organization is missing: it is one of ${listed(all)}`);
  } else {
    throw new AppError("not_found", `--organization: none is called ${quote(given)}, only ${listed(all)}`);
  }
}

function listed(organizations: readonly Organization[]): string {
  const names = organizations.slice(0, maxListed).map(({ id, name }) => `${id} (${name})`);
  const more = organizations.length - names.length;
  return names.join(", ") + (more > 0 ? `, and ${more} more; see "organization list"` : "");
}
