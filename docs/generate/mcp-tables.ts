// Renders the tables of the MCP tools and of the conclusions in their answers.

import { conclusions } from "../../src/http/mcp/answer-schema.ts";
import { mcpTools } from "../../src/http/mcp/tools.ts";
import { code, table } from "./markdown.ts";

export function mcpToolTable(): string {
  const rows = Object.entries(mcpTools).map(([name, { description }]) => [code(name), description]);
  return table(["Tool", "Answers"], rows);
}

export function mcpConclusionTable(): string {
  const rows = Object.entries(conclusions).map(([name, meaning]) => [code(name), meaning]);
  return table(["`conclusion`", "Meaning"], rows);
}
