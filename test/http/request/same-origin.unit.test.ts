// Whether a form was sent from one of our own pages.

import assert from "node:assert/strict";
import test from "node:test";
import type { FastifyRequest } from "fastify";
import { isSameOrigin } from "../../../src/http/request/same-origin.ts";

test("accepts a form by Sec-Fetch-Site, else by its Origin, else from a client that sends neither", () => {
  const cases: [headers: Record<string, string>, expected: boolean][] = [
    [{ "sec-fetch-site": "same-origin" }, true],
    [{ "sec-fetch-site": "none" }, true],
    [{ "sec-fetch-site": "same-site" }, false],
    [{ "sec-fetch-site": "cross-site" }, false],
    // Sec-Fetch-Site decides, whatever the Origin is.
    [{ "sec-fetch-site": "same-origin", origin: "https://evil.example" }, true],
    [{ "sec-fetch-site": "cross-site", origin: "https://own.example" }, false],
    [{ origin: "https://own.example" }, true],
    [{ origin: "http://inside.example:8080" }, true],
    [{ origin: "http://inside.example" }, false],
    [{ origin: "https://evil.example" }, false],
    [{ origin: "https://own.example.evil.example" }, false],
    [{ origin: "null" }, false],
    [{ origin: "" }, false],
    [{}, true],
  ];
  for (const [headers, expected] of cases) {
    const request = { headers: { host: "inside.example:8080", ...headers } } as unknown as FastifyRequest;
    assert.equal(isSameOrigin(request, "https://own.example/path"), expected, JSON.stringify(headers));
  }
});
