// The query parameters of `/campaigns` besides the filters: search, order and position.

import { quote } from "../../../campaign/quote.ts";
import { AppError } from "../../../errors.ts";
import type { SortOrder } from "../../../listing/timeline/batches.ts";
import type { IndexEntry } from "../../../storage/campaigns/index-entries.ts";
import type { Locale } from "../locale.ts";
import { type FilterFields, filterQuery } from "./filters.ts";

export interface CampaignsRequest {
  /** The text to search for; empty without a search. */
  subject: string;
  order: SortOrder;
  /** From 1. */
  page: number;
  /** In a search: the position of the last campaign that was searched. */
  after?: IndexEntry | undefined;
}

/** @throws AppError `bad_request` naming the field, the value and the accepted values */
export function parseCampaignsRequest(locale: Locale, query: URLSearchParams): CampaignsRequest {
  const field = (name: string) => (query.get(name) ?? "").trim();
  return {
    subject: readSubject(query),
    order: parseOrder(locale, field("order")),
    page: parsePage(locale, field("page")),
    after: parseAfter(locale, field("after")),
  };
}

export function readSubject(query: URLSearchParams): string {
  return (query.get("subject") ?? "").slice(0, 1_000).trim().toWellFormed().normalize("NFC");
}

/** The query string of filters and request, without defaults. */
export function campaignsQuery(fields: FilterFields, request: Partial<CampaignsRequest>): URLSearchParams {
  const query = filterQuery(fields);
  const { subject = "", order = "latest", page = 1, after } = request;
  if (subject !== "") query.set("subject", subject);
  if (order !== "latest") query.set("order", order);
  if (page !== 1) query.set("page", String(page));
  if (after) query.set("after", `${after.sentAt}_${after.id}`);
  return query;
}

function parseOrder({ strings }: Locale, text: string): SortOrder {
  if (text === "" || text === "latest" || text === "earliest") return text || "latest";
  throw new AppError("bad_request", strings.campaigns.invalidOrder(quote(text)));
}

function parsePage({ strings }: Locale, text: string): number {
  if (text === "") return 1;
  if (/^[0-9]{1,9}$/.test(text) && Number(text) >= 1) return Number(text);
  throw new AppError("bad_request", strings.campaigns.invalidPage(quote(text)));
}

function parseAfter({ strings }: Locale, text: string): IndexEntry | undefined {
  if (text === "") return undefined;
  const [, sentAt, id] = /^(-?[0-9]{1,15})_([0-9]{1,16})$/.exec(text) ?? [];
  if (sentAt !== undefined && id !== undefined) return { sentAt: Number(sentAt), id: Number(id) };
  throw new AppError("bad_request", strings.campaigns.invalidAfter(quote(text)));
}
