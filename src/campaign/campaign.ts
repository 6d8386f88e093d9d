// What was sent: a campaign as its organization registered it, without the numbers of what became of it.

/** How a counted campaign may be sent; a reported one keeps whatever it was given. */
export const sendingTypes = ["Timezone", "Scheduled", "Immediate"] as const;

/**
 * What is tracked of a counted campaign: who did what (Individual), what nameless recipients did (Anonymous), or what
 * was done on how many devices (Overall).
 */
export const trackingTypes = ["Individual", "Anonymous", "Overall"] as const;
export type TrackingType = (typeof trackingTypes)[number];

/** One message sent once to many recipients. `null` where the sender gave no value. */
export interface Campaign {
  /** Chosen by the sender, unique within the organization, from 1 to 2^53 - 1. */
  id: number;
  subject: string;
  /** Instant in whole milliseconds since 1970 (UTC). */
  sentAt: number;
  /** Sender address. */
  sentFrom: string | null;
  team: string | null;
  /** One of {@link sendingTypes} when counted. */
  sendingType: string | null;
  /** One of {@link trackingTypes} when counted. */
  trackingType: string | null;
  recipientCount: number | null;
  /** Names of the recipient groups, joined by commas, as they stand in the record. */
  recipients: string | null;
  surveysCount: number | null;
}

/** A label that an organization puts on campaigns. Ids are unique over all organizations. */
export interface Tag {
  id: number;
  /** Unique within the organization. */
  name: string;
  /** `#RRGGBB` */
  color: string;
}

/** Tags stand by name, then id. Names are compared here and not by the database, so that no locale has a say. */
export function compareTags(a: Tag, b: Tag): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id;
}

const palette = [
  "#4E79A7",
  "#F28E2B",
  "#E15759",
  "#76B7B2",
  "#59A14F",
  "#EDC948",
  "#B07AA1",
  "#FF9DA7",
  "#9C755F",
  "#79706E",
] as const;

/** The colour of a tag that comes without one: always the same for the same name. */
export function paletteColor(name: string): string {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return palette[sum % palette.length] ?? palette[0];
}
