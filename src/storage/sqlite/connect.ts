// Connections to a SQLite file.

import Sqlite from "better-sqlite3";
import { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import { checkSettings } from "./check-settings.ts";
import { WaitingSqliteDialect } from "./dialect.ts";
import { busyTimeoutMs } from "./retry.ts";

export interface SqliteConnection {
  sqlite: Sqlite.Database;
  kysely: Kysely<Tables>;
}

const writerCacheKib = 32 * 1024;
/**
 * Larger pages are faster to read, because 100 records are on fewer of them, and slower to write, because each event changes
 * a recipient on some page. Files of another page size keep it; `copy` into a new file changes it.
 */
const pageBytes = 8 * 1024;
/** 40 MB, or 20 MB in files that keep pages of 4 KiB. */
const pagesPerCheckpoint = 5_000;
const maxLogBytes = 64 * 1024 * 1024;

/** @throws AppError `conflict` if the SQLite library or a setting is unsafe */
export function connect(path: string, purpose: "reading" | "writing"): SqliteConnection {
  const sqlite = new Sqlite(path, { timeout: busyTimeoutMs });
  try {
    // These take effect in an empty database only.
    if (sqlite.pragma("page_count", { simple: true }) === 0) {
      sqlite.pragma(`page_size = ${pageBytes}`);
      sqlite.pragma("auto_vacuum = INCREMENTAL");
    }
    sqlite.pragma("journal_mode = WAL");
    // Waits for the disk at each commit. The default of better-sqlite3 in WAL mode, NORMAL, may lose the last commits in a
    // power failure.
    sqlite.pragma("synchronous = FULL");
    sqlite.pragma("secure_delete = ON");
    sqlite.pragma("foreign_keys = ON");
    sqlite.pragma(`journal_size_limit = ${maxLogBytes}`);
    if (purpose === "reading") sqlite.pragma("query_only = ON");
    else {
      // Events touch pages all over the file: a large cache reads fewer of them again, and rare checkpoints copy each
      // page once for many commits.
      sqlite.pragma(`cache_size = -${writerCacheKib}`);
      sqlite.pragma(`wal_autocheckpoint = ${pagesPerCheckpoint}`);
    }
    checkSettings(sqlite, path);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  return { sqlite, kysely: new Kysely<Tables>({ dialect: new WaitingSqliteDialect(sqlite, purpose) }) };
}
