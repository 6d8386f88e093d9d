// Generates the parts of the documentation that come from code: tables, command help, test lists and the OpenAPI
// document. `npm run docs` runs it, and a test fails while a page is out of date.

import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { countedCampaignSchema } from "../src/campaign/counted-campaign.ts";
import { emailRecordSchema, tagFields } from "../src/campaign/email-record.ts";
import { burst } from "../src/campaign/events/click-verdicts.ts";
import { eventSchemas, eventTypes } from "../src/campaign/events/event.ts";
import { clicksKept, readingLimits } from "../src/campaign/events/recipient.ts";
import { isHuman, type TrafficReason, trafficReasons } from "../src/campaign/events/traffic.ts";
import { describeAccepted, type FieldSchema } from "../src/campaign/field-schema.ts";
import { settings } from "../src/config.ts";
import { batchLimits } from "../src/counting/events/event-batch.ts";
import { clockSkewMaxMs, problems, testSendLeadMs } from "../src/counting/events/problems.ts";
import { quarantineDays } from "../src/counting/upkeep/due-tasks.ts";
import { errors } from "../src/errors.ts";
import { openApiDocument } from "../src/http/api/openapi.ts";
import { bodyLimits } from "../src/http/body-limits.ts";
import { components } from "../src/http/components.ts";
import { metricDefinitions } from "../src/http/monitoring/metrics.ts";
import { type ServerLimits, serverLimits } from "../src/http/server-limits.ts";
import { unsubscribePhrases } from "../src/http/tracking/html/unsubscribe-phrases.ts";
import { untrackedReasons } from "../src/http/tracking/html/untracked-links.ts";
import { messageLimits, messagesSchema, surveySchema } from "../src/http/tracking/messages-schema.ts";
import { providers } from "../src/providers/providers.ts";
import { closingDays } from "../src/storage/organizations.ts";
import { commandHelp, commandTable } from "./generate/command-blocks.ts";
import { anchorOf, bytes, capital, code, digits, table } from "./generate/markdown.ts";
import { endpointTests, specificationTests } from "./generate/test-lists.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What goes between `<!-- generated: NAME -->` and `<!-- end -->`, by name. */
const blocks: Record<string, () => string> = {
  "command table": commandTable,
  "command help": commandHelp,
  "record fields": () => fieldTable(emailRecordSchema.properties),
  "tag fields": () => fieldTable(tagFields),
  "meta fields": () => fieldTable(schemasOfDocument().Meta?.properties ?? {}),
  errors: errorTable,
  settings: settingTable,
  components: componentTable,
  limits: limitTable,
  metrics: metricTable,
  "campaign fields": () => inputTable(countedCampaignSchema),
  "event fields": eventFieldTable,
  problems: problemTable,
  "batch limits": batchLimitTable,
  "traffic reasons": trafficTable,
  "counting limits": countingLimitTable,
  providers: providerTable,
  "message fields": () => inputTable(messagesSchema),
  "survey fields": () => inputTable(surveySchema),
  "message limits": messageLimitTable,
  "untracked links": untrackedList,
  "specification tests": specificationTests,
  "endpoint tests": endpointTests,
  languages: languagesOfLeaving,
};

/** The expected content of every file that is generated in whole or in part, by path from the repository root. */
export function generatedFiles(): Map<string, string> {
  const files = new Map([["docs/openapi.json", `${JSON.stringify(document(), null, 2)}\n`]]);
  for (const path of globSync(["*.md", "docs/**/*.md"], { cwd: root }).sort()) {
    const text = readFileSync(join(root, path), "utf8");
    const updated = text.replace(
      /(<!-- generated: (.+?) -->\n)[\s\S]*?(<!-- end -->)/g,
      (_all, start: string, name: string, end: string) => {
        const block = blocks[name];
        if (!block) throw new Error(`${path}: unknown generated block "${name}"`);
        return `${start}\n${block()}\n\n${end}`;
      },
    );
    if (/<!-- generated: /.test(text)) files.set(path, updated);
  }
  return files;
}

/** Takes the unit of a number from its description; an integer without one is a count. */
function fieldTable(fields: Record<string, FieldSchema>): string {
  const rows = Object.entries(fields).map(([name, { type = "", description = "", examples = [] }]) => {
    const [meaning = "", unit] = description.split(/ Unit: (.*)\.$/);
    const isCount = type === "integer" && name !== "id" && !/\bpage\b/.test(name);
    return [
      code(name),
      type === "array" ? "array of tags" : type,
      unit ?? (isCount ? "count" : ""),
      meaning,
      code(JSON.stringify(examples[0])),
    ];
  });
  const hasUnits = rows.some(([, , unit]) => unit !== "");
  const columns = ["Field", "Type", "Unit", "Meaning", "Example"];
  const isShown = (_: string, index: number) => hasUnits || columns[index] !== "Unit";
  return table(
    columns.filter(isShown),
    rows.map((row) => row.filter(isShown)),
  );
}

function errorTable(): string {
  const rows = Object.entries(errors).map(([name, { status, message }]) => [
    String(status),
    code(name),
    message,
  ]);
  return table(["Status", "`error`", "Meaning"], rows);
}

function settingTable(): string {
  const rows = Object.entries(settings).map(([name, { default: byDefault, meaning, accepts }]) => [
    code(name),
    byDefault === "" ? "(empty)" : code(byDefault),
    meaning,
    `${capital(accepts)}.`,
  ]);
  return table(["Variable", "Default", "Meaning", "Accepted"], rows);
}

function componentTable(): string {
  const rows = Object.entries(components).map(([name, { meaning, writes }]) => [
    code(name),
    capital(meaning),
    writes ? "yes" : "",
  ]);
  return table(["Component", "Serves", "Writes"], rows);
}

/** What each limit bounds, and the response beyond it. */
const limitMeanings: Record<keyof ServerLimits, string> = {
  headersMs:
    "For the request line and headers to arrive, and for a new connection to send its first byte; then 408.",
  requestMs: "For a whole request to arrive; then 408.",
  keepAliveMs: "Between a response and the next request on the same connection; then the connection closes.",
  silenceMs: "Without a byte in either direction; then the connection closes.",
  checkMs: "Between two checks for connections that exceed a time limit.",
  headBytes: "URL and headers of a request together; beyond it 414 or 431.",
  drainMs:
    "At shutdown, for open connections to send one more request and learn that the server stops. Then idle connections close.",
  pipelinedMax: "Pipelined requests waiting on one connection; beyond it the connection closes.",
  readyMs: "For the database to answer `/readyz`.",
  retryAfterMs: "`Retry-After` of a 503 or 429.",
};

function limitTable(): string {
  const rows = (Object.keys(serverLimits) as (keyof ServerLimits)[]).map((name) => {
    const value = serverLimits[name];
    if (name.endsWith("Ms")) return [`${value / 1000} s`, limitMeanings[name]];
    return [name.endsWith("Bytes") ? bytes(value) : String(value), limitMeanings[name]];
  });
  const body =
    "Body of a request; beyond it 413. Requests with events have [their own limits](ingest.md#limits).";
  return table(["Limit", "What it bounds"], [...rows, [bytes(bodyLimits.default), body]]);
}

/** The fields of a request body. */
function inputTable({ properties, required }: { properties: object; required?: readonly string[] }): string {
  const rows = Object.entries(properties).map(([name, schema]) => [
    code(name),
    required?.includes(name) ? "yes" : "",
    ...inputCells(schema as FieldSchema),
  ]);
  return table(["Field", "Required", "Accepted", "Meaning", "Example"], rows);
}

/** The fields of all event types in one table: which types take a field, and whether it is required. */
function eventFieldTable(): string {
  const fields = new Map(eventTypes.flatMap((type) => Object.entries(eventSchemas[type].properties)));
  const rows = [...fields].map(([name, schema]) => {
    const takenBy = eventTypes.filter((type) => Object.hasOwn(eventSchemas[type].properties, name));
    const isRequired = takenBy.every((type) => eventSchemas[type].required?.includes(name));
    const types = takenBy.length === eventTypes.length ? "all" : takenBy.map(code).join(", ");
    return [code(name), types, isRequired ? "yes" : "", ...inputCells(schema)];
  });
  return table(["Field", "Types", "Required", "Accepted", "Meaning", "Example"], rows);
}

/** Accepted values, meaning and example. The page says once, outside the table, which characters text may not have. */
function inputCells(schema: FieldSchema): string[] {
  return [
    describeAccepted(schema).replace(/,? with(?:out| no) NUL.*$/, ""),
    schema.description ?? "",
    code(JSON.stringify(schema.examples?.[0])),
  ];
}

function problemTable(): string {
  const rows = Object.entries(problems).map(([name, { isQuarantined, meaning }]) => [
    code(name),
    isQuarantined ? "yes" : "",
    meaning,
  ]);
  return table(["`reason`", "Quarantined", "Meaning"], rows);
}

const batchLimitMeanings: Record<keyof typeof batchLimits, string> = {
  events: "Events in one request.",
  sentBytes: "Body of a request with events, as sent.",
  unpackedBytes: "The same body, decompressed.",
  values: "Array elements, object members and lines in the same body.",
};

function batchLimitTable(): string {
  const rows = (Object.keys(batchLimits) as (keyof typeof batchLimits)[]).map((name) => {
    const value = batchLimits[name];
    return [name.endsWith("Bytes") ? bytes(value) : digits(value), batchLimitMeanings[name]];
  });
  return table(
    ["Limit", "What it bounds"],
    [...rows, [bytes(bodyLimits.default), "Body of a request with a campaign, as sent and decompressed."]],
  );
}

function trafficTable(): string {
  const rows = Object.entries(trafficReasons).map(([name, { verdict, meaning }]) => [
    verdict,
    code(name),
    meaning,
    isHuman(name as TrafficReason) ? "yes" : "",
  ]);
  return table(["Verdict", "Reason", "Evidence", "Counts as human"], rows);
}

/** The constants that affect the numbers. */
function countingLimitTable(): string {
  const days = (count: number) => `${count} days`;
  return table(
    ["Limit", "What it decides"],
    [
      [`${readingLimits.glanced} s`, "A read up to this long is *glanced*."],
      [`${readingLimits.skimmed} s`, "A longer read up to this long is *skimmed*; above it, *read*."],
      [
        `${burst.links} links in ${burst.ms / 1000} s`,
        "This many different links clicked by one recipient within this time are a burst.",
      ],
      [digits(clicksKept), "Clicks stored with time and link, for one recipient in one campaign."],
      [
        `${clockSkewMaxMs / 60_000} min`,
        "A time further in the future than this is replaced by the time of arrival.",
      ],
      [
        `${testSendLeadMs / 60_000} min`,
        "An event earlier than its campaign by more than this belongs to a test send.",
      ],
      [days(quarantineDays), "Quarantined events are deleted after this time."],
      [
        days(closingDays.named),
        "Campaigns with *Individual* tracking close after this time. Each organization can change it.",
      ],
      [days(closingDays.nameless), "The same for *Anonymous* and *Overall*."],
    ],
  );
}

/** Sorted by title; each links to its section. */
function providerTable(): string {
  const rows = Object.entries(providers)
    .map(([name, { title, secret, campaignFieldLocation }]) => [
      `[${title}](#${anchorOf(title)})`,
      code(name),
      secret.isRequired ? "yes" : "",
      capital(secret.description),
      capital(campaignFieldLocation),
    ])
    .sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
  return table(
    ["Provider", "`--provider`", "Needs a secret", "What the secret is", "Where the campaign field goes"],
    rows,
  );
}

const messageLimitMeanings: Record<keyof typeof messageLimits, string> = {
  htmlLength: "Characters of `html`.",
  recipients: "Recipients in one request.",
  surveys: "Surveys in one request.",
  answers: "Answer options in a survey.",
  trackedUrls: "Tracked links and survey answers in `html` together.",
  values: "Array elements and object members in the body.",
};

function messageLimitTable(): string {
  const rows = (Object.keys(messageLimits) as (keyof typeof messageLimits)[]).map((name) => {
    const value = messageLimits[name];
    return [digits(value), messageLimitMeanings[name]];
  });
  return table(
    ["Limit", "What it bounds"],
    [...rows, [bytes(bodyLimits.messages), "Body of the request, as sent and decompressed."]],
  );
}

function untrackedList(): string {
  return untrackedReasons.map(({ reason }) => `- ${reason}`).join("\n");
}

function languagesOfLeaving(): string {
  const names = Object.keys(unsubscribePhrases).map((name) => name.replace(/,? in sentences$/, ""));
  const languages = [...new Set(names.flatMap((name) => name.split(/, | and /)))].sort();
  return `${languages.slice(0, -1).join(", ")} and ${languages.at(-1)}`;
}

function metricTable(): string {
  const rows = Object.entries(metricDefinitions).map(([name, { type, meaning }]) => [
    code(name),
    type,
    `${meaning}.`,
  ]);
  return table(["Name", "Type", "Meaning"], rows);
}

/** The URL is a placeholder: a running service puts its own into its document. */
function document(): object {
  return openApiDocument("http://127.0.0.1:8080");
}

function schemasOfDocument() {
  return (
    document() as { components: { schemas: Record<string, { properties?: Record<string, FieldSchema> }> } }
  ).components.schemas;
}

if (import.meta.main) {
  for (const [path, content] of generatedFiles()) writeFileSync(join(root, path), content);
}
