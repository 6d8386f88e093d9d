// Starts Platformatic DB: the folder of its package, the folder of its configuration, and the database are arguments.

import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [installed = "", folder = "", databaseUrl = ""] = process.argv.slice(2);
const connectionString = databaseUrl.replace(/^sqlite:/, "sqlite://");
writeFileSync(
  join(folder, "platformatic.json"),
  JSON.stringify({
    $schema: "https://schemas.platformatic.dev/@platformatic/db/3.67.0.json",
    server: { hostname: "127.0.0.1", port: 0, logger: { level: "warn" } },
    db: {
      connectionString,
      graphql: true,
      openapi: true,
      // GraphQL loads all tags of a page with one statement, which the usual limit of 100 rows would refuse.
      limit: { default: 10, max: 1_000 },
      ...(databaseUrl.startsWith("postgres:") && { poolSize: 10 }),
    },
  }),
);
const file = createRequire(join(installed, "package.json")).resolve("@platformatic/db");
const { create } = await import(pathToFileURL(file).href);
const app = await create(folder);
await app.init();
await app.start({ listen: true });
const { port } = new URL(app.getUrl());
console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
