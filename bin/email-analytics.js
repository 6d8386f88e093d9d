#!/usr/bin/env node
// The command `email-analytics`. Plain JavaScript that an old Node can parse, so that it can print which version it needs.
import { existsSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

const oldestNode = 24;
if (Number(process.versions.node.split(".")[0]) < oldestNode) {
  console.error(
    `error: email-analytics needs Node ${oldestNode} or later; this is Node ${process.versions.node}. Install it from https://nodejs.org`,
  );
  process.exit(1);
}
// Compiled code is kept in the folder of the program, if it can be written, which makes the next start faster. Not in the
// system's folder of temporary files: other users may write there.
module.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));
// A checkout runs the TypeScript source; the published package contains JavaScript instead.
const source = new URL("../src/main.ts", import.meta.url);
const { main } = await import(existsSync(source) ? source : new URL("../dist/main.js", import.meta.url));
process.exitCode = await main(process.argv.slice(2));
