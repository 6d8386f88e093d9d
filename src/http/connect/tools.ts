// The table of tools that connect to the service. Cards and documentation come from it.

import type { ConnectTool } from "./connect-tool.ts";
import { dashboards } from "./dashboards.ts";
import { pipelines } from "./pipelines.ts";
import { programs } from "./programs.ts";
import { reports } from "./reports.ts";

export const tools: readonly ConnectTool[] = [...reports, ...dashboards, ...pipelines, ...programs];
