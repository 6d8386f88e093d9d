// The check of the disk needs strace, and so does not run with the tests. Its control must still fit the program.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { copyThatDoesNotWait } from "../../verify/fsync.ts";
import { makeFolder } from "../support/world.ts";

test("the control of the check is a copy of the program that does not wait for the disk", (t) => {
  const program = copyThatDoesNotWait(makeFolder(t));
  const source = join(dirname(program), "..", "src", "storage", "sqlite", "connect.ts");
  assert.match(readFileSync(source, "utf8"), /"synchronous = NORMAL"/);
});
