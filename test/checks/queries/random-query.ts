// Random queries of the emails endpoint: as text, and as the generator means them, so that the oracle parses nothing.

import type { Random } from "../../support/histories.ts";
import type { Bound, Filters, KnownOrganization } from "./expected-page.ts";
import { localTime } from "./local-time.ts";

export interface RandomQuery {
  /** After the `?`. */
  text: string;
  page: number;
  perPage: number;
  filters: Filters;
  /** The parameters that are not valid. */
  invalid: string[];
}

const largest = Number.MAX_SAFE_INTEGER;
const invalidCounts = ["0", "-1", "1.5", "1e2", "%2B3", "", "two", "0x10", "1,2", "%20", "NaN", "١"];
const invalidTimes = [
  ["", "yesterday", "2024", "2024-02", "20240229", "2024-2-9", "2023-02-29", "2024-13-01", "2024-00-10"],
  ["2024-06-31", "2024-06-30T12:00", "2024-06-30T12:00:00", "2024-06-30T24:00:00Z", "2024-06-30T12:60:00Z"],
  ["2024-06-30T12:00:60Z", "2024-06-30T12:00:00%2B24:00", "2024-06-30T12:00:00%2B02", "1719748800", "null"],
  ["2024-06-30T12:00:00.Z", "2024-06-30%2012:00:00Z", "%202024-06-30", "Jun%2030,%202024", "2024-W10-1"],
].flat();
const invalidTagIds = ["x", "1;2", "-1", "1.5", "1,two", "1%202", "%5B1%5D", "1e3"];
/** Parameters that the endpoint ignores, and downloads refuse. One is empty. */
export const unknownParameters = "sort=asc utm_source=x columns=id =  q=%2B".split(" ");
/** Known names in another form, which are errors. */
const misspelled = {
  page: ["Page=2", "page[]=2", "PAGE=1"],
  per_page: ["PER_PAGE=5", "per_page[gte]=5", "perPage=3"],
  sent_after: ["sent_after[gte]=2024-01-01", "Sent_After=2024-01-01"],
  sent_before: ["sent_before[]=2024-01-01"],
  tag_ids: ["Tag_Ids=1", "tag_ids[a]=1", "tag_id=1"],
};

/** Most queries are valid, and many of their times are those of campaigns, or next to them. */
export function makeQuery(random: Random, organization: KnownOrganization): RandomQuery {
  const query: RandomQuery = { text: "", page: 1, perPage: 10, filters: {}, invalid: [] };
  const parameters: string[] = [];
  if (random.chance(60)) parameters.push(...addPage(random, query));
  if (random.chance(60)) parameters.push(...addPerPage(random, query));
  for (const name of ["sent_after", "sent_before"] as const) {
    if (random.chance(40)) parameters.push(...addTime(random, query, organization, name));
  }
  if (random.chance(40)) parameters.push(...addTagIds(random, query, organization));
  if (random.chance(10)) parameters.push(random.pick(unknownParameters));
  if (random.chance(2)) {
    const [name, forms] = random.pick(Object.entries(misspelled));
    query.invalid.push(name);
    parameters.push(random.pick(forms));
  }
  query.text = random.shuffle(parameters).join("&");
  return query;
}

function addPage(random: Random, query: RandomQuery): string[] {
  if (random.chance(3)) return addInvalid(random, query, "page", [...invalidCounts, `${largest + 1}`]);
  query.page = random.chance(3) ? largest : random.between(1, random.chance(70) ? 4 : 60);
  return addTwice(random, query, "page", String(query.page));
}

function addPerPage(random: Random, query: RandomQuery): string[] {
  if (random.chance(3)) return addInvalid(random, query, "per_page", invalidCounts);
  const asked = random.chance(10)
    ? random.pick(["101", "5000", `${largest}`, "9007199254740992", "99999999999999999999"])
    : String(random.chance(30) ? random.pick([1, 2, 99, 100]) : random.between(1, 60));
  query.perPage = Math.min(Number(asked), 100);
  return addTwice(random, query, "per_page", asked);
}

function addTime(
  random: Random,
  query: RandomQuery,
  organization: KnownOrganization,
  name: "sent_after" | "sent_before",
): string[] {
  if (random.chance(3)) return addInvalid(random, query, name, invalidTimes);
  const { text, bound } = random.chance(40)
    ? randomDate(random, organization)
    : randomInstant(random, organization);
  query.filters[name === "sent_after" ? "sentAfter" : "sentBefore"] = bound;
  return addTwice(random, query, name, text);
}

/** The time of a campaign, often, or a millisecond beside it. */
function instantNear(random: Random, { campaigns }: KnownOrganization): number {
  const all = [...campaigns.values()];
  if (all.length === 0 || random.chance(20))
    return Date.UTC(2010, 0, 1) + random.between(0, 500_000) * 1_000_003;
  return random.pick(all).sentAt + random.pick([0, 0, 0, 1, -1, 1_000, -86_400_000]);
}

function randomDate(random: Random, organization: KnownOrganization): { text: string; bound: Bound } {
  const date = localTime(instantNear(random, organization), organization.timeZone).date;
  return { text: date, bound: date };
}

function randomInstant(random: Random, organization: KnownOrganization): { text: string; bound: Bound } {
  const bound = instantNear(random, organization);
  const isUtc = random.chance(40);
  const offset = isUtc ? 0 : random.pick([0, 60, -300, 330, 345, -570, 840, 1439, -1439]);
  const local = new Date(bound + offset * 60_000).toISOString();
  // Years outside 0 to 9999 have another form.
  if (!/^\d{4}-/.test(local)) return { text: "2024-06-30T12:00:00Z", bound: Date.UTC(2024, 5, 30, 12) };
  // More digits than milliseconds are cut.
  const fraction = local.slice(20, 23);
  const shown =
    fraction === "000" ? random.pick(["", ".0", ".0009"]) : random.pick([`.${fraction}`, `.${fraction}9999`]);
  const size = Math.abs(offset);
  const digits = `${String(Math.floor(size / 60)).padStart(2, "0")}:${String(size % 60).padStart(2, "0")}`;
  // Without encoding, the + arrives as a space.
  const sign = offset < 0 ? "-" : random.pick(["%2B", "+", "%20"]);
  return { text: `${local.slice(0, 19)}${shown}${isUtc ? "Z" : sign + digits}`, bound };
}

function addTagIds(random: Random, query: RandomQuery, { tags }: KnownOrganization): string[] {
  if (random.chance(3)) return addInvalid(random, query, "tag_ids", [...invalidTagIds, thousandIds(1_001)]);
  if (random.chance(2)) {
    query.filters.tagIds = [];
    return [`tag_ids=${thousandIds(1_000)}`];
  }
  const known = random.shuffle([...tags.keys()]).slice(0, random.between(0, 4));
  const foreign = random.chance(30) ? [random.pick([0, 999_999_999, largest, "99999999999999999999"])] : [];
  const ids = random.shuffle([...known, ...foreign]);
  // A list without any id is no filter.
  if (ids.length === 0) return [random.pick(["tag_ids=", "tag_ids[]=", "tag_ids=,", "tag_ids=%20"])];
  query.filters.tagIds = known;
  const form = random.between(1, 5);
  if (form === 1) return ids.map((id) => `tag_ids[]=${id}`);
  if (form === 2) return ids.map((id, index) => `tag_ids%5B${index}%5D=${id}`);
  if (form === 3) return ids.map((id) => `tag_ids=${id}`);
  if (form === 4) return [`tag_ids=${ids.join("%2C%20")}`, `tag_ids[]=${ids[0]}`];
  return [`tag_ids=${ids.join(",")}`];
}

/** Ids of no organization. */
function thousandIds(count: number): string {
  return Array.from({ length: count }, (_, index) => 800_000_000 + index).join(",");
}

function addInvalid(random: Random, query: RandomQuery, name: string, texts: readonly string[]): string[] {
  query.invalid.push(name);
  return [`${name}=${random.pick(texts)}`];
}

/** Rarely twice, which is an error. */
function addTwice(random: Random, query: RandomQuery, name: string, text: string): string[] {
  const parameter = `${name}=${text}`;
  if (!random.chance(1)) return [parameter];
  query.invalid.push(name);
  return [parameter, parameter];
}
