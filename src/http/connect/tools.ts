// The table of tools that connect to the service. Cards and documentation come from it.

import type { ConnectTool } from "./connect-tool.ts";
import { programs } from "./programs.ts";

export const tools: readonly ConnectTool[] = [...programs];
