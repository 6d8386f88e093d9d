// The workflows of GitHub Actions: pinned by digest, and allowed no more than they need.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { load } from "js-yaml";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const files = globSync(".github/workflows/*.yml", { cwd: root });
const workflows = files.map((path) => ({ path, text: read(path), ...(load(read(path)) as Workflow) }));

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, { permissions?: Record<string, string>; steps: { run?: string; uses?: string }[] }>;
}

// https://docs.github.com/en/actions/reference/security/secure-use
test("every action is pinned by the digest of its commit, with its version beside it", () => {
  assert.equal(files.length, 2);
  for (const { path, text, jobs } of workflows) {
    const used = Object.values(jobs).flatMap(({ steps }) => steps.filter((step) => step.uses !== undefined));
    const pinned = text.match(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/gm) ?? [];
    assert.equal(pinned.length, used.length, path);
  }
});

test("a workflow may read alone, and only the jobs of a release may write", () => {
  const allowed = {
    files: ["attestations", "contents", "id-token"],
    image: ["attestations", "id-token", "packages"],
  };
  for (const { path, permissions, jobs } of workflows) {
    assert.deepEqual(permissions, { contents: "read" }, path);
    for (const [name, job] of Object.entries(jobs)) {
      const writes = Object.entries(job.permissions ?? {}).filter(([, level]) => level === "write");
      const expected = allowed[name as keyof typeof allowed] ?? [];
      assert.deepEqual(writes.map(([permission]) => permission).sort(), expected, name);
    }
  }
});

test("no command of a shell contains an expression, which a branch or a title could fill with commands", () => {
  for (const { path, jobs } of workflows) {
    for (const { run = "" } of Object.values(jobs).flatMap(({ steps }) => steps)) {
      assert.doesNotMatch(run, /\$\{\{/, path);
    }
  }
});

test("a release runs scripts that exist, for the architectures that the installer knows", () => {
  const release = read(".github/workflows/release.yml");
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const [, script = "", machines = ""] = /npm run (\w+) -- \w+ ([\w ]+)/.exec(release) ?? [];
  assert.ok(scripts[script]);
  for (const machine of machines.split(" "))
    assert.ok(read("deploy/install.sh").includes(`machine=${machine}`));
});
