// The system query options of OData requests, parsed strictly: an option that is ignored would mean wrong data.

import {
  type FeedOrder,
  type FeedTable,
  type FeedTableName,
  feedTables,
} from "../../campaign/feed/feed-tables.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { AppError } from "../../errors.ts";
import { decodeSkipToken, type SkipToken } from "../../listing/feed/skip-token.ts";
import { isInTableOrder, type TableQuery } from "../../listing/feed/table-query.ts";
import { parseFilter } from "./parse-filter.ts";

const optionNames = [
  "$select",
  "$filter",
  "$orderby",
  "$top",
  "$skip",
  "$count",
  "$skiptoken",
  "$format",
] as const;
export type OptionName = (typeof optionNames)[number];

/** The options as sent, decoded. */
export type SystemOptions = ReadonlyMap<OptionName, string>;

/**
 * Collects the system query options. Other parameters have no effect, because tools add their own.
 *
 * @param queryString after the `?`, still encoded
 * @param request.accepted by the resource; a URL may always say its format
 * @param request.onUnknown gets the name of each other parameter
 * @throws AppError `not_implemented` if an option is not supported, `bad_request` if it is misspelled, repeated, or means
 *   nothing here
 */
export function collectOptions(
  queryString: string,
  {
    accepted,
    resource,
    onUnknown,
  }: { accepted: readonly OptionName[]; resource: string; onUnknown: (name: string) => void },
): SystemOptions {
  const options = new Map<OptionName, string>();
  for (const [name, value] of new URLSearchParams(queryString)) {
    const known = optionNames.find((each) => each === name);
    const meant = optionNames.find((each) => [each, each.slice(1)].includes(name.toLowerCase().trim()));
    if (!known && meant) throw new AppError("bad_request", `${quote(name)} is not an option; use ${meant}.`);
    if (!known) {
      if (/^\s*[$@]/.test(name)) {
        const supported = optionNames.join(", ");
        throw new AppError("not_implemented", `${quote(name)} is not supported. Supported are ${supported}.`);
      }
      onUnknown(name);
      continue;
    }
    if (options.has(known))
      throw new AppError("bad_request", `${known} is given more than once; it takes one value.`);
    if (known !== "$format" && !accepted.includes(known)) {
      const some = accepted.length > 0 ? accepted.join(", ") : "no options";
      throw new AppError("bad_request", `${known} does not apply to ${resource}, which takes ${some}.`);
    }
    options.set(known, value);
  }
  return options;
}

interface ParsedOptions {
  query: TableQuery;
  /** Undefined for all fields. The fields of the key are always there. */
  select: readonly string[] | undefined;
  hasCount: boolean;
  /** The page size of the link that the client followed. */
  pageSize: number | undefined;
}

/**
 * @param secret of the organization
 * @throws AppError `bad_request` or `not_implemented` that names the option, its value and the accepted ones
 */
export function parseOptions(table: FeedTableName, options: SystemOptions, secret: string): ParsedOptions {
  const filter = options.get("$filter");
  const order = parseOrder(table, options.get("$orderby"));
  const token = parseToken({ table, order }, options, secret);
  const query: TableQuery = {
    table,
    order,
    after: token?.after,
    filter: filter === undefined ? undefined : parseFilter(filter, feedTables[table].fields),
    skip: parseCount("$skip", options.get("$skip")) ?? 0,
    top: parseCount("$top", options.get("$top")),
  };
  return {
    query,
    select: parseSelect(table, options.get("$select")),
    hasCount: parseBoolean("$count", options.get("$count")),
    pageSize: token?.pageSize,
  };
}

function parseCount(name: OptionName, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new AppError(
    "bad_request",
    `${name}: ${quote(text)} is not a whole number from 0 on in plain digits.`,
  );
}

function parseBoolean(name: OptionName, text: string | undefined): boolean {
  if (text === undefined || text === "false") return false;
  if (text === "true") return true;
  throw new AppError("bad_request", `${name}: ${quote(text)} is neither true nor false.`);
}

function parseSelect(tableName: FeedTableName, text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const { fields, key }: FeedTable = feedTables[tableName];
  const names = text.split(",").map((name) => name.trim());
  for (const name of names) {
    if (name === "*" || Object.hasOwn(fields, name)) continue;
    if (name.includes("/"))
      throw new AppError("not_implemented", `$select: ${quote(name)} is not supported; select whole fields.`);
    throw unknownField("$select", name, Object.keys(fields));
  }
  if (names.includes("*")) return undefined;
  const selected = new Set([...key, ...names]);
  return Object.keys(fields).filter((name) => selected.has(name));
}

function parseOrder(tableName: FeedTableName, text: string | undefined): FeedOrder[] {
  if (text === undefined) return [];
  const { fields, sortedBy, order: tableOrder }: FeedTable = feedTables[tableName];
  const order = text.split(",").map((item): FeedOrder => {
    const [, field = "", direction = "asc"] = /^\s*(\S+)(?:\s+(asc|desc))?\s*$/.exec(item) ?? [];
    if (field === "")
      throw new AppError(
        "bad_request",
        `$orderby: ${quote(item)} is not a field, with or without asc or desc.`,
      );
    if (!/^\w+$/.test(field))
      throw new AppError("not_implemented", `$orderby: ${quote(item)} is not supported; sort by fields.`);
    if (!Object.hasOwn(fields, field)) throw unknownField("$orderby", field, Object.keys(fields));
    return [field, direction as "asc" | "desc"];
  });
  const names = order.map(([field]) => field);
  if (new Set(names).size < names.length)
    throw new AppError("bad_request", `$orderby: ${quote(text)} has a field twice.`);
  const isSupported =
    names.every((name) => sortedBy.includes(name)) || isInTableOrder({ table: tableName, order });
  if (isSupported) return order;
  const supported =
    sortedBy.length > 0
      ? `every field but ${Object.keys(fields)
          .filter((name) => !sortedBy.includes(name))
          .join(", ")}, each asc or desc`
      : tableOrder.map(([field]) => field).join(",");
  throw new AppError(
    "not_implemented",
    `$orderby: ${quote(text)} is not supported; ${tableName} can be sorted by ${supported}.`,
  );
}

function unknownField(option: OptionName, name: string, names: readonly string[]): AppError {
  return new AppError("bad_request", `${option}: ${quote(name)} is no field; use ${names.join(", ")}.`);
}

function parseToken(
  query: Pick<TableQuery, "table" | "order">,
  options: SystemOptions,
  secret: string,
): SkipToken | undefined {
  const text = options.get("$skiptoken");
  if (text === undefined) return undefined;
  for (const name of ["$top", "$skip"] as const) {
    if (options.has(name))
      throw new AppError(
        "bad_request",
        `${name} and $skiptoken are both given; follow @odata.nextLink unchanged.`,
      );
  }
  const token = decodeSkipToken(query, text, secret);
  if (token) return token;
  throw new AppError(
    "bad_request",
    "$skiptoken: it belongs to no page of this request; follow @odata.nextLink unchanged.",
  );
}
