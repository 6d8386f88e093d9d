// A query for campaigns: filters and pagination, for the API and for pages.

import type { EmailSelection } from "../storage/campaigns/emails.ts";

/** An empty list of tags matches no campaign. */
export interface CampaignsQuery extends EmailSelection {
  /** The number of the page, from 1. A page past the end is empty. */
  page: number;
  /** The number of records on a page, from 1 to `maxPerPage`. */
  perPage: number;
}

export const pageDefault = 1;
export const perPageDefault = 10;
export const maxPerPage = 100;
export const maxTagIds = 1_000;
