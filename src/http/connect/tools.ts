// The table of tools that connect to the service, in groups. Cards and documentation come from it.

import { assistants } from "./assistants.ts";
import type { ConnectTool } from "./connect-tool.ts";
import { dashboards } from "./dashboards.ts";
import { pipelines } from "./pipelines.ts";
import { programs } from "./programs.ts";
import { reports } from "./reports.ts";

export const toolGroups = { assistants, reports, dashboards, pipelines, programs } as const satisfies Record<
  string,
  readonly ConnectTool[]
>;

export type ToolGroup = keyof typeof toolGroups;

export const tools: readonly ConnectTool[] = Object.values(toolGroups).flat();
