// The programs of docs/tools.md run as they are, against a service.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { after } from "node:test";
import { promisify } from "node:util";
import { campaign, makeFolder, makeSqliteWorld, serve } from "./support/world.ts";

const world = await makeSqliteWorld({ after });
const { organization, key } = await world.addOrganization();
await world.save(organization, [
  campaign({ id: 1, tags: ["News"], sentFrom: "" }),
  campaign({ id: 2, sentAt: Date.UTC(2024, 5, 1, 14, 30) }),
]);
const { url } = await serve({ after }, world);

/** As much of requests as the program uses, so that the tests need no package of Python. */
const requestsStandIn = `
import json, types, urllib.parse, urllib.request

class Response:
    def __init__(self, response):
        self.headers, self.lines = response.headers, response.read().splitlines()
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def raise_for_status(self): pass
    def iter_lines(self): return iter(self.lines)
    def json(self): return json.loads(b"\\n".join(self.lines))

class Session:
    def __init__(self): self.headers = {}
    def get(self, url, params={}, stream=False, timeout=None):
        query = urllib.parse.urlencode(params)
        request = urllib.request.Request(f"{url}?{query}" if query else url, headers=self.headers)
        return Response(urllib.request.urlopen(request, timeout=timeout))
`;

/** Writes the blocks of a language as one program. @returns its path */
function saveProgram(folder: string, language: "python" | "ts"): string {
  const page = readFileSync(join(import.meta.dirname, "../docs/tools.md"), "utf8");
  const blocks = [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, "g"))];
  const path = join(folder, `program.${language}`);
  const code = blocks.map(([, block = ""]) => block).join("\n");
  writeFileSync(path, code.replaceAll("https://analytics.example.com", url));
  return path;
}

async function run(program: string, folder: string, language: "python" | "ts"): Promise<string> {
  const env = { ...process.env, EMAIL_ANALYTICS_KEY: key };
  const argv = [saveProgram(folder, language)];
  return (await promisify(execFile)(program, argv, { cwd: folder, env })).stdout;
}

test("the program in Python downloads all campaigns, and then what has changed", async (t) => {
  const folder = makeFolder(t);
  writeFileSync(join(folder, "requests.py"), requestsStandIn);
  const text = "2 campaigns, the latest of 2024-06-01T14:30:00.000Z\n2 campaigns after the changes\n";
  assert.equal(await run("python3", folder, "python"), text);
});

test("the program in TypeScript downloads all campaigns", async (t) => {
  const text = "2024-06-01 Campaign 2 0.25\n2024-01-01 Campaign 1 0.25\n";
  assert.equal(await run(process.execPath, makeFolder(t), "ts"), text);
});
