// Fuzzed requests of programs that send: campaigns, events, tracked messages, webhooks and health checks.

import { gzipSync } from "node:zlib";
import { generateCampaign } from "../../test/support/generated-events.ts";
import type { Random } from "../../test/support/histories.ts";
import { changeText, changeValue } from "../webhooks/change-body.ts";
import { providerRequests } from "../webhooks/provider-bodies.ts";
import type { FuzzedOrganization } from "./fuzzed-organization.ts";
import { type Header, toRequest, type UnnumberedRequest } from "./fuzzed-request.ts";
import { changeToken, encodeOddly, oddText } from "./random-text.ts";
import { credential, methods, queryString } from "./read-requests.ts";

const otherPaths = [
  "/data_api/v1",
  "/data_api/v1/openapi.json",
  "/data_api/v1/links",
  "/data_api",
  "/healthz",
  "/readyz",
  "/ingest/v1/events",
  "/ingest/v1",
  "/t/x",
];

export function otherRequest(random: Random, { read, ingest }: FuzzedOrganization): UnnumberedRequest {
  const path = random.pick(otherPaths);
  const end = random.chance(40) ? `/${encodeOddly(random, oddText(random))}` : "";
  return toRequest(random, {
    interface: "program",
    method: random.pick(methods),
    target: path + end + queryString(random),
    headers: credential(random, read, ingest),
  });
}

/** Without odd headers and long queries: Node answers some of them itself there, without a body. */
export function metricsRequest(random: Random): UnnumberedRequest {
  const target = random.chance(3) ? "/metrics?x" : `/${encodeOddly(random, oddText(random))}`;
  const method = random.chance(90) ? "GET" : random.pick(methods);
  return toRequest(random, { interface: "metrics", method, target });
}

export function eventsRequest(random: Random, organization: FuzzedOrganization): UnnumberedRequest {
  const events = Array.from({ length: random.between(1, 5) }, () => anEvent(random, organization));
  const isNdjson = random.chance(20);
  const text = isNdjson
    ? events.map((event) => JSON.stringify(changeValue(random, event))).join("\n")
    : changed(random, { events });
  const type = isNdjson ? "application/x-ndjson" : "application/json";
  return sentBody(random, organization, { method: "POST", target: "/ingest/v1/events", type, text });
}

function anEvent(random: Random, { campaigns }: FuzzedOrganization): Record<string, unknown> {
  return {
    id: `fuzz-${random.between(1, 1_000_000)}`,
    campaign_id: random.chance(95) ? random.pick(campaigns) : oddText(random),
    type: random.pick(["open", "click", "read", "survey", "sent"]),
    recipient: `person-${random.between(1, 500)}@example.com`,
    at: new Date().toISOString(),
    url: `https://example.com/${random.between(1, 5)}`,
    seconds: random.between(0, 30),
    ...(random.chance(20) && { survey_id: "s-1", kind: "enps", score: random.between(-1, 11) }),
    user_agent: random.chance(80) ? "Mozilla/5.0" : oddText(random),
    ip: random.chance(80) ? "192.0.2.1" : oddText(random),
  };
}

export function campaignRequest(random: Random, organization: FuzzedOrganization): UnnumberedRequest {
  const { campaigns } = organization;
  // Few ids, so that requests change and remove what others have added. Those of the messages stay.
  const id = random.chance(70)
    ? String(9_000_000 + random.between(1, 40))
    : encodeOddly(random, oddText(random));
  const target = `/ingest/v1/campaigns/${random.chance(5) ? random.pick(campaigns) : id}`;
  if (random.chance(25)) {
    const headers = credential(random, organization.ingest, organization.read);
    return toRequest(random, { interface: "program", method: "DELETE", target, headers });
  }
  const text = changed(random, generateCampaign(random.between(1, 9)));
  return sentBody(random, organization, { method: "PUT", target, type: "application/json", text });
}

export function messagesRequest(random: Random, organization: FuzzedOrganization): UnnumberedRequest {
  const html = `<p>${oddText(random)}<a href="https://example.com/${encodeOddly(random, oddText(random))}">x</a><p data-survey="s-1">`;
  const survey = { survey_id: "s-1", kind: "pulse", question: oddText(random) || "?", answers: ["a", "b"] };
  const document = { html: changeText(random, html), recipients: ["a@example.com", "b"], surveys: [survey] };
  const target = `/ingest/v1/campaigns/${random.pick(organization.campaigns)}/messages`;
  const text = random.chance(50) ? JSON.stringify(document) : changed(random, document);
  return sentBody(random, organization, { method: "POST", target, type: "application/json", text });
}

export function webhookRequest(
  random: Random,
  { sources, campaigns }: FuzzedOrganization,
): UnnumberedRequest {
  const [provider, path] = random.pick([...sources]);
  const action = {
    campaign: random.pick(campaigns),
    recipient: `person-${random.between(1, 500)}@example.com`,
    type: random.pick(["open", "click"] as const),
    number: random.between(1, 1_000),
    at: Date.now(),
  };
  const requests = providerRequests[provider];
  const signed = requests.send(changed(random, requests.document([action])), `http://localhost${path}`);
  const { body, headers } = requests.forge && random.chance(10) ? requests.forge(signed) : signed;
  return toRequest(random, {
    interface: "program",
    method: random.chance(95) ? "POST" : random.pick(methods),
    target: random.chance(95) ? path : changeToken(random, path).replace(/^\/?/, "/"),
    headers: Object.entries(headers),
    body,
  });
}

/** A document as JSON, mostly changed. */
function changed(random: Random, document: unknown): string {
  const way = random.between(1, 10);
  if (way <= 2) return JSON.stringify(document);
  if (way <= 5) return changeText(random, JSON.stringify(document));
  return JSON.stringify(changeValue(random, document)) ?? "";
}

/** A request with a body, sometimes compressed, sometimes cut, sometimes of a wrong type. */
function sentBody(
  random: Random,
  { ingest, read }: FuzzedOrganization,
  { method, target, type, text }: { method: string; target: string; type: string; text: string },
): UnnumberedRequest {
  const contentType = random.chance(95)
    ? type
    : random.pick(["text/plain", "application/xml", "", "json", "a/b;c"]);
  const headers: Header[] = [...credential(random, ingest, read), ["content-type", contentType]];
  const isGzipped = random.chance(15);
  let body: Buffer = isGzipped ? gzipSync(text) : Buffer.from(text);
  if (isGzipped || random.chance(2)) headers.push(["content-encoding", "gzip"]);
  if (random.chance(8)) body = body.subarray(0, random.between(0, body.length));
  return toRequest(random, { interface: "program", method, target, headers, body });
}
