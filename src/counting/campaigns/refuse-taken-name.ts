// Refuses a name that another one of the same kind has.

import { findSameName } from "../../campaign/fields/names.ts";
import { AppError } from "../../errors.ts";

/**
 * @param what the kind of the others
 * @throws AppError `conflict` if one of them has the name
 */
export function refuseTakenName(
  what: string,
  others: readonly { id: number; name: string }[],
  name: string,
): void {
  const same = findSameName(others, name);
  if (!same) return;
  const problem = `${what} ${same.id} already has the name ${JSON.stringify(same.name)}`;
  throw new AppError("conflict", `${problem}; choose one that differs in more than letter case`);
}
