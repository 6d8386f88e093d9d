// Assistants sign in through a real browser, with the official client of MCP.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import type { Page } from "playwright-core";
import { componentNames } from "../../../src/http/server/components.ts";
import { findPageProblems } from "../../support/axe.ts";
import { closeBrowser } from "../../support/browser.ts";
import { openSite, press, titleOf } from "../../support/site.ts";
import type { Cleanup } from "../../support/world.ts";

after(closeBrowser);

test("an assistant signs in through the browser, reads, and loses access when its session ends", async (t) => {
  const site = await openSite(t, { open: componentNames });
  const page = await site.openWindowOf("viewer");
  const assistant = await makeAssistant(t, site.url, page);
  await assistant.connect();
  assert.ok((await assistant.tools())?.includes("find_campaigns"));
  await page.goto(`${site.url}/settings/account`);
  const row = page.getByRole("row", { name: /Claude \(127\.0\.0\.1:\d+\)/ });
  await row.getByRole("button").click();
  await page.getByRole("status").waitFor();
  await assert.rejects(assistant.tools());
});

async function makeAssistant(t: Cleanup, url: string, page: Page) {
  const callbacks: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/callback"))
      callbacks.push(new URL(request.url, "http://localhost").searchParams);
    response.end("signed in");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const stored: Record<string, never> = {};
  const save = (name: string) => (value: unknown) => void Object.assign(stored, { [name]: value });
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: "Claude", redirect_uris: [redirectUrl] },
    clientInformation: () => stored.client,
    saveClientInformation: save("client"),
    tokens: () => stored.tokens,
    saveTokens: save("tokens"),
    saveCodeVerifier: save("verifier"),
    codeVerifier: () => stored.verifier ?? "",
    saveDiscoveryState: save("discovery"),
    discoveryState: () => stored.discovery,
    async redirectToAuthorization(authorization) {
      await page.goto(authorization.href);
      assert.equal(await titleOf(page), "Connect Claude?");
      assert.deepEqual(await findPageProblems(page), []);
      await press(page, "Allow");
      await page.waitForURL(`${redirectUrl}**`);
    },
  };
  const info = { name: "test", version: "1.0.0" };
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider });
  const client = new Client(info);
  return {
    async connect() {
      const first = transport();
      await assert.rejects(new Client(info).connect(first));
      await first.finishAuth(callbacks.at(-1) as URLSearchParams);
      await client.connect(transport());
      t.after(() => client.close());
    },
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
  };
}
