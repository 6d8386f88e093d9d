// Makes the files of a release: the package, a list of its parts (SBOM, CycloneDX), their SHA-256 checksums, and the notes
// from the changelog. `npm run release`, or with the path of an empty folder. Architectures after it, amd64 or arm64, add a
// tarball for Linux with Node and all libraries inside.

import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const root = join(import.meta.dirname, "..");
const folder = resolve(process.argv[2] ?? join(root, "release"));
const npm = (...argv: string[]) =>
  execFileSync("npm", argv, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });

/** The part of the changelog about a version. @throws Error if there is none */
function notesOf(version: string): string {
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const notes = changelog.split(/^(?=## )/m).find((part) => part.startsWith(`## ${version} `));
  if (!notes) throw new Error(`CHANGELOG.md has no part "## ${version} "`);
  return notes;
}

interface Sbom {
  components: { "bom-ref": string; properties?: { name: string; value: string }[] }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/** Everything but what only development needs. `npm sbom --omit dev` forgets what both need. */
function listParts(): Sbom {
  const all = JSON.parse(npm("sbom", "--sbom-format", "cyclonedx", "--package-lock-only")) as Sbom;
  const isForDevelopment = ({ properties = [] }: Sbom["components"][number]) =>
    properties.some(
      (property) => property.name === "cdx:npm:package:development" && property.value === "true",
    );
  const left = new Set(all.components.filter(isForDevelopment).map((component) => component["bom-ref"]));
  return {
    ...all,
    components: all.components.filter((component) => !left.has(component["bom-ref"])),
    dependencies: all.dependencies
      .filter(({ ref }) => !left.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => !left.has(each)) })),
  };
}

/** The oldest Node that the package accepts. Newer ones need libatomic, which a small Debian does not have. */
const bundledNode = "24.22.3";

/** Makes a tarball that has the same bytes each time: the package with its libraries, and Node in `bin/`. */
function makeTarball(architecture: string, machine: string): void {
  const work = mkdtempSync(join(tmpdir(), "release-"));
  const run = (program: string, ...argv: string[]) =>
    execFileSync(program, argv, { cwd: work, stdio: ["ignore", "ignore", "inherit"] });
  const title = `${name}-${version}-linux-${architecture}`;
  const program = join(work, title);
  mkdirSync(program);
  run("tar", "-xzf", join(folder, `${name}-${version}.tgz`), "-C", program, "--strip-components=1");
  cpSync(join(root, "package-lock.json"), join(program, "package-lock.json"));
  execFileSync("npm", ["ci", "--omit=dev", "--ignore-scripts", "--silent"], {
    cwd: program,
    stdio: "inherit",
  });
  const sqlite = join(program, "node_modules/better-sqlite3");
  for (const source of ["deps", "src"]) rmSync(join(sqlite, source), { recursive: true });
  for (const file of readdirSync(join(sqlite, "prebuilds"))) {
    if (file !== `linux-${machine}.node`) rmSync(join(sqlite, "prebuilds", file));
  }
  run("npm", "pack", "--silent", `node-linux-${machine}@${bundledNode}`);
  run("tar", "-xzf", `node-linux-${machine}-${bundledNode}.tgz`, "-C", work);
  cpSync(join(work, "package/bin/node"), join(program, "bin/node"));
  cpSync(join(work, "package/LICENSE"), join(program, "bin/LICENSE.node"));
  const tar = join(work, "files.tar");
  const fixed = "--sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX".split(" ");
  run("tar", ...fixed, "-cf", tar, title);
  writeFileSync(join(folder, `${title}.tar.gz`), gzipSync(readFileSync(tar), { level: 9 }));
  rmSync(work, { recursive: true });
}

const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  name: string;
  version: string;
};
const notes = notesOf(version);
mkdirSync(folder, { recursive: true });
if (readdirSync(folder).length > 0)
  throw new Error(`${folder} is not empty; delete it, or name another folder`);
npm("pack", "--silent", "--pack-destination", folder);
writeFileSync(join(folder, `${name}-${version}.cdx.json`), JSON.stringify(listParts(), null, 2));
const architectures = { amd64: "x64", arm64: "arm64" };
for (const [architecture, machine] of Object.entries(architectures)) {
  if (process.argv.includes(architecture)) makeTarball(architecture, machine);
}
const sums = readdirSync(folder)
  .toSorted()
  .map((file) => `${hash("sha256", readFileSync(join(folder, file)))}  ${file}\n`);
writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
writeFileSync(join(folder, "NOTES.md"), notes);
console.log(`${folder}:\n${readdirSync(folder).join("\n")}`);
