// Parses the query string of the changes endpoint.

import type { ChangesPosition } from "../../listing/changes-position.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { decodeCursor } from "./changes-cursor.ts";
import { collectParameters, parsePerPage, parseTime, refuseAll, single } from "./query-parameters.ts";

export const perPageOfChanges = { default: 1_000, max: 5_000 };

const names = ["cursor", "updated_after", "per_page"] as const;
/** The parameters of other endpoints. A client could not be told what leaves a selection. */
const refused = ["page", "sent_after", "sent_before", "tag_ids"] as const;

interface ChangesQuery {
  perPage: number;
  /** Where to go on: a cursor, or an instant; 0 is the start. */
  from: { cursor: ChangesPosition } | { instant: number };
}

/**
 * Parses the query. A `per_page` above the maximum is clamped.
 *
 * @param queryString after the `?`, still encoded
 * @throws AppError `bad_request` that names the parameter, `gone` if the cursor is of another version of the service
 */
export function parseChangesQuery(queryString: string, organization: Organization): ChangesQuery {
  const reason = `changes are those of all campaigns; use ${names.join(", ")}, and select in the copy.`;
  const parameters = collectParameters(queryString, names, (key) =>
    refuseAll(key, names, { names: refused, reason }),
  );
  const cursor = single(parameters, "cursor");
  // Tools repeat the parameters of the first page. The cursor goes on from there.
  const updatedAfter = single(parameters, "updated_after");
  const instant =
    updatedAfter === undefined ? 0 : parseTime("updated_after", updatedAfter, organization.timeZone).from;
  return {
    perPage: parsePerPage(single(parameters, "per_page"), perPageOfChanges.max) ?? perPageOfChanges.default,
    from: cursor === undefined ? { instant } : { cursor: decodeCursor(cursor, organization) },
  };
}
