// The fictional company of the demo: the head office, which `demo` serves, and a branch in each of four regions, which
// `demo --regions` serves. Each branch has different data, so that its origin is obvious.

import company from "./company.json" with { type: "json" };

export interface Branch {
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

const toBranch = (written: (typeof company)["headOffice"]): Branch => ({
  ...written,
  firstDay: Date.parse(written.firstDay),
});

export const headOffice = toBranch(company.headOffice);

/** The branches, by region. */
export const branches: Record<string, Branch> = Object.fromEntries(
  Object.entries(company.branches).map(([region, branch]) => [region, toBranch(branch)]),
);
