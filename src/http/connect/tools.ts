// The table of tools that connect to the service. Pages and documentation come from it.

import { assistants } from "./assistants.ts";
import type { ConnectTool } from "./connect-tool.ts";
import { dashboards } from "./dashboards.ts";
import { pipelines } from "./pipelines.ts";
import { programs } from "./programs.ts";
import { reports } from "./reports.ts";

/** By use, the most common ones first. */
export const toolGroups = { reports, dashboards, programs, assistants, pipelines } as const satisfies Record<
  string,
  readonly ConnectTool[]
>;
export const tools: readonly ConnectTool[] = Object.values(toolGroups).flat();
