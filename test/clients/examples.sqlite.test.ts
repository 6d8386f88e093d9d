// The examples in the documentation of the clients run as they are, one page after another.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import test, { after } from "node:test";
import { codeBlocksOf, runExamples } from "../support/examples.ts";
import { campaign, makeFolder, makeSqliteWorld, serve } from "../support/world.ts";

const world = await makeSqliteWorld({ after });
const { organization, key } = await world.addOrganization();
await world.save(organization, [
  campaign({ id: 1, tags: ["News"], sentFrom: "" }),
  campaign({ id: 2, sentAt: Date.UTC(2024, 5, 1, 14, 30) }),
]);
const { url } = await serve({ after }, world);

const pages: [path: string, language: "python" | "ts", blocks: number, printed: RegExp, files: string[]][] = [
  ["docs/tools.md", "python", 1, /^2 campaigns, the latest of 2024-06-01 14:30:00\+00:00\n$/, []],
  ["docs/tools.md", "ts", 1, /^2024-06-01 Campaign 2\n2024-01-01 Campaign 1\n$/, []],
  [
    "clients/python/README.md",
    "python",
    5,
    /^2024-06-01 14:30:00\+00:00 Campaign 2 0\.25\n.*\nunauthorized 401 [\w-]{36} .*$/s,
    ["emails.csv", "emails.parquet"],
  ],
  [
    "clients/typescript/README.md",
    "ts",
    5,
    /^2024-06-01T14:30:00\.000Z Campaign 2 0\.25\n.*\nCampaign 1\nunauthorized 401 [\w-]{36} .*$/s,
    ["emails.parquet"],
  ],
];

for (const [path, language, count, printed, files] of pages) {
  test(`the examples of ${path} in ${language} run`, async (t) => {
    const folder = makeFolder(t);
    const blocks = codeBlocksOf(path).filter((block) => block.language === language && !block.needs);
    assert.equal(blocks.length, count);
    assert.match(await runExamples(language, blocks, { url, key, folder }), printed);
    assert.deepEqual(
      readdirSync(folder).filter((name) => !name.startsWith("example.")),
      files,
    );
  });
}
