// The fictional company of the demo: the head office, which `demo` serves, and a branch in each of four regions, which
// `demo --regions` serves. Each branch has different data, so that its origin is obvious.

interface Group {
  name: string;
  size: number;
}

export interface Branch {
  organization: { name: string; timeZone: string };
  /** The domain of its sender addresses. */
  domain: string;
  /** The Monday of its first campaigns. */
  firstDay: number;
  /** The hour at which its working day starts, in UTC. */
  firstHour: number;
  /** With the number of people in them, three years after the first day. */
  groups: readonly Group[];
  /** The seed of its random numbers, which makes them reproducible. */
  seed: number;
}

export const headOffice: Branch = {
  organization: { name: "Lindgren & Sons", timeZone: "Europe/Stockholm" },
  domain: "lindgren.example",
  firstDay: Date.UTC(2023, 0, 2),
  firstHour: 7,
  groups: [
    { name: "Stockholm", size: 82 },
    { name: "Göteborg", size: 42 },
    { name: "Warehouse", size: 32 },
    { name: "Sales", size: 24 },
    { name: "Managers", size: 12 },
  ],
  seed: 20230102,
};

/** By region. */
export const branches: Record<string, Branch> = {
  us: {
    organization: { name: "Lindgren & Sons US", timeZone: "America/Chicago" },
    domain: "us.lindgren.example",
    firstDay: Date.UTC(2023, 6, 3),
    firstHour: 14,
    groups: [
      { name: "Chicago", size: 82 },
      { name: "Seattle", size: 52 },
      { name: "Sales", size: 28 },
    ],
    seed: 1,
  },
  eu: {
    organization: { name: "Lindgren & Sons EU", timeZone: "Europe/Berlin" },
    domain: "eu.lindgren.example",
    firstDay: Date.UTC(2023, 0, 2),
    firstHour: 7,
    groups: [
      { name: "Hamburg", size: 104 },
      { name: "Lyon", size: 66 },
      { name: "Warehouse", size: 38 },
    ],
    seed: 2,
  },
  ca: {
    organization: { name: "Lindgren & Sons CA", timeZone: "America/Toronto" },
    domain: "ca.lindgren.example",
    firstDay: Date.UTC(2024, 0, 1),
    firstHour: 13,
    groups: [
      { name: "Toronto", size: 46 },
      { name: "Montréal", size: 34 },
      { name: "Managers", size: 8 },
    ],
    seed: 3,
  },
  au: {
    organization: { name: "Lindgren & Sons AU", timeZone: "Australia/Sydney" },
    domain: "au.lindgren.example",
    firstDay: Date.UTC(2025, 0, 6),
    // In UTC the working day starts on the evening before.
    firstHour: -3,
    groups: [
      { name: "Sydney", size: 40 },
      { name: "Perth", size: 26 },
    ],
    seed: 4,
  },
};
