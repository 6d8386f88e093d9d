// The API key and the client in the headers of a request.

import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import test from "node:test";
import { generateApiKey } from "../../../src/access/api-key.ts";
import { callerOf } from "../../../src/http/request/credentials.ts";

const key = generateApiKey("test", 1);
const other = generateApiKey("test", 2);

/** A request with these headers, as Node parses it. Of repeated headers, `headers` has the first. */
function requestWith(...lines: [name: string, value: string][]): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  for (const [name, value] of lines) {
    request.rawHeaders.push(name, value);
    request.headers[name.toLowerCase()] ??= value;
  }
  return request;
}

/** The text of the key in these headers, or the message of the error. */
function found(...lines: [name: string, value: string][]): string {
  try {
    return callerOf(requestWith(...lines), "test").key.text;
  } catch (error) {
    return (error as Error).message;
  }
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

const missing = "The API key is missing. Send the header Authorization: Bearer <API_KEY>.";
const noPassword =
  "The header Authorization has no password. With Basic, send the key as the password or as the user name.";
const malformed =
  "The API key is malformed: it was cut or mistyped. Send the header Authorization: Bearer <API_KEY>.";
const unknownScheme =
  "The header Authorization has neither the scheme Bearer nor Basic. Send the header Authorization: Bearer <API_KEY>.";
const differ =
  "The request has two different credentials. Remove one of them. Send the header Authorization: Bearer <API_KEY>.";

test("returns the key and the User-Agent, which is empty if there is none", () => {
  const bearer: [string, string] = ["Authorization", `Bearer ${key}`];
  const caller = { text: key, region: "test", organizationId: 1 };
  assert.deepEqual(callerOf(requestWith(bearer, ["User-Agent", "curl/8.5.0"]), "test"), {
    key: caller,
    client: "curl/8.5.0",
  });
  assert.deepEqual(callerOf(requestWith(bearer), "test"), { key: caller, client: "" });
});

test("reads Authorization with the scheme Bearer in any letter case", () => {
  for (const scheme of ["Bearer ", "Bearer   ", "bearer ", "BEARER  "]) {
    assert.equal(found(["authorization", `${scheme}${key}`]), key, scheme);
    assert.equal(found(["authorization", `${scheme}${key} `]), key, scheme);
  }
  for (const empty of ["Bearer", "Bearer ", "bearer", "bearer "]) {
    assert.equal(found(["authorization", empty]), missing, empty);
  }
  for (const value of [key, `Token bearer ${key}`, `Bearertoken ${key}`, `Digest ${key}`, "Basic", ""]) {
    assert.equal(found(["authorization", value]), unknownScheme, value);
  }
});

test("reads Basic with the key as the password, as the user name, or as all of the text", () => {
  const cases: [text: string, expected: string][] = [
    [`:${key}`, key],
    [`user: ${key} `, key],
    [`${key}:`, key],
    [` ${key} : `, key],
    [`${key}:x`, key],
    [`${key}:${other}`, other],
    [key, key],
    ["user:x", malformed],
    ["user:a:b", malformed],
    [`${key}x:x`, malformed],
    [`user:x${key}`, malformed],
    ["user:", noPassword],
    [":", noPassword],
    ["user: ", noPassword],
  ];
  for (const [text, expected] of cases) {
    assert.equal(found(["Authorization", basic(text)]), expected, text);
    assert.equal(found(["Authorization", basic(text).replace("Basic ", "bAsIc   ")]), expected, text);
  }
  assert.equal(found(["Authorization", `${basic(`:${key}`)}  `]), key);
  assert.equal(found(["Authorization", `x${basic(`:${key}`)}`]), unknownScheme);
  assert.equal(found(["Authorization", `${basic(`:${key}`)} x`]), unknownScheme);
});

test("reads bearer_auth and bearer-auth with or without a scheme, wherever they are among the headers", () => {
  for (const name of ["bearer_auth", "Bearer-Auth", "BEARER_AUTH"]) {
    for (const value of [key, `Bearer ${key}`, `bearer   ${key}`, ` ${key} `]) {
      assert.equal(found(["Host", "x"], [name, value]), key, `${name}: ${value}`);
      assert.equal(found([name, value], ["Host", "x"]), key, `${name}: ${value}`);
    }
    for (const empty of ["", "Bearer", "bearer "]) assert.equal(found([name, empty]), missing);
    assert.equal(found([name, `x Bearer ${key}`]), malformed);
    assert.equal(found([name, `Bearer${key}`]), malformed);
  }
  assert.equal(found(["Host", "x"]), missing);
  assert.equal(
    found(["Accept", "text/html,application/xhtml+xml,*/*;q=0.8"]),
    "The API key is missing. Admins create one in the web application, at /settings/integrations/analytics-api. Send the header Authorization: Bearer <API_KEY>.",
  );
  assert.equal(found(["Proxy-Authorization", `Bearer ${key}`], ["X-Bearer-Auth", key]), missing);
});

test("accepts the same key several times, and rejects two different ones in either order", () => {
  const [own, foreign] = [`Bearer ${key}`, `Bearer ${other}`];
  assert.equal(found(["Authorization", own], ["authorization", own], ["bearer_auth", key]), key);
  assert.equal(found(["Authorization", "Bearer"], ["bearer-auth", key]), key);
  assert.equal(found(["Authorization", own], ["authorization", foreign]), differ);
  assert.equal(found(["bearer_auth", other], ["Authorization", own]), differ);
  assert.equal(found(["Authorization", "Digest x"], ["bearer_auth", key]), differ);
});

test("rejects the key of another region", () => {
  assert.equal(
    found(["Authorization", `Bearer ${generateApiKey("eu", 1)}`]),
    'The API key belongs to the region "eu", but this is the region "test". Use the base URL of the key\'s region.',
  );
});
