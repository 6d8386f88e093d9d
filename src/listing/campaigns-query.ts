// A query for campaigns: filters and pagination, for the API and for pages.

export interface CampaignsQuery {
  /** From 1. A page past the end is empty. */
  page: number;
  /** From 1 to `maxPerPage`. */
  perPage: number;
  /** Sent at this instant or later. */
  sentFrom?: number;
  /** Sent before this instant. */
  sentUntil?: number;
  /** With any of these tags. An empty list matches no campaign; undefined matches all. */
  tagIds?: number[];
}

export const pageDefault = 1;
export const perPageDefault = 10;
export const maxPerPage = 100;
export const maxTagIds = 1_000;
