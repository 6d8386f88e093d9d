// Checks answers against docs/openapi.json, and those that it does not describe against the table of errors.

import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Compile, type Validator } from "typebox/schema";
import { type ErrorCode, errors } from "../../../src/errors.ts";
import type { FuzzedRequest, Interface } from "./fuzzed-request.ts";
import { openApi } from "./read-requests.ts";
import type { Answer } from "./send-request.ts";

const validators = new Map<string, Validator>();

/** The response that the document has for a path and a status. */
function documentedResponse(path: string, status: number) {
  const documented = openApi.paths[path]?.get.responses[status];
  const name = documented?.$ref?.split("/").at(-1);
  return name === undefined ? documented : openApi.components.responses[name];
}

function isValid(body: unknown, schema: { $ref: string }): boolean {
  const { components } = openApi;
  const validator = validators.get(schema.$ref) ?? Compile({ ...schema, components });
  validators.set(schema.$ref, validator);
  return validator.Check(body);
}

/** The statuses of each interface besides those of JSON errors, with the media type of their bodies. */
const otherAnswers: Record<Exclude<Interface, "odata">, Record<number, string>> = {
  download: {
    200: "text/csv application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    204: "",
    304: "",
  },
  // A client that accepts HTML gets a page for a path that does not exist.
  // The target "/" leads to the sign-in page.
  program: { 200: "application/json", 201: "application/json", 204: "", 303: "", 404: "text/html" },
  tracking: {
    ...{ 200: "image/gif text/html", 204: "", 302: "", 400: "text/html", 403: "text/html" },
    ...{ 404: "image/gif text/html", 410: "text/html", 429: "text/html" },
  },
  web: {
    ...{ 200: "text/html", 204: "", 303: "", 400: "text/html", 401: "text/html", 403: "text/html" },
    ...{ 404: "text/html", 409: "text/html", 413: "text/html", 415: "text/html", 429: "text/html" },
  },
  metrics: { 200: "text/plain", 404: "text/plain", 405: "text/plain" },
};

/** Bodies of records that were valid. */
const validBodies = new Set<string>();

/** @throws AssertionError if an answer is not one that the interface may give */
export function checkAnswer({ method, ...request }: FuzzedRequest, { status, headers, body }: Answer): void {
  // A slow computer refuses some requests for now.
  const isRefused = status === 503 && headers["retry-after"] !== undefined;
  const isUnsupported = status === 501 && request.interface === "odata";
  assert.ok(status < 500 || isRefused || isUnsupported, `${status}: ${body.toString()}`);
  if (request.interface !== "metrics") assert.ok(headers["x-request-id"], "no X-Request-Id");
  const [mediaType = ""] = (headers["content-type"] ?? "").split(";");
  if (request.documentedPath !== undefined) {
    checkDocumented({ method, path: request.documentedPath }, { status, headers, body });
    return;
  }
  if (request.interface === "odata") {
    checkOData(method, { status, headers, body });
    return;
  }
  if (mediaType === "application/json" && status >= 400) {
    if (method !== "HEAD") checkError(status, parseJson(body));
    return;
  }
  const accepted = otherAnswers[request.interface][status];
  assert.ok(accepted !== undefined, `unexpected status ${status}`);
  if (body.length === 0) return;
  assert.ok(accepted.split(" ").includes(mediaType), `unexpected media type ${mediaType} of ${status}`);
  if (mediaType === "application/json") parseJson(body);
  if (mediaType === "text/csv" && method !== "HEAD")
    checkFile(mediaType, decompress(headers["content-encoding"], body));
  if (mediaType === "text/html") assert.match(body.toString("latin1"), /^<!doctype html>[\s\S]*<\/html>\s*$/);
}

function checkOData(method: string, { status, headers, body }: Answer): void {
  // Node refuses some heads before it knows their URL.
  if (headers["odata-version"] === undefined) {
    assert.ok([400, 431].includes(status), `${status} without a version`);
    return;
  }
  assert.equal(headers["odata-version"], "4.0");
  if (method === "HEAD" || body.length === 0) return;
  const type = headers["content-type"] ?? "";
  const content = decompress(headers["content-encoding"], body);
  if (status === 200 && !type.startsWith("application/json")) {
    assert.match(content.toString(), /^(?:\d+|<\?xml [\s\S]*<\/edmx:Edmx>\n)$/);
    return;
  }
  const { error } = parseJson(content) as { error?: { code: ErrorCode; message: string } };
  assert.equal(error && errors[error.code].status, status === 200 ? undefined : status);
}

function checkDocumented({ method, path }: { method: string; path: string }, answer: Answer): void {
  const { status, headers, body } = answer;
  const documented = documentedResponse(path, status);
  assert.ok(documented, `status ${status} is not documented`);
  const type = headers["content-type"] ?? "";
  const [mediaType = ""] = type.split(";");
  const media = documented.content?.[type] ?? documented.content?.[mediaType];
  assert.ok(media || !documented.content, `the media type ${type} is not documented for ${status}`);
  if (!media || method === "HEAD") return;
  if (mediaType === "application/json") checkDocumentedBody(media.schema, answer);
  else checkFile(mediaType, decompress(headers["content-encoding"], body));
}

function checkDocumentedBody(schema: { $ref: string }, { status, headers, body }: Answer): void {
  if (status >= 400) {
    const error = parseJson(body);
    assert.ok(isValid(error, schema), `not valid: ${body}`);
    checkError(status, error);
    return;
  }
  const digest = hash("sha1", body);
  if (validBodies.has(digest)) return;
  const parsed = parseJson(decompress(headers["content-encoding"], body));
  assert.ok(isValid(parsed, schema), `not valid: ${JSON.stringify(parsed)}`);
  validBodies.add(digest);
}

/** A file is complete. */
function checkFile(mediaType: string, file: Buffer): void {
  const text = file.toString("latin1");
  if (mediaType === "text/csv") assert.match(text, /^(?:email_)?id,[\s\S]*\r\n$/);
  else if (mediaType === "application/vnd.apache.parquet") assert.match(text, /^PAR1[\s\S]*PAR1$/);
  else if (mediaType.endsWith("spreadsheetml.sheet")) assert.equal(text.slice(-22, -18), "PK\u0005\u0006");
  else for (const line of file.toString("utf8").split("\n").slice(0, -1)) parseJson(Buffer.from(line));
}

function checkError(status: number, body: unknown): void {
  assert.ok(isValid(body, { $ref: "#/components/schemas/Error" }), `not valid: ${JSON.stringify(body)}`);
  const { error } = body as { error: ErrorCode };
  assert.equal(errors[error].status, status, `the status of ${error}`);
}

function parseJson(body: Buffer): unknown {
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
}

function decompress(encoding: string | undefined, body: Buffer): Buffer {
  if (encoding === "gzip") return gunzipSync(body);
  return encoding === "br" ? brotliDecompressSync(body) : body;
}
