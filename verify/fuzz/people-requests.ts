// Fuzzed requests of people: tracked messages, and the pages and forms of the web application.

import type { Random } from "../../test/support/histories.ts";
import type { FuzzedOrganization } from "./fuzzed-organization.ts";
import { type Header, toRequest, type UnnumberedRequest } from "./fuzzed-request.ts";
import { changeToken, encodeOddly, oddText } from "./random-text.ts";

export function trackingRequest(random: Random, { trackedPaths }: FuzzedOrganization): UnnumberedRequest {
  const path = random.pick(trackedPaths);
  const [, , letter = "", token = ""] = path.split("/");
  const isRight = random.chance(40);
  const target = `/t/${random.chance(97) ? letter : random.pick(["o", "c", "s", "x"])}/${isRight ? token : changeToken(random, token)}`;
  const headers: Header[] = [];
  // The service would send the image of a person's read for 20 seconds.
  if (path.startsWith("/t/r/")) headers.push(["sec-purpose", "prefetch"]);
  if (letter !== "s" || random.chance(40)) {
    const method = random.chance(90) ? "GET" : random.pick(["HEAD", "OPTIONS", "DELETE"]);
    return toRequest(random, { interface: "tracking", method, target, headers });
  }
  const score = random.chance(50) ? String(random.between(0, 12)) : oddText(random);
  return toRequest(random, {
    interface: "tracking",
    method: "POST",
    target,
    headers: [...headers, formType],
    body: formOf(random, { score, comment: oddText(random) }),
  });
}

const formType: Header = ["content-type", "application/x-www-form-urlencoded"];

const pages = [
  ...[
    "/",
    "/campaigns",
    "/connect",
    "/help",
    "/docs",
    "/sources",
    "/settings",
    "/settings/integrations/analytics-api",
    "/settings/tags",
  ],
  ...["/settings/people", "/settings/organization", "/settings/account", "/sign-in", "/sign-in/password/x"],
  ...["/assets/x.css", "/welcome/x", "/nowhere"],
];

/** With `/` and an id. */
const pagesOfOne = [
  "/campaigns",
  "/settings/tags",
  "/settings/integrations/analytics-api",
  "/settings/people",
];
const pageParameters = [
  "q",
  "page",
  "from",
  "until",
  "period",
  "sort",
  "order",
  "tag",
  "team",
  "type",
  "to",
  "x",
];

/** The forms and their fields. Not `replay`, which works for up to 10 seconds. */
const forms: readonly { path: string; actions: readonly string[]; fields: readonly string[] }[] = [
  { path: "/settings/integrations/analytics-api", actions: ["add", "delete"], fields: ["name", "scope"] },
  { path: "/settings/tags", actions: ["add", "change", "delete"], fields: ["name", "color"] },
  {
    path: "/settings/people",
    actions: ["add", "role", "remove", "reset"],
    fields: ["email", "role", "user", "id"],
  },
  {
    path: "/settings/organization",
    actions: ["organization", "closing"],
    fields: ["name", "time_zone", "count", "days"],
  },
  {
    path: "/settings/account",
    actions: ["password", "end-session"],
    fields: ["current", "password", "repeat", "session"],
  },
  { path: "/sign-in", actions: [""], fields: ["email", "password", "to"] },
];

const fieldValues = [
  "a",
  "read",
  "ingest",
  "admin",
  "viewer",
  "UTC",
  "Asia/Kathmandu",
  "#ff0000",
  "a@example.com",
  "30",
  "all",
];

export function webRequest(random: Random, organization: FuzzedOrganization): UnnumberedRequest {
  return random.chance(65) ? pageRequest(random, organization) : formRequest(random, organization);
}

function pageRequest(random: Random, { session, campaigns }: FuzzedOrganization): UnnumberedRequest {
  const id = random.chance(60)
    ? String(random.pick([...campaigns, 1, 2]))
    : encodeOddly(random, oddText(random));
  const path = random.chance(70) ? random.pick(pages) : `${random.pick(pagesOfOne)}/${id}`;
  const pairs = Array.from({ length: random.between(0, 3) }, () => {
    const value = random.chance(30) ? "1" : encodeOddly(random, oddText(random));
    return `${random.pick(pageParameters)}=${value}`;
  });
  const headers: Header[] = [["accept", random.chance(80) ? "text/html" : "*/*"]];
  if (random.chance(60)) headers.push(["cookie", session.cookie]);
  else if (random.chance(30)) headers.push(["cookie", changeToken(random, session.cookie)]);
  const target = pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
  return toRequest(random, { interface: "web", method: random.chance(95) ? "GET" : "HEAD", target, headers });
}

function formRequest(random: Random, { session }: FuzzedOrganization): UnnumberedRequest {
  const { path, actions, fields } = random.pick(forms);
  const entries = fields.map((name) => [
    name,
    random.chance(50) ? random.pick(fieldValues) : oddText(random),
  ]);
  const action = random.chance(90) ? random.pick(actions) : oddText(random);
  const token = random.chance(90) ? session.csrfToken : oddText(random);
  const end = random.chance(20) ? `/${random.between(1, 30)}` : "";
  return toRequest(random, {
    interface: "web",
    method: "POST",
    target: path + end,
    headers: [["cookie", session.cookie], random.chance(95) ? formType : ["content-type", "text/plain"]],
    body: formOf(random, { form_token: token, action, ...Object.fromEntries(entries) }),
  });
}

/** A form as a browser sends it, or with its values encoded wrong. */
function formOf(random: Random, fields: Record<string, string>): string {
  if (random.chance(80)) return new URLSearchParams(fields).toString();
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeOddly(random, value)}`)
    .join("&");
}
