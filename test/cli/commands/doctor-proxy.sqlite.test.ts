// `doctor` finds what is wrong with a proxy in front of the service, and what answers at PUBLIC_URL instead of the service.

import assert from "node:assert/strict";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import test, { type TestContext } from "node:test";
import { assertFindings, findingsOf } from "../../support/doctor.ts";
import { startServer } from "../../support/start-server.ts";
import { makeSqliteWorld, serve } from "../../support/world.ts";

/** Takes the head of a request, and returns what a proxy sends on, or an answer. */
type Rewrite = (head: string) => string;

const without = (name: string, head: string) => head.replace(new RegExp(`^${name}:.*\r\n`, "im"), "");
const answer = (status: string, more = "") => `HTTP/1.1 ${status}\r\n${more}Content-Length: 0\r\n\r\n`;
/** What every proxy should do. */
const appendAddress: Rewrite = (head) => head.replace(/^(x-forwarded-for:.*)\r\n/im, "$1, 198.51.100.7\r\n");

/** Passes every byte on, but for the head of the first request of a connection. @returns its URL */
async function startProxy(t: TestContext, port: number, rewrite: Rewrite): Promise<string> {
  const proxy = createTcpServer((client) => {
    client.once("data", (bytes) => {
      const head = rewrite(bytes.toString("latin1"));
      if (head.startsWith("HTTP/")) {
        client.end(head);
        return;
      }
      const service = connect(port, "127.0.0.1");
      service.write(head, "latin1");
      service.pipe(client).pipe(service);
      for (const socket of [service, client]) {
        socket.on("error", () => {
          client.destroy();
          service.destroy();
        });
      }
    });
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  t.after(() => proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

/** The findings about PUBLIC_URL and the proxy. */
async function foundAt(publicUrl: string, { databaseUrl }: { databaseUrl: string }, REGION = "test") {
  const environment = { DATABASE_URL: databaseUrl, REGION, PUBLIC_URL: publicUrl };
  const findings = await findingsOf(databaseUrl, [], { environment });
  return findings.filter(([check]) => check === "public_url" || check === "proxy");
}

const mistakes: Record<string, { rewrite: Rewrite; trustedProxies?: string[]; found: RegExp[] }> = {
  "nothing in a proxy that adds the client's address": { rewrite: appendAddress, found: [] },
  "a proxy that passes no X-Forwarded-For": {
    rewrite: (head) => without("x-forwarded-for", head),
    found: [/^proxy problem: The proxy passes no X-Forwarded-For, so all clients seem to have its address/],
  },
  "a proxy behind which clients can choose their address": {
    rewrite: (head) => head.replace("\r\n", "\r\nX-Proxy: yes\r\n"),
    found: [
      /^proxy problem: .*as clients send it, so they can choose their address\. Add the address, in nginx "/,
    ],
  },
  "a proxy that is not in TRUSTED_PROXIES": {
    rewrite: appendAddress,
    trustedProxies: [],
    found: [/^proxy warning: .*so all clients seem to have its address\. Set TRUSTED_PROXIES to that/],
  },
  "a proxy that speaks HTTP/1.0": {
    rewrite: (head) => appendAddress(head).replace("HTTP/1.1\r\n", "HTTP/1.0\r\n"),
    found: [/^proxy problem: The proxy speaks HTTP\/1\.0 .* in nginx "proxy_http_version 1\.1;"\.$/],
  },
  "a proxy that drops headers with an underscore": {
    rewrite: (head) => without("bearer_auth", appendAddress(head)),
    found: [/^proxy warning: The proxy drops the header bearer_auth/],
  },
  "a proxy that refuses large bodies": {
    rewrite: (head) =>
      /^content-length: \d{7}/im.test(head) ? answer("413 Payload Too Large") : appendAddress(head),
    found: [/^proxy problem: The proxy refuses bodies of 10 MiB, so senders lose events\. Raise its limit/],
  },
  "a proxy that redirects without end": {
    rewrite: (head) =>
      answer("301 Moved", `Location: http://${/^host: (.*)\r$/im.exec(head)?.[1]}/healthz\r\n`),
    found: [
      /^public_url problem: .*\/healthz redirects to itself, without end\. Start "serve", or correct PUBLIC_URL/,
    ],
  },
  "a PUBLIC_URL that redirects to another host": {
    rewrite: () => answer("302 Found", "Location: https://www.example.com/healthz\r\n"),
    found: [/^public_url problem: .*\/healthz redirects to https:\/\/www\.example\.com\/healthz\. /],
  },
  "a proxy that does not reach the service": {
    rewrite: () => answer("502 Bad Gateway"),
    found: [
      /^public_url problem: .*answers with the status 502, and the proxy does not reach the service\. Start "serve"/,
    ],
  },
};

for (const [name, { rewrite, trustedProxies = ["127.0.0.1"], found }] of Object.entries(mistakes)) {
  test(`doctor finds ${name}`, async (t) => {
    const world = await makeSqliteWorld(t);
    const { port } = await serve(t, world, { trustedProxies });
    const findings = await foundAt(await startProxy(t, port, rewrite), world);
    assertFindings(findings, found);
  });
}

test("doctor finds nothing about proxies where there is none", async (t) => {
  const world = await makeSqliteWorld(t);
  for (const trustedProxies of [[], ["127.0.0.1"]]) {
    const { url } = await serve(t, world, { trustedProxies });
    assert.deepEqual(await foundAt(url, world), []);
  }
});

test("doctor finds a PUBLIC_URL at which another program says that it is healthy", async (t) => {
  const world = await makeSqliteWorld(t);
  const respond: RequestListener = (_request, response) => response.end('{"status":"UP"}');
  const { url } = await startServer(t, respond);
  const message = `${url}/healthz answers with the status 200, and not as this service does. Start "serve", or correct PUBLIC_URL, DNS or proxy.`;
  assert.deepEqual(await foundAt(url, world), [["public_url", "problem", message]]);
});

test("doctor says that a port of a https URL speaks http", async (t) => {
  const world = await makeSqliteWorld(t);
  const { url } = await serve(t, world);
  const [[, , message] = []] = await foundAt(url.replace("http:", "https:"), world);
  assert.match(String(message), /\/healthz does not speak TLS \(\w+\): the port takes http, not https\. /);
});
