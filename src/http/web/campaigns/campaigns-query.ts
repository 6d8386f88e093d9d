// What is asked for on the page of campaigns, besides its filters: a search, an order, and where to begin.

import { quote } from "../../../campaign/quote.ts";
import { AppError } from "../../../errors.ts";
import type { SortOrder } from "../../../listing/timeline/batches.ts";
import type { IndexEntry } from "../../../storage/campaigns/index-entries.ts";
import { type FilterFields, toQuery } from "./filters.ts";

export interface CampaignsAsked {
  /** Empty where nothing is looked for. */
  subject: string;
  order: SortOrder;
  /** From 1. */
  page: number;
  /** In a search: the last campaign that was looked at. */
  after?: IndexEntry | undefined;
}

/** @throws Refusal that names the field, quotes the input and says what is accepted */
export function parseCampaignsAsked(query: URLSearchParams): CampaignsAsked {
  const field = (name: string) => (query.get(name) ?? "").trim();
  return {
    subject: subjectOf(query),
    order: parseOrder(field("order")),
    page: parsePage(field("page")),
    after: parseAfter(field("after")),
  };
}

export function subjectOf(query: URLSearchParams): string {
  return (query.get("subject") ?? "").slice(0, 1_000).trim().toWellFormed().normalize("NFC");
}

/** What is looked for, as far as it is short enough to be repeated. */
export function searchInWords(subject: string): string {
  if (subject === "") return "that fit";
  const characters = [...subject];
  const term = characters.length > 60 ? `${characters.slice(0, 59).join("")}…` : subject;
  return `with “${term}” in the subject`;
}

/** Everything as it stands in an address. */
export function queryOf(fields: FilterFields, asked: Partial<CampaignsAsked>): URLSearchParams {
  const query = toQuery(fields);
  const { subject = "", order = "latest", page = 1, after } = asked;
  if (subject !== "") query.set("subject", subject);
  if (order !== "latest") query.set("order", order);
  if (page !== 1) query.set("page", String(page));
  if (after) query.set("after", `${after.sentAt}_${after.id}`);
  return query;
}

function parseOrder(text: string): SortOrder {
  if (text === "" || text === "latest" || text === "earliest") return text || "latest";
  throw new AppError("bad_request", `order: ${quote(text)} is none; use latest or earliest.`);
}

/** More digits are no page of anybody's. */
function parsePage(text: string): number {
  if (text === "") return 1;
  if (/^[0-9]{1,9}$/.test(text) && Number(text) >= 1) return Number(text);
  throw new AppError("bad_request", `page: ${quote(text)} is not a whole number of at least 1, such as 2.`);
}

function parseAfter(text: string): IndexEntry | undefined {
  if (text === "") return undefined;
  const [, sentAt, id] = /^(-?[0-9]{1,15})_([0-9]{1,16})$/.exec(text) ?? [];
  if (sentAt !== undefined && id !== undefined) return { sentAt: Number(sentAt), id: Number(id) };
  throw new AppError("bad_request", `after: ${quote(text)} is not the place of a campaign; leave it out.`);
}
