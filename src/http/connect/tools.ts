// The table of tools that connect to the service. Pages and documentation come from it.

import { basename, extname } from "node:path";
import { assistants } from "./assistants.ts";
import type { ConnectorFile, ConnectTool, ToolEntry } from "./connect-tool.ts";
import { dashboards } from "./dashboards.ts";
import { pipelines } from "./pipelines.ts";
import { programs } from "./programs.ts";
import { reports } from "./reports.ts";

/** By use, the most common ones first. */
export const toolGroups = { reports, dashboards, programs, assistants, pipelines } as const satisfies Record<
  string,
  readonly ToolEntry[]
>;

/** By the ending of the file, all of them text. Others are downloaded as they are. */
const contentTypes: Readonly<Record<string, string>> = {
  ".dax": "text/plain",
  ".gs": "text/javascript",
  ".js": "text/javascript",
  ".json": "application/json",
  ".odc": "text/x-ms-odc",
  ".pq": "text/plain",
  ".py": "text/x-python",
  ".sql": "application/sql",
  ".txt": "text/plain",
  ".yaml": "application/yaml",
  ".yml": "application/yaml",
};

export const tools: readonly ConnectTool[] = Object.values(toolGroups)
  .flat()
  .map(({ steps, files = [], ...tool }: ToolEntry) => ({
    ...tool,
    steps: steps.map((step) => (typeof step === "string" ? { text: step } : step)),
    files: files.map(fileOf),
  }));

function fileOf(path: string): ConnectorFile {
  const type = contentTypes[extname(path)];
  const contentType = type === undefined ? "application/octet-stream" : `${type}; charset=utf-8`;
  return { path, name: basename(path), contentType };
}
