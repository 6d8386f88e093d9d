// Parses the query string of the emails endpoint (specification 4.1).

import { largestInteger } from "../../campaign/fields/field-schema.ts";
import {
  type CampaignsQuery,
  maxPerPage,
  pageDefault,
  perPageDefault,
} from "../../listing/campaigns-query.ts";
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
const filterNames = ["sent_after", "sent_before", "tag_ids"] as const;
const names = [...pageNames, ...filterNames];
type ParameterName = (typeof names)[number];

export interface EmailsFilters extends Pick<CampaignsQuery, "sentFrom" | "sentUntil" | "tagIds"> {
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
  return { page, perPage, ignored, ...parseFilters(parameters, timeZone) };
}

/**
 * Parses the query of a download, which has the same filters and no pages.
 *
 * @throws AppError `bad_request` as {@link parseEmailsQuery}, for a page, and for an unknown parameter
 */
export function parseDownloadQuery(queryString: string, timeZone: string): EmailsFilters {
  const reason = "a download has all campaigns; use sent_after, sent_before and tag_ids to get fewer.";
  const parameters = collectParameters<ParameterName>(queryString, filterNames, (key) =>
    refuseAll(key, filterNames, { names: pageNames, reason }),
  );
  return parseFilters(parameters, timeZone);
}

/**
 * Checks the query of a CSV link, whose selection is in the link. Unknown parameters are ignored: users add them so that a
 * spreadsheet loads the URL again.
 *
 * @returns the unknown ones
 * @throws AppError `bad_request` if it has a parameter of a download or a page
 */
export function checkLinkQuery(queryString: string): string[] {
  const ignored: string[] = [];
  const reason = "the selection of a link is fixed when it is created; create a link for another one.";
  collectParameters(queryString, [], (key) => {
    refuseOther(key, { names, reason });
    ignored.push(key);
  });
  return ignored;
}

function parseFilters(parameters: ReadonlyMap<ParameterName, string[]>, timeZone: string): EmailsFilters {
  const query: EmailsFilters = { filters: [] };
  const sentAfter = single(parameters, "sent_after");
  if (sentAfter !== undefined) {
    query.sentFrom = parseTime("sent_after", sentAfter, timeZone).from;
    query.filters.push(["sent_after", restorePlus(sentAfter)]);
  }
  const sentBefore = single(parameters, "sent_before");
  if (sentBefore !== undefined) {
    query.sentUntil = parseTime("sent_before", sentBefore, timeZone).until;
    query.filters.push(["sent_before", restorePlus(sentBefore)]);
  }
  const tagIds = parseTagIds(parameters.get("tag_ids") ?? []);
  if (tagIds) {
    query.tagIds = tagIds;
    // If no id is known, nothing may match: no tag has the id 0.
    query.filters.push(["tag_ids", query.tagIds.join(",") || "0"]);
  }
  return query;
}

/** A page that is not exact could not be shown in meta. */
function parsePage(text: string | undefined): number | undefined {
  const accepted = `from 1 to ${largestInteger} in plain digits, such as page=2`;
  return parseCount("page", text, { isAccepted: (value) => value <= largestInteger, accepted });
}
