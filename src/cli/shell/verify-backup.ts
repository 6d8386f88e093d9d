// Verifies that a file is a whole database, without changing it or creating files beside it.

import { existsSync } from "node:fs";
import { AppError } from "../../errors.ts";
import { pendingMigrations } from "../../storage/migrations/migrate.ts";
import { checkIntegrity } from "../../storage/queries/check-integrity.ts";
import type { Queries } from "../../storage/queries/queries.ts";
import { connectImmutable } from "../../storage/sqlite/immutable.ts";
import { lockFile } from "../../storage/sqlite/replace-file.ts";
import { recountOpen } from "./copy-database.ts";
import type { ProgressBar } from "./progress-bar.ts";

const sample = 20;

/**
 * Checks its structure, and recounts some campaigns.
 *
 * @returns how many campaigns were recounted: none in the database of an older version
 * @throws AppError `conflict` if it is damaged, or not a database of this version or an older one
 */
export async function verifyBackup(path: string, bar: ProgressBar): Promise<number> {
  let queries: Queries | undefined;
  try {
    queries = await connectImmutable(path);
    const pending = await pendingMigrations(queries, { mustExist: true, place: "it" });
    const [damage] = await checkIntegrity(queries, "quick_check");
    if (damage !== undefined) throw new Error(damage);
    return pending.length > 0 ? 0 : await recountOpen(queries, bar, sample);
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    const problem = code === "not_found" ? "it is not a database of email-analytics" : message;
    throw new AppError("conflict", `${path} is not a usable backup: ${problem}`);
  } finally {
    await queries?.destroy();
  }
}

/**
 * A killed process may have left files beside the database.
 *
 * @throws AppError `conflict` if a process has the database open, or if there are such files alone: SQLite would add them to
 *   the database that gets this name
 */
export function refuseInUse(path: string): void {
  const beside = ["-wal", "-shm"].map((suffix) => path + suffix).filter((file) => existsSync(file));
  if (beside.length === 0) return;
  if (existsSync(path)) lockFile(path).close();
  else throw new AppError("conflict", `${beside.join(" and ")} are of a database that is gone; delete them`);
}
