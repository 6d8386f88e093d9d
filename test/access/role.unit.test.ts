// Roles and their permissions.

import assert from "node:assert/strict";
import test from "node:test";
import { hasPermission, type Role } from "../../src/access/role.ts";

test("an admin has the permissions of both roles, a viewer only those of viewers", () => {
  const cases: [role: Role, required: Role, expected: boolean][] = [
    ["viewer", "viewer", true],
    ["viewer", "admin", false],
    ["admin", "viewer", true],
    ["admin", "admin", true],
  ];
  for (const [role, required, expected] of cases) {
    assert.equal(hasPermission(role, required), expected, `${role}, ${required}`);
  }
});
