// `doctor --full` finds flipped bits in a SQLite file.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { damageOf } from "../../support/doctor.ts";
import { campaign, makeFolder, makeSqliteWorld, run } from "../../support/world.ts";

/** A subject that appears nowhere else in the file: in the rendered record, and in the subject. */
const subject = "A subject like no other";
const keyName = "A key like no other";

/** A database with 300 campaigns, and where a text is: campaign 150 has the subject in its row and its rendered record. */
async function makeFile(t: TestContext, text = subject) {
  const world = await makeSqliteWorld(t);
  const { organization } = await world.addOrganization();
  await run(world.databaseUrl, ["key", "add", "--organization", `${organization.id}`, "--name", keyName]);
  await world.save(
    organization,
    Array.from({ length: 300 }, (_, index) => campaign({ id: index + 1, ...(index === 149 && { subject }) })),
  );
  await run(world.databaseUrl, "doctor --vacuum");
  const bytes = readFileSync(world.databaseUrl.slice("sqlite:".length));
  const positions = [];
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) positions.push(at);
  const path = join(makeFolder(t), "damaged.db");
  /** Writes the file with one flipped bit. */
  const damage = (at: number) => {
    const damaged = Buffer.from(bytes);
    damaged[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(path, damaged, { mode: 0o600 });
    return `sqlite:${path}`;
  };
  return { damage, positions };
}

test("doctor --full finds a flipped bit in a record, and in the data it was rendered from", async (t) => {
  const { damage, positions } = await makeFile(t);
  // Its title is in the campaign, and in the typed and the rendered record.
  assert.equal(positions.length, 3);
  for (const at of positions) {
    const [found = ""] = await damageOf(damage(at));
    assert.match(found, /\. The database is damaged; restore a backup\.$/, `at ${at}`);
  }
});

test("doctor --full does not see a flipped bit in the name of a key", async (t) => {
  const { damage, positions } = await makeFile(t, keyName);
  // In the key, and in the audit log.
  assert.equal(positions.length, 2);
  for (const at of positions) assert.deepEqual(await damageOf(damage(at)), []);
});
