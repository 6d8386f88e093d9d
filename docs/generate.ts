// Writes those parts of the documentation that follow from the program: tables of settings, limits, fields, errors,
// commands and files, and the OpenAPI document. `npm run docs` runs it; a test fails when it was forgotten.

import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { openApiDocument } from "../src/api/openapi.ts";
import { emailRecordSchema, tagFields } from "../src/campaign/email-record.ts";
import { buildProgram } from "../src/cli/program.ts";
import type { Shell } from "../src/cli/shell.ts";
import { settings } from "../src/config.ts";
import { errors } from "../src/errors.ts";
import { limits } from "../src/server.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

const parts: Record<string, () => string> = {
  "command table": commandTable,
  "command help": commandHelp,
  "record fields": () => fieldTable(emailRecordSchema.properties),
  "tag fields": () => fieldTable(tagFields),
  "meta fields": () => fieldTable(schemasOfDocument().Meta?.properties ?? {}),
  errors: errorTable,
  settings: settingTable,
  limits: limitTable,
  files: fileTable,
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

interface FieldSchema {
  type?: string;
  description?: string;
  examples?: readonly unknown[];
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
    `${accepts.charAt(0).toUpperCase()}${accepts.slice(1)}.`,
  ]);
  return table(["Variable", "Default", "Meaning", "Accepted"], rows);
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
  bodyBytes: "Body of a request. Beyond it: 413.",
  drainMs:
    "For clients on open connections to hear, with their next answer, that the server stops. Then idle connections are closed.",
  pipelinedMax:
    "Requests of one connection that wait for the answer to an earlier one. Beyond it the connection is closed.",
};

function limitTable(): string {
  const rows = (Object.keys(limits) as (keyof typeof limits)[]).map((name) => {
    const value = limits[name];
    if (name.endsWith("Ms")) return [`${value / 1000} s`, limitMeanings[name]];
    return [name.endsWith("Bytes") ? bytes(value) : String(value), limitMeanings[name]];
  });
  return table(["Limit", "What it bounds"], rows);
}

function bytes(value: number): string {
  return value % 1024 ** 2 === 0 ? `${value / 1024 ** 2} MiB` : `${value / 1024} KiB`;
}

/** Each source file with the comment that it opens with. */
function fileTable(): string {
  const rows = globSync("src/**/*.ts", { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
    .map((path) => {
      const lines = readFileSync(join(root, path), "utf8").split("\n");
      const end = lines.findIndex((line) => !line.startsWith("//"));
      const purpose = lines
        .slice(0, end)
        .map((line) => line.replace(/^\/\/ ?/, ""))
        .join(" ");
      return [`[${path.replace(/^src\//, "")}](../${path})`, withoutTags(purpose)];
    });
  return table(["File", "Purpose"], rows);
}

/** Outside of code, Markdown would take `<region>` for HTML. */
function withoutTags(text: string): string {
  return text.replace(/(`[^`]*`)|</g, (_all, inCode: string | undefined) => inCode ?? "\\<");
}

/** Files of the top folder stand before those of the folders in it. */
function placeOf(path: string): string {
  return `${path.split("/").length} ${path}`;
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
