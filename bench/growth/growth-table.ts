// Renders what was measured with growing numbers of campaigns as a Markdown table.

import { table } from "../read/performance-page.ts";
import type { Growth } from "./growth.ts";

type Column = [title: string, value: (growth: Growth) => string];

const columns: Column[] = [
  ["Campaigns", ({ name }) => name],
  ["Import, µs per campaign", ({ importUs }) => importUs.toFixed(0)],
  ["Start, ms", ({ startUs }) => (startUs / 1000).toFixed(0)],
  ["First request, ms", ({ firstRequestUs }) => (firstRequestUs / 1000).toFixed(0)],
  ...["first", "last", "random", "month", "tags"].map(
    (kind): Column => [`Page, µs: ${kind}`, ({ pagesUs }) => pagesUs[kind]?.toFixed(0) ?? ""],
  ),
  ["Disk, MB", ({ diskBytes }) => (diskBytes / 1e6).toFixed(0)],
  ["Disk, bytes per campaign", ({ diskBytes, campaigns }) => (diskBytes / campaigns).toFixed(0)],
  ["Memory, MB", ({ memoryBytes }) => (memoryBytes / 1e6).toFixed(0)],
];

export function growthTable(rows: readonly Growth[]): string {
  return table(
    columns.map(([title]) => title),
    rows.map((growth) => columns.map(([, value]) => value(growth))),
  );
}
