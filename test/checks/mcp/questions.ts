// Questions of communicators as calls of the tools: the same 200 in every world.

export interface Question {
  tool: "find_campaigns" | "trend" | "compare" | "explain_campaign";
  input: Record<string, unknown>;
}

const periods = ["7d", "30d", "90d", "month", "quarter", "year", "12m", "all"];
const selections: Record<string, unknown>[] = [
  {},
  { team: "Team A" },
  { team: "Team B", traffic: "all" },
  { tags: ["News"] },
  { tags: ["Policy", "News"], surveys: "rated" },
  { sending_type: "Immediate" },
  { subject_words: "week" },
  { from: "2026-04-01", until: "2026-05-31" },
  { group: "Everybody", traffic: "people" },
  { surveys: "none" },
];
const sorts = "sent_at open_rate click_rate click_to_open_rate read_time enps average_rating".split(" ");
const counts = ["recipients", "opens", "clicks", "comments"];
const metrics = ["open_rate", "click_rate", "click_to_open_rate", "enps", "campaigns"];

const find = [...sorts, ...counts].flatMap((sort, index) =>
  selections.slice(0, 5).map((selection, at) => ({
    tool: "find_campaigns" as const,
    input: {
      ...{ period: "all", ...selection, sort, limit: 25 },
      ...(selection.from !== undefined && { period: undefined }),
      ascending: (index + at) % 3 === 0,
    },
  })),
);
const trends = metrics.flatMap((metric, index) => [
  ...periods.map((period, at) => ({
    tool: "trend" as const,
    input: { metric, period, compare: ["previous", "year", "none"][(index + at) % 3] },
  })),
  ...selections.map((selection) => ({ tool: "trend" as const, input: { metric, ...selection } })),
]);
const groups = ["team", "tag"].flatMap((by) =>
  selections
    .slice(0, 6)
    .map((selection) => ({ tool: "compare" as const, input: { by, period: "all", ...selection } })),
);
const pairs = Array.from({ length: 15 }, (_, index) => ({
  tool: "compare" as const,
  input: { ids: [1 + index, 2 + ((index * 7) % 20) + 15], ...(index % 4 === 0 && { traffic: "all" }) },
}));
const single = Array.from({ length: 22 }, (_, index) => ({
  tool: "explain_campaign" as const,
  input: { id: 1 + ((index * 3) % 36), ...(index % 5 === 0 && { traffic: "all" }) },
}));

/** JSON has no undefined. */
export const questions: readonly Question[] = JSON.parse(
  JSON.stringify([...find, ...trends, ...groups, ...pairs, ...single]),
);
