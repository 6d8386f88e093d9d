// Finds the groups of listed recipients by the names of their attributes and values, and adds new values.

import { audienceLimits } from "../../campaign/audience/group-counts.ts";
import type { GroupsByAttribute } from "../../campaign/events/recipient.ts";
import { foldCase } from "../../campaign/fields/fold-case.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { isStorable } from "../../campaign/fields/validate-fields.ts";
import { type AudienceGroup, addGroup, listGroups } from "../../storage/audience/store-groups.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { type ListRow, wrongLine } from "./parse-list.ts";

interface ListedRecipient {
  line: number;
  recipient: string;
  /** The groups by attribute. Attributes without a value are missing. */
  groups: GroupsByAttribute;
}

/**
 * The groups of each recipient. A recipient that is listed twice with the same values is returned once.
 *
 * @param added gets the ids of new values
 * @throws AppError `bad_request` for an unknown attribute, a wrong value, or a recipient with two different values
 */
export async function resolveGroups(
  scope: Scope,
  rows: readonly ListRow[],
  added: number[] = [],
): Promise<ListedRecipient[]> {
  const known = new KnownGroups(await listGroups(scope));
  const recipients = new Map<string, ListedRecipient>();
  for (const { line, recipient, values } of rows) {
    const groups: Record<number, number> = {};
    for (const [name, text] of Object.entries(values)) {
      const { id: attributeId } = known.attribute(name, line);
      const value = parseValue(text, name, line);
      if (value === "") continue;
      let group = known.find(attributeId, value);
      if (!group) {
        known.requireSpace(attributeId, name, line);
        group = await addGroup(scope, { attributeId, name: value });
        known.add(group);
        added.push(group.id);
      }
      groups[attributeId] = group.id;
    }
    const before = recipients.get(recipient);
    if (before) requireSame(before, { line, recipient, groups });
    else recipients.set(recipient, { line, recipient, groups });
  }
  return [...recipients.values()];
}

/** @throws AppError `bad_request` */
export function requireSame(before: Pick<ListedRecipient, "groups">, after: ListedRecipient): void {
  if (JSON.stringify(before.groups) === JSON.stringify(after.groups)) return;
  const problem = "is listed twice, with different values; keep one of the lines";
  throw wrongLine(after.line, `${quote(after.recipient)} ${problem}`);
}

function parseValue(text: string, name: string, line: number): string {
  const value = text.trim().normalize("NFC");
  if (value.length <= audienceLimits.valueLength && isStorable(value)) return value;
  const accepted = `text of up to ${audienceLimits.valueLength} characters`;
  throw wrongLine(line, `${quote(name)}: ${quote(text)} is not ${accepted}`);
}

/** Letter case and Unicode composition make no difference. */
class KnownGroups {
  readonly #attributes = new Map<string, AudienceGroup>();
  readonly #values = new Map<string, AudienceGroup>();
  readonly #counts = new Map<number, number>();

  constructor(groups: readonly AudienceGroup[]) {
    for (const group of groups) {
      if (group.id === group.attributeId) this.#attributes.set(foldCase(group.name), group);
      else this.add(group);
    }
  }

  attribute(name: string, line: number): AudienceGroup {
    const found = this.#attributes.get(foldCase(name.trim()));
    if (found) return found;
    const names = [...this.#attributes.values()].map(({ name }) => quote(name)).join(", ");
    const accepted =
      names === "" ? "an admin adds attributes in Settings, Audience" : `the attributes are ${names}`;
    throw wrongLine(line, `${quote(name)} is not an attribute; ${accepted}`);
  }

  find(attributeId: number, value: string): AudienceGroup | undefined {
    return this.#values.get(`${attributeId} ${foldCase(value)}`);
  }

  add(group: AudienceGroup): void {
    this.#values.set(`${group.attributeId} ${foldCase(group.name)}`, group);
    this.#counts.set(group.attributeId, (this.#counts.get(group.attributeId) ?? 0) + 1);
  }

  requireSpace(attributeId: number, name: string, line: number): void {
    if ((this.#counts.get(attributeId) ?? 0) < audienceLimits.values) return;
    throw wrongLine(line, `${quote(name)} has more than ${audienceLimits.values} different values`);
  }
}
