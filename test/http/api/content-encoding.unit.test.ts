// Negotiation of the content encoding (RFC 9110, 12.5.3).

import assert from "node:assert/strict";
import test from "node:test";
import { encodingFor } from "../../../src/http/api/content-encoding.ts";

const negotiated: Record<string, string[]> = {
  br: ["br", "gzip, deflate, br, zstd", "gzip;q=1, br", "*", "gzip;q=0.5, br;q=0.5", "br;q=1.0, *;q=0.1"],
  gzip: ["gzip", "X-GZIP", "gzip; q=0.8, deflate", "br;q=0, *", "br;q=0.2, gzip;q=0.8", "br;q=0.5, *"],
  identity: ["", "identity", "zstd", "gzip;q=0", "*;q=0", "br;q=0, gzip;q=0, *", "identity, gzip;q=0.5"],
};

test("negotiates the encoding that the client prefers, and the smallest of several equal ones", () => {
  assert.equal(encodingFor(undefined), "identity");
  for (const [encoding, headers] of Object.entries(negotiated)) {
    for (const header of headers) assert.equal(encodingFor(header), encoding, header);
  }
});
