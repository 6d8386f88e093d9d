// A campaign as it was sent, without its numbers; and its tags.

/** Accepted for counted campaigns; a reported campaign may have any other text. */
export const sendingTypes = ["Timezone", "Scheduled", "Immediate"] as const;

/**
 * What a counted campaign tracks: named recipients (Individual), recipients without names (Anonymous), or devices
 * (Overall).
 */
export const trackingTypes = ["Individual", "Anonymous", "Overall"] as const;
export type TrackingType = (typeof trackingTypes)[number];

/** Where the numbers of a campaign come from: an import, or events. */
export const campaignKinds = ["reported", "counted"] as const;
export type CampaignKind = (typeof campaignKinds)[number];

/** One message that is sent once to many recipients. `null` if the sender gave no value. */
export interface Campaign {
  /** Chosen by the sender; unique within the organization; 1 to 2^53 - 1. */
  id: number;
  subject: string;
  /** When the campaign was sent, in milliseconds since 1970. */
  sentAt: number;
  /** The sender's email address. */
  sentFrom: string | null;
  team: string | null;
  /** One of {@link sendingTypes} if counted. */
  sendingType: string | null;
  /** One of {@link trackingTypes} if counted. */
  trackingType: string | null;
  recipientCount: number | null;
  /** Names of the recipient groups, joined by commas. */
  recipients: string | null;
  surveysCount: number | null;
}

/** A label on campaigns. Ids are unique across organizations. */
export interface Tag {
  id: number;
  /** The name is unique within the organization. */
  name: string;
  /** `#RRGGBB` */
  color: string;
}

/** Sorts by name, then id. Databases would sort by their locale. */
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

/** The color for the next tag that a person adds: the first of those that the fewest tags have. */
export function nextPaletteColor(tags: readonly Pick<Tag, "color">[]): string {
  const uses = (color: string) => tags.filter((tag) => tag.color.toUpperCase() === color).length;
  return palette.reduce<string>((least, color) => (uses(color) < uses(least) ? color : least), palette[0]);
}

/** The color of a tag that an import or a program adds without one: always the same for the same name. */
export function paletteColor(name: string): string {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return palette[sum % palette.length] ?? palette[0];
}
