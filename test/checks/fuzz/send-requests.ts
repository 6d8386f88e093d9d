// Fuzzed requests that send: campaigns, events, messages, webhooks, tracked links, and forms of the web application.

import { gzipSync } from "node:zlib";
import { providerNames } from "../../../src/providers/providers.ts";
import { generateCampaign } from "../../support/generated-events.ts";
import type { Random } from "../../support/histories.ts";
import { providerExamples } from "../../support/providers/provider-examples.ts";
import type { FuzzedOrganization } from "./fuzzed-organization.ts";
import { credential, type FuzzedRequest, type Header, type MakeRequest, methods } from "./fuzzed-request.ts";
import { changedJson, changeText, changeToken, encodeOddly, oddSegment, oddText } from "./random-text.ts";
import { queryString } from "./read-requests.ts";

const otherPaths = [
  ..."/data_api/v1 /data_api/v1/links /data_api /healthz /readyz /nowhere".split(" "),
  ..."/ingest/v1/events /ingest/v1 /t/x".split(" "),
];

export const otherRequest: MakeRequest = (random, { read, ingest }) => ({
  interface: "program",
  method: random.pick(methods),
  target: `${random.pick(otherPaths)}${random.chance(40) ? `/${oddSegment(random)}` : ""}${queryString(random, ["page"])}`,
  headers: credential(random, read, ingest),
});

/** Without odd headers and long queries: Node answers some of them itself there, without a body. */
export const metricsRequest: MakeRequest = (random) => ({
  interface: "metrics",
  method: random.chance(90) ? "GET" : random.pick(methods),
  target: random.chance(3) ? "/metrics?x" : `/${oddSegment(random)}`,
});

export const eventsRequest: MakeRequest = (random, organization) => {
  const events = Array.from({ length: random.between(1, 5) }, () => anEvent(random, organization));
  const isNdjson = random.chance(20);
  const text = isNdjson
    ? events.map((event) => changedJson(random, event)).join("\n")
    : changedJson(random, { events });
  const type = isNdjson ? "application/x-ndjson" : "application/json";
  return sentBody(random, organization, { method: "POST", target: "/ingest/v1/events", type, text });
};

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

export const campaignRequest: MakeRequest = (random, organization) => {
  const { campaigns, ingest, read } = organization;
  // Few ids, so that requests change and remove what others have added. Those of the messages stay.
  const id = random.chance(70) ? String(9_000_000 + random.between(1, 40)) : oddSegment(random);
  const target = `/ingest/v1/campaigns/${random.chance(5) ? random.pick(campaigns) : id}`;
  if (random.chance(25)) {
    return {
      interface: "program",
      method: "DELETE",
      target,
      headers: credential(random, ingest, read),
    };
  }
  const text = changedJson(random, generateCampaign(random.between(1, 9)));
  return sentBody(random, organization, { method: "PUT", target, type: "application/json", text });
};

export const messagesRequest: MakeRequest = (random, organization) => {
  const html = `<p>${oddText(random)}<a href="https://example.com/${oddSegment(random)}">x</a><p data-survey="s-1">`;
  const survey = { survey_id: "s-1", kind: "pulse", question: oddText(random) || "?", answers: ["a", "b"] };
  const document = { html: changeText(random, html), recipients: ["a@example.com", "b"], surveys: [survey] };
  const target = `/ingest/v1/campaigns/${random.pick(organization.campaigns)}/messages`;
  const text = changedJson(random, document);
  return sentBody(random, organization, { method: "POST", target, type: "application/json", text });
};

/** A request with a body, sometimes compressed, sometimes cut, sometimes of a wrong type. */
function sentBody(
  random: Random,
  { ingest, read }: FuzzedOrganization,
  { method, target, type, text }: { method: string; target: string; type: string; text: string },
): FuzzedRequest {
  const wrongType = random.pick(["text/plain", "application/xml", "", "json", "a/b;c"]);
  const contentType = random.chance(95) ? type : wrongType;
  const headers: Header[] = [...credential(random, ingest, read), ["content-type", contentType]];
  const isGzipped = random.chance(15);
  let body: Buffer = isGzipped ? gzipSync(text) : Buffer.from(text);
  if (isGzipped || random.chance(2)) headers.push(["content-encoding", "gzip"]);
  if (random.chance(8)) body = body.subarray(0, random.between(0, body.length));
  return { interface: "program", method, target, headers, body };
}

/** Some signatures cover the time: those requests are refused. */
export const webhookRequest: MakeRequest = (random, { sources }) => {
  // The service would fetch the certificate of SNS from the internet.
  const provider = random.pick(providerNames.filter((name) => name !== "ses"));
  const path = sources.get(provider) ?? "";
  const { open, click, isBatch, send } = providerExamples[provider];
  const event = random.pick([open, click]);
  const url = `http://localhost${path}`;
  const { body, headers } = send(changedJson(random, isBatch ? [event] : event), url);
  return {
    interface: "program",
    method: random.chance(95) ? "POST" : random.pick(methods),
    target: random.chance(95) ? path : changeToken(random, path).replace(/^\/?/, "/"),
    headers: Object.entries(headers),
    body: random.chance(10) ? changeText(random, body) : body,
  };
};

const formType: Header = ["content-type", "application/x-www-form-urlencoded"];

export const trackingRequest: MakeRequest = (random, { trackedPaths }) => {
  const [, , letter = "", token = ""] = random.pick(trackedPaths).split("/");
  const sentLetter = random.chance(97) ? letter : random.pick(["o", "c", "s", "x"]);
  const target = `/t/${sentLetter}/${random.chance(40) ? token : changeToken(random, token)}`;
  // The service would send the image of a person's read for 20 seconds.
  const headers: Header[] = letter === "r" ? [["sec-purpose", "prefetch"]] : [];
  if (letter !== "s" || random.chance(40)) {
    const method = random.chance(90) ? "GET" : random.pick(["HEAD", "OPTIONS", "DELETE"]);
    return { interface: "tracking", method, target, headers };
  }
  const score = random.chance(50) ? String(random.between(0, 12)) : oddText(random);
  const body = formOf(random, { score, comment: oddText(random) });
  return { interface: "tracking", method: "POST", target, headers: [...headers, formType], body };
};

const pages = [
  ..."/ /campaigns /connect /help /docs /sources /settings /settings/integrations/analytics-api".split(" "),
  ..."/settings/tags /settings/people /settings/audit /settings/organization /settings/account /sign-in".split(
    " ",
  ),
  ..."/sign-in/password/x /assets/x.css /welcome/x /nowhere".split(" "),
];
const pagesOfOne = "/campaigns /settings/tags /settings/integrations/analytics-api /settings/people".split(
  " ",
);
const pageParameters = "q page from until period sort order tag team type to action actor before x".split(
  " ",
);

export const pageRequest: MakeRequest = (random, { session, campaigns }) => {
  const id = random.chance(60) ? String(random.pick([...campaigns, 1, 2])) : oddSegment(random);
  const path = random.chance(70) ? random.pick(pages) : `${random.pick(pagesOfOne)}/${id}`;
  const headers: Header[] = [["accept", random.chance(80) ? "text/html" : "*/*"]];
  if (random.chance(60)) headers.push(["cookie", session.cookie]);
  else if (random.chance(30)) headers.push(["cookie", changeToken(random, session.cookie)]);
  return {
    interface: "web",
    method: random.chance(95) ? "GET" : "HEAD",
    target: path + queryString(random, pageParameters, ["1"]),
    headers,
  };
};

/** The forms and their fields. Not `replay`, which works for up to 10 seconds. */
const forms: readonly (readonly [path: string, actions: string, fields: string])[] = [
  ["/settings/integrations/analytics-api", "add delete", "name scope"],
  ["/settings/tags", "add change delete", "name color"],
  ["/settings/people", "add role remove reset", "email role user id"],
  ["/settings/organization", "organization closing", "name time_zone count min_answers audit_days days"],
  ["/settings/account", "password end-session", "current password repeat session"],
  ["/sign-in", "", "email password to"],
];
const fieldValues = "a read ingest admin viewer UTC Asia/Kathmandu #ff0000 a@example.com 30 all".split(" ");

export const formRequest: MakeRequest = (random, { session }) => {
  const [path, actions, fields] = random.pick(forms);
  const entries = fields
    .split(" ")
    .map((name) => [name, random.chance(50) ? random.pick(fieldValues) : oddText(random)]);
  const action = random.chance(90) ? random.pick(actions.split(" ")) : oddText(random);
  const token = random.chance(90) ? session.csrfToken : oddText(random);
  return {
    interface: "web",
    method: "POST",
    target: path + (random.chance(20) ? `/${random.between(1, 30)}` : ""),
    headers: [["cookie", session.cookie], random.chance(95) ? formType : ["content-type", "text/plain"]],
    body: formOf(random, { form_token: token, action, ...Object.fromEntries(entries) }),
  };
};

/** A form as a browser sends it, or with its values encoded wrong. */
function formOf(random: Random, fields: Record<string, string>): string {
  if (random.chance(80)) return new URLSearchParams(fields).toString();
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeOddly(random, value)}`)
    .join("&");
}
