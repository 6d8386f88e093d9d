// Runs tests: `node test/run.ts` on SQLite and then on PostgreSQL, `node test/run.ts sqlite`, `postgres` or `citus` on one
// database. A name selects tests: the start of a file name, a folder, or a path. Options go to `node --test`, such as
// `--test-name-pattern=tag_ids`. SIZE is described in support/random-cases.ts.
//
// Several files share a process. Loading the modules and starting a server with its writer thread takes longer than the
// tests of most files. In full size they do not: on a slow disk, the tests of one file may end before the next is loaded,
// which then would be cleaned up too.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isFullSize } from "./support/random-cases.ts";

const root = join(import.meta.dirname, "..");
const maxFilesPerProcess = isFullSize ? 1 : 32;

const onPostgres = {
  pattern: "test/**/!(*.sqlite|*.unit).test.ts",
  flags: ["--import", "./test/support/one-organization.ts"],
};
const databases = {
  sqlite: { pattern: "test/**/!(*.postgres).test.ts", flags: [], concurrency: 4 },
  postgres: { ...onPostgres, concurrency: 4 },
  citus: { ...onPostgres, concurrency: 2 },
};

/** What makes all tests cheaper. */
const preloaded = ["without-promise-hooks", "cheap-hashes"];

interface Group {
  name: string;
  files: readonly string[];
}

/** The folder in `test/`. Files outside of folders concern all of them, and files with a browser share it. */
function folderOf(file: string): string {
  return file.includes(".browser.") ? "browser" : (file.split("/").slice(1, -1)[0] ?? "all");
}

/** Splits the files of each folder evenly. The browser's come first: they take longest. */
function groupFiles(files: readonly string[]): Group[] {
  const folders = [...Map.groupBy(files.toSorted(), folderOf)];
  folders.sort(([one], [other]) => Number(other === "browser") - Number(one === "browser"));
  return folders.flatMap(([folder, ofFolder]) => {
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

/** Whether a name selects the file. */
const isNamed = (file: string) => (name: string) =>
  basename(file).startsWith(`${name}.`) || `/${file}/`.includes(`/${name.replace(/\/$/, "")}/`);

/** @returns the exit code of `node --test` */
async function runTests(
  database: keyof typeof databases,
  { names, options }: { names: readonly string[]; options: readonly string[] },
): Promise<number> {
  const { pattern, flags, concurrency } = databases[database];
  const files = globSync(pattern, { cwd: root }).filter(
    (file) => names.length === 0 || names.some(isNamed(file)),
  );
  if (files.length === 0) return 0;
  const reporters = ["spec", "./test/support/slowest-reporter.ts"];
  const folder = mkdtempSync(join(tmpdir(), "email-analytics-tests-"));
  const argv = [
    ...preloaded.map((name) => `--import=./test/support/${name}.ts`),
    ...flags,
    "--test",
    `--test-concurrency=${isFullSize ? 1 : concurrency}`,
    ...(isFullSize ? [] : ["--test-timeout=600000"]),
    // Unit tests alone need no database and no browser: they start at once.
    ...(files.every((file) => file.endsWith(".unit.test.ts"))
      ? []
      : ["--test-global-setup=test/support/setup.ts"]),
    ...reporters.flatMap((each) => [`--test-reporter=${each}`, "--test-reporter-destination=stdout"]),
    ...options,
    ...groupFiles(files).map((group) => writeGroup(folder, group)),
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

const isDatabase = (name: string | undefined): name is keyof typeof databases =>
  name !== undefined && Object.hasOwn(databases, name);

const given = process.argv.slice(2);
// In full a test is named, so a single word is its name: the check of Citus has the name of its database.
const hasDatabase = isDatabase(given[0]) && !(isFullSize && given.length === 1);
const chosen = hasDatabase ? [given.shift() as keyof typeof databases] : undefined;
const names = given.filter((each) => !each.startsWith("-"));
const options = given.filter((each) => each.startsWith("-"));
const all = globSync("test/**/*.test.ts", { cwd: root });
const unknown = names.filter((name) => !all.some((file) => isNamed(file)(name)));
if (unknown.length > 0 || (isFullSize && names.length === 0)) {
  const checks = globSync("test/checks/**/*.test.ts", { cwd: root });
  const checkNames = new Set(checks.map((file) => basename(file).split(".")[0]));
  console.error(`error: ${unknown.length > 0 ? `no test is named ${unknown.join()}` : "name a test"}`);
  console.error(`The heavy checks are ${[...checkNames].sort().join(", ")}`);
  process.exitCode = 2;
} else {
  for (const database of chosen ?? (["sqlite", "postgres"] as const)) {
    process.exitCode = await runTests(database, { names, options });
    if (process.exitCode !== 0) break;
  }
}
