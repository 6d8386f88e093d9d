#!/usr/bin/env node
// The command `email-analytics`. Plain JavaScript that even an old Node can read, so that it can say what is missing.
import { existsSync } from "node:fs";

const oldestNode = 24;
if (Number(process.versions.node.split(".")[0]) < oldestNode) {
  console.error(
    `error: email-analytics needs Node ${oldestNode} or later; this is Node ${process.versions.node}. Install it from https://nodejs.org`,
  );
  process.exit(1);
}
// A checkout runs its TypeScript as it is; the published package has JavaScript instead.
const source = new URL("../src/main.ts", import.meta.url);
const { main } = await import(existsSync(source) ? source : new URL("../dist/main.js", import.meta.url));
process.exitCode = await main(process.argv.slice(2));
