// Runs all tests on one kind of database: `node test/run.ts sqlite`, `postgres` or `citus`. Further arguments go to
// `node --test`, such as `--test-name-pattern=tag_ids`.
//
// Several files share a process. Loading the modules and starting a server with its writer thread takes longer than the
// tests of most files.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "..");
const maxFilesPerProcess = 16;

const onPostgres = {
  pattern: "test/**/!(*.sqlite|*.unit).test.ts",
  flags: ["--import", "./test/support/one-shard.ts"],
};
const databases = {
  sqlite: { pattern: "test/**/!(*.postgres).test.ts", flags: [], concurrency: 4 },
  postgres: { ...onPostgres, concurrency: 4 },
  citus: { ...onPostgres, concurrency: 2 },
};

interface Group {
  name: string;
  files: readonly string[];
}

/** The folder in `test/`. Files outside of folders concern all of them, and files with a browser share it. */
function folderOf(file: string): string {
  return file.includes(".browser.") ? "browser" : (file.split("/").slice(1, -1)[0] ?? "all");
}

/** Splits the files of each folder evenly. */
function groupFiles(files: readonly string[]): Group[] {
  return [...Map.groupBy(files.toSorted(), folderOf)].flatMap(([folder, ofFolder]) => {
    const groups = Math.ceil(ofFolder.length / maxFilesPerProcess);
    const size = Math.ceil(ofFolder.length / groups);
    return Array.from({ length: groups }, (_, index) => ({
      name: `${folder}-${index + 1}`,
      files: ofFolder.slice(index * size, (index + 1) * size),
    }));
  });
}

/** Writes a file that imports the files of the group. @returns its path */
function writeGroup(folder: string, { name, files }: Group): string {
  const path = join(folder, `${name}.test.mjs`);
  const urls = files.map((file) => pathToFileURL(join(root, file)).href);
  writeFileSync(path, urls.map((url) => `import ${JSON.stringify(url)};\n`).join(""));
  return path;
}

/** @returns the exit code of `node --test` */
async function runTests(database: keyof typeof databases, options: readonly string[]): Promise<number> {
  const { pattern, flags, concurrency } = databases[database];
  const reporters = ["spec", "./test/support/slowest-reporter.ts"];
  const folder = mkdtempSync(join(tmpdir(), "email-analytics-tests-"));
  const argv = [
    ...flags,
    "--test",
    `--test-concurrency=${concurrency}`,
    "--test-timeout=600000",
    "--test-global-setup=test/support/setup.ts",
    ...reporters.flatMap((each) => [`--test-reporter=${each}`, "--test-reporter-destination=stdout"]),
    ...options,
    ...groupFiles(globSync(pattern, { cwd: root })).map((group) => writeGroup(folder, group)),
  ];
  const env = {
    ...process.env,
    TEST_DATABASE: database,
    NODE_COMPILE_CACHE: join(root, "node_modules/.cache/node"),
  };
  const child = spawn(process.execPath, argv, { cwd: root, env, stdio: "inherit" });
  // Ctrl-C interrupts both processes. This one waits for the other to clean up.
  process.on("SIGINT", () => undefined);
  const [code] = (await once(child, "exit")) as [number | null];
  rmSync(folder, { recursive: true });
  return code ?? 1;
}

const [database = "", ...options] = process.argv.slice(2);
if (!Object.hasOwn(databases, database))
  throw new Error(`usage: node test/run.ts ${Object.keys(databases).join("|")}`);
process.exitCode = await runTests(database as keyof typeof databases, options);
