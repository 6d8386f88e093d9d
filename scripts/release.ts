// Makes the files of a release: the package, a list of its parts (SBOM, CycloneDX), their SHA-256 checksums, and the notes
// from the changelog. `npm run release`, or with the path of an empty folder.

import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

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
const sums = readdirSync(folder)
  .toSorted()
  .map((file) => `${hash("sha256", readFileSync(join(folder, file)))}  ${file}\n`);
writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
writeFileSync(join(folder, "NOTES.md"), notes);
console.log(`${folder}:\n${readdirSync(folder).join("\n")}`);
