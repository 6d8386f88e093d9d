// The table of tools that connect to the service. Cards and documentation come from it.

import type { ConnectTool } from "./connect-tool.ts";
import { dashboards } from "./dashboards.ts";
import { pipelines } from "./pipelines.ts";
import { programs } from "./programs.ts";
import { spreadsheets } from "./spreadsheets.ts";

export const tools: readonly ConnectTool[] = [...spreadsheets, ...dashboards, ...pipelines, ...programs];
