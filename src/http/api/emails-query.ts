// Parses the query string of the emails endpoint (specification 4.1).

import { type FileTableName, feedTables } from "../../campaign/feed/feed-tables.ts";
import { largestInteger } from "../../campaign/fields/field-schema.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { recordFields } from "../../campaign/record-fields.ts";
import { AppError } from "../../errors.ts";
import {
  type CampaignsQuery,
  maxPerPage,
  pageDefault,
  perPageDefault,
} from "../../listing/campaigns-query.ts";
import type { FileSelection } from "../../listing/feed/download.ts";
import { parseTagIds } from "../../listing/parse-tag-ids.ts";
import {
  collectParameters,
  parseCount,
  parsePerPage,
  parseTime,
  refuseAll,
  refuseOther,
  restorePlus,
  single,
} from "./query-parameters.ts";

const pageNames = ["page", "per_page"] as const;
const filterNames = ["sent_after", "sent_before", "tag_ids", "fields"] as const;
const names = [...pageNames, ...filterNames];
/** The parameters of a download. */
const downloadNames = [...filterNames, "decimal"] as const;
type ParameterName = (typeof names)[number] | "decimal";

export interface EmailsFilters
  extends Pick<CampaignsQuery, "sentFrom" | "sentUntil" | "tagIds">,
    FileSelection {
  /** The known parameters in a fixed order, without `page` and `per_page`: for links to other pages and the cache key. */
  filters: [string, string][];
}

export interface EmailsQuery extends CampaignsQuery, EmailsFilters {
  /** The names of unknown parameters, in their order. */
  ignored: string[];
}

/**
 * Parses the query. A `per_page` above the maximum is clamped. Tools add parameters of their own, so unknown ones are
 * ignored.
 *
 * @param queryString after the `?`, still encoded
 * @param timeZone of the organization: a date without a time means a whole day there
 * @throws AppError `bad_request` that names the parameter, its value and the accepted format
 */
export function parseEmailsQuery(queryString: string, timeZone: string): EmailsQuery {
  const ignored: string[] = [];
  const parameters = collectParameters(queryString, names, (key) => ignored.push(key));
  const page = parsePage(single(parameters, "page")) ?? pageDefault;
  const perPage = parsePerPage(single(parameters, "per_page"), maxPerPage) ?? perPageDefault;
  return { page, perPage, ignored, ...parseFilters(parameters, timeZone, recordFields) };
}

/**
 * Parses the query of a download, which has the same filters and no pages.
 *
 * @throws AppError `bad_request` as {@link parseEmailsQuery}, for a page, and for an unknown parameter
 */
export function parseDownloadQuery(
  queryString: string,
  timeZone: string,
  table: FileTableName = "emails",
): EmailsFilters {
  const reason = "a download has all campaigns; use sent_after, sent_before and tag_ids to get fewer.";
  const parameters = collectParameters<ParameterName>(queryString, downloadNames, (key) =>
    refuseAll(key, downloadNames, { names: pageNames, reason }),
  );
  const query = parseFilters(parameters, timeZone, feedTables[table].fields);
  const decimal = single(parameters, "decimal");
  if (decimal !== undefined) {
    if (decimal !== "comma") throw new AppError("bad_request", `decimal: ${quote(decimal)} is not comma.`);
    query.decimal = decimal;
    query.filters.push(["decimal", decimal]);
  }
  return query;
}

/**
 * Checks the query of a CSV link, whose selection is in the link. Unknown parameters are ignored: users add them so that a
 * spreadsheet loads the URL again.
 *
 * @returns the unknown ones, and the `decimal` of the reader
 * @throws AppError `bad_request` if it has a parameter of a download or a page
 */
export function checkLinkQuery(queryString: string): { ignored: string[]; decimal: string | undefined } {
  const ignored: string[] = [];
  const reason = "the selection of a link is fixed when it is created; create a link for another one.";
  const parameters = collectParameters(queryString, ["decimal"], (key) => {
    refuseOther(key, { names, reason });
    ignored.push(key);
  });
  return { ignored, decimal: single(parameters, "decimal") };
}

function parseFilters(
  parameters: ReadonlyMap<ParameterName, string[]>,
  timeZone: string,
  known: object,
): EmailsFilters {
  const query: EmailsFilters = { filters: [] };
  const timeOf = (name: "sent_after" | "sent_before") => {
    const text = single(parameters, name);
    if (text === undefined) return undefined;
    query.filters.push([name, restorePlus(text)]);
    return parseTime(name, text, timeZone);
  };
  query.sentFrom = timeOf("sent_after")?.from;
  query.sentUntil = timeOf("sent_before")?.until;
  const tagIds = parseTagIds(parameters.get("tag_ids") ?? []);
  if (tagIds) {
    query.tagIds = tagIds;
    // If no id is known, nothing may match: no tag has the id 0.
    query.filters.push(["tag_ids", query.tagIds.join(",") || "0"]);
  }
  const fields = single(parameters, "fields");
  if (fields !== undefined) {
    query.fields = [...new Set(fields.split(","))];
    for (const name of query.fields) {
      if (Object.hasOwn(known, name)) continue;
      throw new AppError(
        "bad_request",
        `fields: ${quote(name)} is no field; use ${Object.keys(known).join(", ")}.`,
      );
    }
    query.filters.push(["fields", query.fields.join(",")]);
  }
  return query;
}

/** A page that is not exact could not be shown in meta. */
function parsePage(text: string | undefined): number | undefined {
  const accepted = `from 1 to ${largestInteger} in plain digits, such as page=2`;
  return parseCount("page", text, { isAccepted: (value) => value <= largestInteger, accepted });
}
