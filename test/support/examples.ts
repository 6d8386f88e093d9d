// The examples of documentation pages: finds their code blocks, and runs them against a service.

import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../..");
const placeholder = "https://analytics.example.com";

export interface ExampleService {
  url: string;
  key: string;
  /** Where the examples run, and leave their files. */
  folder: string;
}

interface CodeBlock {
  language: string;
  code: string;
  /** Packages beyond those of the tests, from the comment `<!-- needs … -->`. */
  needs: string | undefined;
}

/** The code blocks of a page, in order. @param path from the repository root */
export function codeBlocksOf(path: string): CodeBlock[] {
  const page = readFileSync(join(root, path), "utf8");
  return [...page.matchAll(/(?:^<!-- needs (.*) -->\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, needs, language = "", code = ""]) => ({ language, code, needs }),
  );
}

/** Runs code blocks as one program, as a reader who goes on from block to block. @returns what it prints */
export async function runExamples(
  language: "python" | "ts",
  blocks: readonly CodeBlock[],
  { url, key, folder }: ExampleService,
  { python = "python3" } = {},
): Promise<string> {
  const code = blocks
    .map((block) => block.code)
    .join("\n")
    .replaceAll(placeholder, url)
    .replaceAll('"email-analytics-client"', JSON.stringify(moduleUrl));
  const path = join(folder, `example.${language}`);
  writeFileSync(path, code);
  const program = { python: [python, path], ts: [process.execPath, path] }[language];
  const env = {
    ...process.env,
    EMAIL_ANALYTICS_KEY: key,
    PYTHONPATH: join(root, "clients/python"),
    PYTHONDONTWRITEBYTECODE: "1",
  };
  const [file = "", ...argv] = program;
  const { stdout } = await promisify(execFile)(file, argv, { cwd: folder, env });
  return stdout;
}

const moduleUrl = pathToFileURL(join(root, "clients/typescript/email-analytics.ts")).href;
