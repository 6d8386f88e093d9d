// Writes those parts of the documentation that follow from the program: tables of settings, limits, fields, errors,
// providers, commands and files, and the OpenAPI document. `npm run docs` runs it; a test fails when it was forgotten.

import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { countedCampaignSchema } from "../src/campaign/counted-campaign.ts";
import { emailRecordSchema, tagFields } from "../src/campaign/email-record.ts";
import { burst } from "../src/campaign/events/click-verdicts.ts";
import { eventSchemas, eventTypes } from "../src/campaign/events/event.ts";
import { clicksKept, readingLimits } from "../src/campaign/events/recipient.ts";
import { isHuman, type TrafficReason, trafficReasons } from "../src/campaign/events/traffic.ts";
import { accepted, type FieldSchema } from "../src/campaign/fields.ts";
import { buildProgram } from "../src/cli/program.ts";
import type { Shell } from "../src/cli/shell.ts";
import { settings } from "../src/config.ts";
import { batchLimits } from "../src/counting/events/event-batch.ts";
import { aheadMax, problems, testSendingMs } from "../src/counting/events/problems.ts";
import { quarantineDays } from "../src/counting/upkeep.ts";
import { errors } from "../src/errors.ts";
import { openApiDocument } from "../src/http/api/openapi.ts";
import { components } from "../src/http/components.ts";
import { measurements } from "../src/http/monitoring/metrics.ts";
import { limits } from "../src/http/server.ts";
import { namesOfLeaving, untracked } from "../src/http/tracking/html/untracked-links.ts";
import { messageLimits, messagesSchema, surveySchema } from "../src/http/tracking/messages-body.ts";
import { providers } from "../src/providers/providers.ts";
import { closingDays } from "../src/storage/organizations.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

const parts: Record<string, () => string> = {
  "command table": commandTable,
  "command help": commandHelp,
  "record fields": () => fieldTable(emailRecordSchema.properties),
  "tag fields": () => fieldTable(tagFields),
  "meta fields": () => fieldTable(schemasOfDocument().Meta?.properties ?? {}),
  errors: errorTable,
  settings: settingTable,
  doors: doorTable,
  limits: limitTable,
  measurements: measurementTable,
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

/** The files that are generated, whole or in part: their path in the repository, and what they should contain. */
export function generatedFiles(): Map<string, string> {
  const files = new Map([["docs/openapi.json", `${JSON.stringify(document(), null, 2)}\n`]]);
  for (const path of globSync(["*.md", "docs/**/*.md"], { cwd: root }).sort()) {
    const text = readFileSync(join(root, path), "utf8");
    const renewed = text.replace(
      /(<!-- generated: (.+?) -->\n)[\s\S]*?(<!-- end -->)/g,
      (_all, start: string, name: string, end: string) => {
        const part = parts[name];
        if (!part) throw new Error(`${path}: there is no generated part "${name}"`);
        return `${start}\n${part()}\n\n${end}`;
      },
    );
    if (/<!-- generated: /.test(text)) files.set(path, renewed);
  }
  return files;
}

/** Every command with its words, as the program has it: `email-analytics tag add`. */
export function allCommands(): { words: string; command: Command }[] {
  const collect = (command: Command, before: string): { words: string; command: Command }[] => {
    const words = `${before}${command.name()}`;
    return [{ words, command }, ...command.commands.flatMap((each) => collect(each, `${words} `))];
  };
  return collect(
    buildProgram(noShell, "0.0.0", () => undefined),
    "",
  );
}

/** Help says nothing about what is around a command, so none of this is ever asked for. */
const noShell: Shell = {
  stdin: {
    async *[Symbol.asyncIterator]() {},
  },
  stdout: process.stdout,
  stderr: process.stderr,
  environment: {},
  now: () => 0,
  untilStopped: async () => undefined,
};

function commandTable(): string {
  const rows = allCommands()
    .filter(({ command }) => command.parent && command.commands.length === 0)
    .map(({ words, command }) => [code(words.replace(/^email-analytics /, "")), command.description()]);
  return table(["Command", "What it does"], rows);
}

function commandHelp(): string {
  return allCommands()
    .map(({ words, command }) => {
      command.configureOutput({ getOutHelpWidth: () => 100, getOutHasColors: () => false });
      return `## ${words}\n\n\`\`\`text\n${command.helpInformation().trimEnd()}\n\`\`\``;
    })
    .join("\n\n");
}

/** The unit of a number stands in its description; a whole number without one is a count. */
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

function doorTable(): string {
  const rows = Object.entries(components).map(([name, { meaning, writes }]) => [
    code(name),
    capital(meaning),
    writes ? "yes" : "",
  ]);
  return table(["Door", "What is behind it", "Writes"], rows);
}

/** What each limit bounds, and what becomes of a request beyond it. */
const limitMeanings: Record<keyof typeof limits, string> = {
  headersMs:
    "For the head of a request to arrive, and for a new connection to send anything. Beyond it: 408.",
  requestMs: "For a whole request to arrive. Beyond it: 408.",
  keepAliveMs:
    "Between an answer and the next request on its connection. Beyond it the connection is closed.",
  silenceMs: "Without a byte in either direction. Beyond it the connection is closed.",
  checkMs: "Between two looks for connections that are over their time.",
  headBytes: "Address and headers of a request together. Beyond it: 414 or 431.",
  bodyBytes:
    "Body of a request; that of a request with events has [limits of its own](ingest.md#limits). Beyond it: 413.",
  drainMs:
    "For clients on open connections to hear, with their next answer, that the server stops. Then idle connections are closed.",
  pipelinedMax:
    "Requests of one connection that wait for the answer to an earlier one. Beyond it the connection is closed.",
  readyMs: "For the database to answer `/readyz`.",
  retryAfterMs: "After a 503 or 429, for the client to wait before it tries again (`Retry-After`).",
};

function limitTable(): string {
  const rows = (Object.keys(limits) as (keyof typeof limits)[]).map((name) => {
    const value = limits[name];
    if (name.endsWith("Ms")) return [`${value / 1000} s`, limitMeanings[name]];
    return [name.endsWith("Bytes") ? bytes(value) : String(value), limitMeanings[name]];
  });
  return table(["Limit", "What it bounds"], rows);
}

/** What is sent to us, field by field. */
function inputTable({ properties, required }: { properties: object; required?: readonly string[] }): string {
  const rows = Object.entries(properties).map(([name, schema]) => [
    code(name),
    required?.includes(name) ? "yes" : "",
    ...inputCells(schema as FieldSchema),
  ]);
  return table(["Field", "Required", "Accepted", "Meaning", "Example"], rows);
}

/** The fields of all types of events in one table: which types take a field, and which cannot do without it. */
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

/** What is accepted, the meaning and an example. What holds for every text is said once, above the table. */
function inputCells(schema: FieldSchema): string[] {
  const words = accepted(schema);
  return [
    words.replace(", without NUL and half characters", ""),
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
  return table(["`reason`", "Set aside", "Meaning"], rows);
}

const batchLimitMeanings: Record<keyof typeof batchLimits, string> = {
  events: "Events in one request.",
  sentBytes: "Body of a request with events, as it is sent.",
  unpackedBytes: "The same body, when it is unpacked.",
  values: "Members of lists and objects in the same body, and lines.",
};

function batchLimitTable(): string {
  const rows = (Object.keys(batchLimits) as (keyof typeof batchLimits)[]).map((name) => {
    const value = batchLimits[name];
    return [name.endsWith("Bytes") ? bytes(value) : digits(value), batchLimitMeanings[name]];
  });
  return table(
    ["Limit", "What it bounds"],
    [
      ...rows,
      [bytes(limits.bodyBytes), "Body of a request with a campaign, as it is sent and when it is unpacked."],
    ],
  );
}

function trafficTable(): string {
  const rows = Object.entries(trafficReasons).map(([name, { verdict, meaning }]) => [
    verdict,
    code(name),
    meaning,
    isHuman(name as TrafficReason) ? "yes" : "",
  ]);
  return table(["Verdict", "Reason", "What tells it", "Counts as people"], rows);
}

/** The limits that decide about numbers, each a named constant of the program. */
function countingLimitTable(): string {
  const days = (count: number) => `${count} days`;
  return table(
    ["Limit", "What it decides"],
    [
      [`${readingLimits.glanced} s`, "Readings of up to so long are *glanced*."],
      [`${readingLimits.skimmed} s`, "Longer ones of up to so long are *skimmed*; above, they are *read*."],
      [
        `${burst.links} links in ${burst.ms / 1000} s`,
        "So many different links, followed within so long by one recipient, are a burst.",
      ],
      [digits(clicksKept), "Clicks of one recipient in one campaign that are kept with their time and link."],
      [`${aheadMax / 60_000} min`, "A time that is further ahead is taken as the time of arrival."],
      [
        `${testSendingMs / 60_000} min`,
        "An event that is earlier than its campaign by more than that is one of a test sending.",
      ],
      [days(quarantineDays), "Events that are set aside are dropped after so long."],
      [
        days(closingDays.named),
        "Campaigns with *Individual* tracking are closed after so long, unless the organization sets another number.",
      ],
      [days(closingDays.nameless), "The same for *Anonymous* and *Overall*."],
    ],
  );
}

/** In the order of their titles; each leads to its section. */
function providerTable(): string {
  const rows = Object.entries(providers)
    .map(([name, { title, secret, carrier }]) => [
      `[${title}](#${anchorOf(title)})`,
      code(name),
      secret.isNeeded ? "yes" : "",
      capital(secret.meaning),
      capital(carrier),
    ])
    .sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
  return table(
    ["Provider", "`--provider`", "Needs a secret", "What the secret is", "Where the campaign field stands"],
    rows,
  );
}

const messageLimitMeanings: Record<keyof typeof messageLimits, string> = {
  htmlLength: "Characters of `html`.",
  recipients: "Recipients in one request.",
  surveys: "Surveys in one request.",
  answers: "Answers that a survey offers.",
  addresses: "Links and answers to surveys that `html` has places for.",
  values: "Members of lists and objects in the body.",
  bodyBytes: "Body of the request, as it is sent and when it is unpacked.",
};

function messageLimitTable(): string {
  const rows = (Object.keys(messageLimits) as (keyof typeof messageLimits)[]).map((name) => {
    const value = messageLimits[name];
    return [name.endsWith("Bytes") ? bytes(value) : digits(value), messageLimitMeanings[name]];
  });
  return table(["Limit", "What it bounds"], rows);
}

function untrackedList(): string {
  return untracked.map(({ reason }) => `- ${reason}`).join("\n");
}

function languagesOfLeaving(): string {
  const names = Object.keys(namesOfLeaving).map((name) => name.replace(/,? in sentences$/, ""));
  const languages = [...new Set(names.flatMap((name) => name.split(/, | and /)))].sort();
  return `${languages.slice(0, -1).join(", ")} and ${languages.at(-1)}`;
}

/** As GitHub makes them from headings. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function digits(value: number): string {
  return value.toLocaleString("en-US");
}

function bytes(value: number): string {
  return value % 1024 ** 2 === 0 ? `${value / 1024 ** 2} MiB` : `${value / 1024} KiB`;
}

/** Each source file with the first paragraph of the comment that it opens with. */
function measurementTable(): string {
  const rows = Object.entries(measurements).map(([name, { type, meaning }]) => [
    code(name),
    type,
    `${meaning}.`,
  ]);
  return table(["Name", "Kind", "Meaning"], rows);
}

/** The address stands for any: the document that a service serves names its own. */
function document(): object {
  return openApiDocument("http://127.0.0.1:8080");
}

function schemasOfDocument() {
  return (
    document() as { components: { schemas: Record<string, { properties?: Record<string, FieldSchema> }> } }
  ).components.schemas;
}

/** The title of every test, by file. `${…}` in a title stands for what differs from case to case. */
export function testTitles(): Map<string, string[]> {
  const files = globSync("test/**/*.test.ts", { cwd: root }).map((path) => path.replaceAll("\\", "/"));
  return new Map(
    files.sort().map((path) => {
      const titles = readFileSync(join(root, path), "utf8").matchAll(
        /^ *test\(\s*(["`])((?:\\.|(?!\1).)+)\1/gm,
      );
      return [path, [...titles].map(([, , title = ""]) => title)];
    }),
  );
}

const sectionsInTitle = / \(specification ([\d., ]+)\)$/;

/** The tests that name a section of the specification in their title, by section. */
function specificationTests(): string {
  const rows: string[][] = [];
  for (const [path, titles] of testTitles()) {
    for (const title of titles) {
      const sections = sectionsInTitle.exec(title)?.[1]?.split(", ") ?? [];
      const link = `[${path.replace(/^test\//, "")}](../${path})`;
      for (const section of sections) rows.push([section, title.replace(sectionsInTitle, ""), link]);
    }
  }
  return table(
    ["Section", "Test", "File"],
    rows.sort(([a = ""], [b = ""]) => Number(a) - Number(b)),
  );
}

/** The tests of the endpoint, by status. */
function endpointTests(): string {
  const files = [...testTitles()].filter(([path]) => path.startsWith("test/http/api/emails."));
  return files
    .map(([path, titles]) => {
      const heading = `### [${path.replace("test/http/api/", "")}](../${path})`;
      return [heading, "", ...titles.map((title) => `- ${title.replace(sectionsInTitle, "")}`)].join("\n");
    })
    .join("\n\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${" --- |".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function code(text: string): string {
  return `\`${text}\``;
}

if (import.meta.main) {
  for (const [path, content] of generatedFiles()) writeFileSync(join(root, path), content);
}
