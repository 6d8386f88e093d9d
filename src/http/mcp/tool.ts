// A tool of the MCP server: what a client reads of it, and what it answers.

import type { Static, TSchema } from "typebox";
import type { LatestCommentsReader } from "../../listing/reports/latest-comments.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";

/** The organization of the key, and what tools read from. */
export interface ToolContext {
  organization: Organization;
  database: Database;
  comments: LatestCommentsReader;
  /** The public base URL, without a trailing slash. */
  publicUrl: string;
  /** Milliseconds since 1970. */
  now: number;
}

export interface Tool<Input extends TSchema = TSchema, Output extends TSchema = TSchema> {
  title: string;
  description: string;
  /** Has only what the schemas of Gemini have, too. `readArguments` refuses unknown names. */
  input: Input;
  output: Output;
  /** @throws AppError `bad_request` or `not_found` with a message for the assistant */
  run(context: ToolContext, input: Static<Input>): Promise<Static<Output>>;
}

/** Checks the types of a tool: its answer is of its schema. */
export function defineTool<Input extends TSchema, Output extends TSchema>(
  tool: Tool<Input, Output>,
): Tool<Input, Output> {
  return tool;
}
