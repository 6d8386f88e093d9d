// The files and commands for assistants: their URL and header reach the tools.

import assert from "node:assert/strict";
import test from "node:test";
import { fillInText } from "../../../src/http/connect/connector-text.ts";
import { tools } from "../../../src/http/connect/tools.ts";
import { componentNames } from "../../../src/http/server/components.ts";
import { key, textOf, world } from "../../support/connectors.ts";
import { sendMcp } from "../../support/mcp.ts";
import { serve } from "../../support/world.ts";

const variable = /\$\{(?:env:EMAIL_ANALYTICS_KEY|input:email-analytics-key)\}/;

test("the files of assistants name the URL, and send the key in a header without containing it", async (t) => {
  const { url } = await serve(t, world, { open: componentNames });
  for (const path of ["cursor/mcp.json", "vs-code/mcp.json"]) {
    const file = JSON.parse(textOf(path).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, url));
    const { "email-analytics": server } = file.mcpServers ?? file.servers;
    assert.equal(server.url, `${url}/mcp`);
    assert.match(server.headers.Authorization, variable);
    const { status, message } = await sendMcp({ url, key: "" }, "tools/list", undefined, {
      authorization: server.headers.Authorization.replace(variable, key),
    });
    assert.equal(status, 200);
    assert.equal(JSON.stringify(message?.result).split("outputSchema").length, 6);
  }
});

test("the commands of assistants name the URL and the key, or its variable", () => {
  const commands = tools.flatMap(({ id, steps }) =>
    id === "claude" || id === "chatgpt" ? steps.flatMap((step) => step.commands ?? []) : [],
  );
  const filled = commands.map((command) =>
    fillInText(command, { address: "https://example.com", organization: 1, key: "ea_k" }),
  );
  assert.deepEqual(
    filled.filter((command) => command.includes("mcp add")),
    [
      'claude mcp add --scope user --transport http email-analytics https://example.com/mcp --header "Authorization: Bearer ea_k"',
      "codex mcp add email-analytics --url https://example.com/mcp --bearer-token-env-var EMAIL_ANALYTICS_KEY",
    ],
  );
});
