// The fictional company of the demo and of sample data.

import written from "./company.json" with { type: "json" };

export interface Company {
  organization: { name: string; timeZone: string };
  /** The domain of its sender addresses. */
  domain: string;
  /** The Monday of its first campaigns. */
  firstDay: number;
  /** The hour at which its working day starts, in UTC. It may be on the evening before. */
  firstHour: number;
  /** The groups with the number of people in them, three years after the first day. */
  groups: readonly { name: string; size: number }[];
  /** The seed of its random numbers, which makes them reproducible. */
  seed: number;
}

export const company: Company = { ...written.company, firstDay: Date.parse(written.company.firstDay) };
