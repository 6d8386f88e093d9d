// Two clients of MCP: JSON-RPC written by hand over fetch, and the official one, of the current and the former revision.

import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as FormerClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FormerTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Cleanup } from "./world.ts";

export interface McpServer {
  /** Of the service, without a path. */
  url: string;
  key: string;
}

/** A message as a client sends it, and the answer. */
export interface McpAnswer {
  status: number;
  /** The response to the message: `result` or `error`; undefined if the body is no message. */
  message: { result?: Record<string, unknown>; error?: { code: number; message: string } } | undefined;
  text: string;
}

let lastId = 0;

/** Sends one message of the revision 2025-06-18, without a handshake: the server has no sessions. */
export async function sendMcp(
  { url, key }: McpServer,
  method: string,
  params?: unknown,
  headers: Record<string, string> = {},
): Promise<McpAnswer> {
  lastId += 1;
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-06-18",
      connection: "close",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: lastId, method, ...(params !== undefined && { params }) }),
  });
  const text = await response.text();
  // An event stream of one event, or the message alone.
  const [, event] = /^data: ([^\r\n]*)/m.exec(text) ?? [];
  const body: string = event ?? text;
  const parsed: McpAnswer["message"] & { jsonrpc?: string } = body.startsWith("{")
    ? JSON.parse(body)
    : undefined;
  return { status: response.status, message: parsed?.jsonrpc === "2.0" ? parsed : undefined, text };
}

export interface ToolResult {
  structuredContent?: Record<string, unknown>;
  content: { type: string; text: string }[];
  isError?: boolean;
}

/** Calls a tool. A JSON-RPC error fails. */
export async function callTool(
  server: McpServer,
  name: string,
  input: Record<string, unknown> = {},
): Promise<ToolResult> {
  const { status, message, text } = await sendMcp(server, "tools/call", { name, arguments: input });
  assert.equal(status, 200, text);
  assert.ok(message?.result, text);
  return message.result as unknown as ToolResult;
}

/** The answer of a tool, which has to succeed. */
export async function answerOfTool<Answer = Record<string, unknown>>(
  server: McpServer,
  name: string,
  input: Record<string, unknown> = {},
): Promise<Answer> {
  const { structuredContent, content, isError } = await callTool(server, name, input);
  assert.ok(!isError, String(content[0]?.text));
  assert.deepEqual(JSON.parse(content[0]?.text ?? ""), structuredContent);
  return structuredContent as Answer;
}

const clientInfo = { name: "test", version: "1.0.0" };

/** The official client, which also checks each answer against the schema of its tool. */
export async function connectClient(test: Cleanup, { url, key }: McpServer): Promise<Client> {
  const client = new Client(clientInfo);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  );
  test.after(() => client.close());
  return client;
}

/** The official client before the revision of 2026. */
export async function connectFormerClient(test: Cleanup, { url, key }: McpServer): Promise<FormerClient> {
  const client = new FormerClient(clientInfo);
  const transport = new FormerTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport as Parameters<FormerClient["connect"]>[0]);
  test.after(() => client.close());
  return client;
}
