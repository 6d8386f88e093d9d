// Sends random calls to the MCP server: no failure, no number of another organization, and no answer that its schema refuses.

import assert from "node:assert/strict";
import { Compile, type Validator } from "typebox/schema";
import { mcpTools } from "../../../src/http/mcp/tools.ts";
import { componentNames } from "../../../src/http/server/components.ts";
import { Random } from "../../support/histories.ts";
import { randomCases, report } from "../../support/random-cases.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { campaign, makeWorld, present, serve } from "../../support/world.ts";
import { changeText, changeValue, oddText } from "../fuzz/random-text.ts";
import { questions } from "./questions.ts";

const calls = randomCases(150, 1_000_000);
const connections = 8;
const callsPerLine = 10_000;
const names = [...Object.keys(mcpTools), "drop", "__proto__", ""];
const methods =
  "tools/call tools/list initialize ping resources/list subscriptions/listen logging/setLevel".split(" ");
const versions = ["2025-11-25", "2025-06-18", "2026-07-28", "2024-11-05", "1", ""];
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "fuzz", version: "1" },
};
const mark = "Only the other organization has this subject";

sqliteTest("random calls get only documented answers, and nothing of another organization", async (t) => {
  const world = await makeWorld(t);
  const service = await serve(t, world, { open: componentNames });
  const [own, other] = [await world.addOrganization(), await world.addOrganization({ name: mark })];
  const campaigns = (subject: string) =>
    Array.from({ length: 40 }, (_, index) =>
      campaign({
        id: index + 1,
        subject: `${subject} ${index}`,
        sentAt: present - index * 86_400_000,
        tags: [subject.slice(0, 20)],
      }),
    );
  await world.save(own.organization, campaigns("The week in brief"));
  await world.save(other.organization, campaigns(mark));
  const random = new Random(calls);
  const counts: Record<string, number> = {};
  let left = calls;
  const sendAll = async () => {
    for (; left > 0; left--) {
      const { body, headers, tool } = randomCall(random);
      const response = await fetch(`${service.url}/mcp`, {
        method: "POST",
        headers: { authorization: `Bearer ${own.key}`, ...headers },
        body,
      });
      const { status } = response;
      const text = await response.text();
      const outcome = checkAnswer({ status, text }, tool);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      if (left % callsPerLine === 1) report(`${calls - left + 1} calls: ${JSON.stringify(counts)}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, sendAll));
  assert.ok((counts.answer ?? 0) > calls / 20, JSON.stringify(counts));
  const faults = service.logged.filter(({ level }) => Number(level) >= 50);
  assert.deepEqual(faults, []);
});

interface RandomCall {
  body: string;
  headers: Record<string, string>;
  tool: string;
}

function randomCall(random: Random): RandomCall {
  const question = random.pick(questions);
  const tool = random.chance(80) ? question.tool : random.pick(names);
  const isCurrent = random.chance(50);
  const method = random.chance(90) ? "tools/call" : random.pick(methods);
  const params = {
    name: tool,
    arguments: randomInput(random, question.input),
    ...(isCurrent && { _meta: meta }),
  };
  const message = { jsonrpc: "2.0", id: random.pick([1, "a", 0]), method, params };
  // One that was nested deeply cannot be copied again.
  const isChanged = params.arguments !== question.input;
  const document = isChanged || random.chance(60) ? message : changeValue(random, message);
  const text = JSON.stringify(document) ?? "";
  const body = random.chance(97) ? text : changeText(random, text);
  const version = random.chance(90) ? (isCurrent ? "2026-07-28" : "2025-06-18") : random.pick(versions);
  const headers = {
    "content-type": random.chance(98)
      ? "application/json"
      : random.pick(["text/plain", "application/json; charset=x"]),
    accept: random.chance(98) ? "application/json, text/event-stream" : random.pick(["*/*", "text/html"]),
    "mcp-protocol-version": version,
    ...(isCurrent && {
      "mcp-method": method,
      "mcp-name": random.chance(95) ? encodeURIComponent(tool) : "x",
    }),
  };
  return { body, headers, tool };
}

function randomInput(random: Random, input: Record<string, unknown>): unknown {
  if (random.chance(40)) return input;
  if (random.chance(50)) return changeValue(random, input);
  const fields = Object.values(mcpTools).flatMap(({ input: schema }) =>
    Object.keys((schema as { properties: object }).properties),
  );
  const given = Array.from({ length: random.between(1, 4) }, () => [random.pick(fields), oddValue(random)]);
  return { ...input, ...Object.fromEntries(given) };
}

const oddValue = (random: Random): unknown => {
  const text = oddText(random);
  return random.pick([text, [text], random.between(-5, 60), -0, 1e21, null, true, {}, [1, 1], [1, 2]]);
};

const validators = new Map<string, Validator>();

/** @returns the kind of answer, for the report */
function checkAnswer({ status, text }: { status: number; text: string }, tool: string): string {
  assert.ok(!text.includes(mark), text.slice(0, 500));
  // A slow computer refuses some calls for now.
  assert.ok(status < 500 || (status === 503 && text.includes('"unavailable"')), `${status}: ${text}`);
  if (status !== 200) return String(status);
  const [, event] = /^data: ([^\r\n]*)/m.exec(text) ?? [];
  const { result, error } = JSON.parse(event ?? text);
  if (error) return "protocol error";
  if (result.isError) {
    // The SDK checks answers too, and then tells only the client.
    assert.doesNotMatch(text, /Output validation|The tool failed/);
    return "tool error";
  }
  if (!result.structuredContent) return "other result";
  const validator = validators.get(tool) ?? Compile(mcpTools[tool]?.output ?? {});
  validators.set(tool, validator);
  assert.ok(validator.Check(result.structuredContent), text);
  return "answer";
}
