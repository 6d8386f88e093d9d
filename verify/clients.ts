// Runs all examples of the Python client with pandas, which pip installs into a temporary folder.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { codeBlocksOf, type ExampleService, runExamples } from "../test/support/examples.ts";
import { makeOrganization, registerCampaigns, startService, stopService } from "./support/service.ts";

const run = promisify(execFile);

export interface ClientsOptions {
  folder: string;
  campaigns: number;
  print: (line: string) => void;
}

/** @throws AssertionError if pandas does not get the types of the fields */
export async function verifyClients({ folder, campaigns, print }: ClientsOptions): Promise<void> {
  const databaseUrl = `sqlite:${join(folder, "clients.db")}`;
  const keys = await makeOrganization(databaseUrl);
  const service = await startService(databaseUrl);
  try {
    await registerCampaigns(service.url, keys.ingest, campaigns);
    const python = await installPandas(join(folder, "python"), print);
    const examples = { url: service.url, key: keys.read, folder };
    await checkPandas(python, examples, print);
  } finally {
    await stopService(service);
  }
}

/** @returns the path of a Python that has pandas */
async function installPandas(folder: string, print: (line: string) => void): Promise<string> {
  await run("python3", ["-m", "venv", folder]);
  const python = join(folder, "bin/python");
  await run(python, ["-m", "pip", "install", "--quiet", "pandas"]);
  const { stdout } = await run(python, ["-c", "import pandas; print('pandas', pandas.__version__)"]);
  print(stdout.trim());
  return python;
}

async function checkPandas(python: string, examples: ExampleService, print: (line: string) => void) {
  for (const page of ["docs/tools.md", "clients/python/README.md"]) {
    const blocks = codeBlocksOf(page).filter(({ language }) => language === "python");
    assert.ok(blocks.some(({ needs }) => needs === "pandas"));
    const printed = await runExamples("python", blocks, examples, { python });
    if (page === "docs/tools.md") {
      assert.match(printed, /^sent_at +datetime64\[\w+, UTC\]$/m);
      assert.match(printed, /^sent_on +datetime64\[\w+\]$/m);
      assert.match(printed, /^unique_opens +Int64$/m);
      assert.match(printed, /^open_rate +float64$/m);
      assert.match(printed, /^subject +string/m);
    }
    print(`${page}: pandas has the types`);
  }
}
