// Programs of assistants sign in through the real consent page in a browser: mcp-remote, the MCP inspector and fastmcp. Each
// lists and calls every tool, refreshes its token, and loses access in each of the three ways.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { delimiter, join } from "node:path";
import test, { after } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Page } from "playwright-core";
import { hourMs } from "../../../src/campaign/calendar/durations.ts";
import { componentNames } from "../../../src/http/server/components.ts";
import { deleteUser, listUsers, saveUser } from "../../../src/storage/users/users.ts";
import { closeBrowser } from "../../support/browser.ts";
import { isFullSize, report } from "../../support/random-cases.ts";
import { openSite, press } from "../../support/site.ts";
import { campaign, makeFolder, serve } from "../../support/world.ts";
import { virtualEnvironment } from "./virtual-environment.ts";

const execute = promisify(execFile);
const packages = ["mcp-remote@0.15.1", "@modelcontextprotocol/inspector@2.12.0"];
const values: Record<string, unknown> = { id: 1, metric: "open_rate", ids: [1, 2] };

interface Program {
  /** Lists the tools and calls each. @returns how many there are */
  call(): Promise<number>;
  version: string;
}

type Schema = { required?: string[]; properties?: Record<string, unknown> };
const argumentsOf = ({ required = [], properties = {} }: Schema) =>
  Object.fromEntries(
    [...required, ...("ids" in properties ? ["ids"] : [])].map((name) => [name, values[name]]),
  );

/** Some programs open the browser before they listen for its answer. */
async function waitUntilListening({ hostname, port }: URL): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const socket = connect(Number(port), hostname);
    const isListening = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isListening) return;
    await delay(100);
  }
}

if (isFullSize) {
  after(closeBrowser);
  const folder = makeFolder({ after });
  // The URL stays the same while the service behind it is replaced.
  let port = 0;
  const forwarder = createTcpServer((socket) => {
    const target = connect(port, "127.0.0.1");
    socket.pipe(target).pipe(socket);
    for (const each of [socket, target]) each.on("error", () => [socket, target].map((one) => one.destroy()));
  });
  forwarder.listen(0, "127.0.0.1");
  await once(forwarder, "listening");
  after(() => forwarder.close());
  const url = `http://127.0.0.1:${(forwarder.address() as AddressInfo).port}`;
  const publicUrl = () => url;
  const site = await openSite({ after }, { open: componentNames, publicUrl });
  const { world, organization } = site;
  await world.save(organization, [campaign({ id: 1 }), campaign({ id: 2 })]);
  const closed = await serve({ after }, world, { publicUrl });
  port = site.service.port;

  /** What the program opened in the browser, and what the user does there. */
  const opened: string[] = [];
  let window: Page | undefined;
  const browser = createServer(async (request, response) => {
    response.end();
    const asked = new URL(request.url ?? "", url).searchParams.get("url") ?? "";
    // Python opens a URL again when the program has ended before it looks.
    if (opened.includes(asked)) return;
    opened.push(asked);
    const { searchParams } = new URL(asked);
    const answer = new URL(searchParams.get("redirect_uri") ?? "");
    await waitUntilListening(answer);
    if (window) {
      await window.goto(asked);
      await press(window, "Allow");
    } else {
      answer.search = String(
        new URLSearchParams({ error: "access_denied", state: searchParams.get("state") ?? "", iss: url }),
      );
      await fetch(answer).catch(() => undefined);
    }
  });
  browser.listen(0, "127.0.0.1");
  await once(browser, "listening");
  after(() => browser.close());
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const opener = join(bin, "xdg-open");
  const browserUrl = `http://127.0.0.1:${(browser.address() as AddressInfo).port}/`;
  writeFileSync(opener, `#!/bin/sh\nexec curl -sG ${browserUrl} --data-urlencode "url=$1"\n`, {
    mode: 0o755,
  });
  const env: Record<string, string> = {
    ...(process.env as Record<string, string>),
    ...{ PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: folder, BROWSER: opener, DISPLAY: ":0" },
    ...{
      MCP_REMOTE_CONFIG_DIR: join(folder, "mcp-remote"),
      MCP_AUTO_OPEN_ENABLED: "true",
      MCP_INSPECTOR_SECRET_STORE: "file",
    },
  };
  const modules = join(import.meta.dirname, "../../../node_modules/.cache/connectors-npm");
  mkdirSync(modules, { recursive: true });
  const installed = execute("npm", ["install", "--silent", "--prefix", modules, ...packages]);

  const programs: Record<string, () => Promise<Program>> = {
    async "mcp-remote"() {
      await installed;
      return {
        version: packages[0]?.split("@").at(-1) ?? "",
        async call() {
          const file = join(modules, "node_modules/mcp-remote/dist/proxy.js");
          const argv = [file, `${url}/mcp`, "--allow-http"];
          const transport = new StdioClientTransport({
            ...{ command: process.execPath, args: argv, env, stderr: "ignore" },
          });
          const client = new Client({ name: "check", version: "1.0.0" });
          try {
            await client.connect(transport);
            const { tools } = await client.listTools();
            for (const { name, inputSchema } of tools) {
              const result = await client.callTool({ name, arguments: argumentsOf(inputSchema as Schema) });
              assert.ok(!result.isError, JSON.stringify(result));
            }
            return tools.length;
          } finally {
            await client.close();
          }
        },
      };
    },
    async inspector() {
      await installed;
      const file = join(
        modules,
        "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
      );
      const inspect = async (...given: string[]) => {
        const argv = [file, "--cli", `${url}/mcp`, "--transport", "http", ...given];
        const { stdout } = await execute(process.execPath, argv, { env, timeout: 90_000 });
        return JSON.parse(stdout);
      };
      return {
        version: packages[1]?.split("@").at(-1) ?? "",
        async call() {
          const { tools } = await inspect("--method", "tools/list");
          for (const { name, inputSchema } of tools as { name: string; inputSchema: Schema }[]) {
            const pairs = Object.entries(argumentsOf(inputSchema)).flatMap(([key, value]) => [
              "--tool-arg",
              `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
            ]);
            const result = await inspect("--method", "tools/call", "--tool-name", name, ...pairs);
            assert.ok(!result.isError, JSON.stringify(result));
          }
          return tools.length;
        },
      };
    },
    async fastmcp() {
      const bin = await virtualEnvironment("main");
      const { stdout } = await execute(join(bin, "python"), [
        "-c",
        'from importlib.metadata import version; print(version("fastmcp"))',
      ]);
      const [script, tokens] = [join(import.meta.dirname, "fastmcp_sign_in.py"), join(folder, "fastmcp")];
      mkdirSync(tokens);
      const startedAt = world.clock.now;
      return {
        version: stdout.trim(),
        async call() {
          const later = (world.clock.now - startedAt) / 1000;
          const argv = [script, `${url}/mcp`, tokens, String(later)];
          const { stdout } = await execute(join(bin, "python"), argv, { env, timeout: 90_000 });
          return Number(stdout);
        },
      };
    },
  };

  for (const [name, begin] of Object.entries(programs)) {
    test(`${name} signs in, refreshes, and loses access with the user, the session and MCP`, async () => {
      const program = await begin();
      const signIn = async (email: string) => {
        const page = await site.openWindowOf("viewer", { email });
        // Pages of the program load what they like.
        window = await page.context().newPage();
        const tools = await program.call();
        window = undefined;
        return { page, tools };
      };
      const isRefused = async (why: string) => {
        const before = opened.length;
        await assert.rejects(program.call(), why);
        return opened.length > before;
      };
      const email = `${name}@example.com`;
      const { page, tools } = await signIn(email);
      assert.ok(tools >= 5);
      const asked = opened.length;
      assert.equal(await program.call(), tools);
      world.clock.now += hourMs + 60_000;
      assert.equal(await program.call(), tools, "refreshed");
      const change = (work: "role" | "remove", of: string) =>
        world.write(organization, async (scope) => {
          const user = (await listUsers(scope)).find((each) => each.email === of);
          assert.ok(user);
          if (work === "role") await saveUser(scope, user, { role: "admin" });
          else await deleteUser(scope, user);
        });
      await change("role", email);
      assert.equal(await program.call(), tools, "another role reads the same");
      assert.equal(opened.length, asked, "without another sign-in");

      await page.goto(`${url}/settings/account`);
      await page
        .getByRole("row", { name: /\(127\.0\.0\.1:\d+\)|\(localhost:\d+\)/ })
        .getByRole("button")
        .click();
      await page.getByRole("status").waitFor();
      const asksAgain = await isRefused("its session was ended under Account");

      await signIn(`second-${email}`);
      await change("remove", `second-${email}`);
      await isRefused("its user was removed");

      await signIn(`third-${email}`);
      port = closed.port;
      await isRefused("MCP is off");
      port = site.service.port;
      report(
        `${name} ${program.version}: signed in three times, ${tools} tools called, refreshed, refused after each of three ends${asksAgain ? ", then asks to sign in" : ""}`,
      );
    });
  }
}
