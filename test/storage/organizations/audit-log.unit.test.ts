// The audit log is append-only: the program has no statement that changes an entry, and one that deletes old ones.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { auditActions } from "../../../src/access/audit-actions.ts";

const source = join(import.meta.dirname, "../../../src");

test("one statement deletes entries of the audit log, and none changes them", () => {
  const changes = /(?:updateTable|deleteFrom)\("audit_log"|(?:update|delete from) "?audit_log/g;
  const found = globSync("**/*.ts", { cwd: source }).flatMap((file) =>
    [...readFileSync(join(source, file), "utf8").matchAll(changes)].map(([text]) => `${file}: ${text}`),
  );
  assert.deepEqual(found, ["storage/organizations/audit-log.ts: delete from audit_log"]);
});

test("the code writes every action", () => {
  const text = globSync("{cli,counting,http}/**/*.ts", { cwd: source })
    .map((file) => readFileSync(join(source, file), "utf8"))
    .join();
  // A switch and its opposite share a statement, of which the compiler checks the action.
  const written = (action: string) =>
    text.includes(`"${action}"`) ||
    (/^(csv|share)-link\.(allow|refuse)$/.test(action) && text.includes(`"${action.split(".")[0]}"`));
  const found = Object.keys(auditActions).filter((action) => !written(action));
  assert.deepEqual(found, []);
});
