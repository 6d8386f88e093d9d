// `npm run dev`: serves the demo's data and restarts when a source file changes. The data, the API key and the sign-in
// link stay the same between restarts; `rm -r data/dev` starts over.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateSecret } from "../src/access/secret.ts";
import { makeDemoData } from "../src/cli/demo/demo-server.ts";
import { untilSignal } from "../src/cli/shell/until-signal.ts";
import { processEnvironment, readSettings } from "../src/config.ts";
import { componentNames } from "../src/http/server/components.ts";
import { startServer } from "../src/http/server/start.ts";
import { openDatabase } from "../src/storage/open-database.ts";

interface DevWorld {
  key: string;
  organizationId: number;
  userId: number;
  secret: string;
}

const folder = join(import.meta.dirname, "../data/dev");
const worldFile = join(folder, "world.json");
const settings = readSettings({ DATABASE_URL: `sqlite:${join(folder, "dev.db")}` }, processEnvironment);

async function makeWorld(): Promise<DevWorld> {
  mkdirSync(folder, { recursive: true });
  const database = await openDatabase(settings.DATABASE_URL);
  const demo = { region: settings.REGION, now: Date.now() };
  const { key, organizationId, userId } = await makeDemoData(database, demo).finally(() => database.close());
  const world = { key, organizationId, userId, secret: generateSecret() };
  writeFileSync(worldFile, JSON.stringify(world), { mode: 0o600 });
  return world;
}

const { key, ...welcome } = existsSync(worldFile)
  ? (JSON.parse(readFileSync(worldFile, "utf8")) as DevWorld)
  : await makeWorld();
const server = await startServer(settings, componentNames, { isMonitored: false, welcome });
console.log(`\nSign in:  ${server.url}/welcome/${welcome.secret}`);
console.log(
  `API:      curl -H "Authorization: Bearer ${key}" "${server.url}/data_api/v1/emails?per_page=2"\n`,
);
await untilSignal();
await server.stop();
