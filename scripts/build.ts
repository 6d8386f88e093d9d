// Builds the published package's `dist/` when it is packed: `src/` and its libraries in a few files, because loading 1,400
// files one by one takes longer than all that `serve` does before its first answer.

import { spawnSync } from "node:child_process";
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { build, type Plugin } from "esbuild";

const root = join(import.meta.dirname, "..");
const source = join(root, "src");

/** The files that start as the program or as a thread. */
const entries = [
  "main.ts",
  "counting/writer/writer.ts",
  "counting/upkeep/upkeep.ts",
  "counting/import/reader-thread.ts",
  "listing/feed/download.ts",
  "http/tracking/html/template-thread.ts",
];

/** CommonJS in an ES module lacks these. */
const banner = `import { createRequire } from "node:module";
const require = createRequire(import.meta.url), { filename: __filename, dirname: __dirname } = import.meta;
`;

/**
 * All bundles are in one folder. An entry is its bundle. Every other module believes that it is where it would be if each
 * file were compiled to one, so that it finds `docs/` and the files beside it.
 */
const locateModules: Plugin = {
  name: "locate modules",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const name = relative(source, path).replaceAll("\\", "/");
      const file = (entries.includes(name) ? basename(name) : name).replace(/\.ts$/, ".js");
      const url = `new URL("./${file}", import.meta.url)`;
      const folder = `process.getBuiltinModule("node:url").fileURLToPath(new URL(".", ${url}))`;
      const contents = readFileSync(path, "utf8")
        .replaceAll(/\bimport\.meta\.url\b/g, `${url}.href`)
        .replaceAll(/\bimport\.meta\.dirname\b/g, folder);
      return { contents, loader: "ts" };
    });
  },
};

/** Writes the program into an empty folder. */
export async function buildProgram(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: entries.map((entry) => ({ in: join(source, entry), out: basename(entry, ".ts") })),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    banner: { js: banner },
    // Native code, and an optional library of pg.
    external: ["better-sqlite3", "pg-native"],
    plugins: [locateModules],
    legalComments: "none",
    // Each thread has the text of its modules in memory. Lines stay short enough for a stack trace, and names stay.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 200,
    logLevel: "warning",
    metafile: true,
    absWorkingDir: root,
  });
  copyOtherFiles(folder);
  writeFileSync(join(folder, "commit.txt"), commitOf(root));
  writeFileSync(join(folder, "LICENSES.txt"), licensesOf(Object.keys(metafile.inputs)));
}

/** The short hash of the commit, from COMMIT in a build of the image; empty outside of a checkout. */
function commitOf(folder: string): string {
  if (process.env.COMMIT) return process.env.COMMIT.slice(0, 8);
  const { status, stdout } = spawnSync("git", ["rev-parse", "--short", "HEAD"], {
    cwd: folder,
    encoding: "utf8",
  });
  return status === 0 ? stdout : "";
}

/** What modules read at run time. JSON is imported, so it is in the bundles. */
function copyOtherFiles(folder: string): void {
  for (const path of globSync("**/*.*", { cwd: source })) {
    if (!/\.(ts|md|json)$/.test(path)) cpSync(join(source, path), join(folder, path), { recursive: true });
  }
}

/** The licenses of the bundled libraries, which require that a copy contains them. */
function licensesOf(files: readonly string[]): string {
  const folders = new Set(
    files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  );
  return [...folders]
    .toSorted()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
      const [file] = globSync("{LICEN[SC]E,licen[sc]e,COPYING}*", { cwd: join(root, folder) });
      const text = file ? readFileSync(join(root, folder, file), "utf8").trim() : license;
      return `${name} ${version} (${license})\n\n${text}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}

if (import.meta.main) await buildProgram(join(root, "dist"));
