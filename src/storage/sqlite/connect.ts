// Connections to a SQLite file.

import Sqlite from "better-sqlite3";
import { Kysely } from "kysely";
import { checkVersion, type MigrationRow, migrationTable } from "../migrations/check-version.ts";
import type { Tables } from "../tables/tables.ts";
import { checkSettings } from "./check-settings.ts";
import { WaitingSqliteDialect } from "./dialect.ts";
import { busyTimeoutMs } from "./retry.ts";
import { openTurns, type Turns } from "./turns.ts";

export interface SqliteConnection {
  sqlite: Sqlite.Database;
  kysely: Kysely<Tables>;
}

export interface WritingConnection extends SqliteConnection {
  turns: Turns;
}

/**
 * Threads have twelve connections in all, most of which need little: the system keeps the pages of the file as well. The
 * default of better-sqlite3 is 16 MB for each.
 */
const cacheKib = 1024;
/**
 * Events touch pages all over the file: with a large cache the connection that counts them reads fewer pages again.
 */
const largeCacheKib = 16 * 1024;
/**
 * Larger pages are faster to read, because 100 records are on fewer of them, and slower to write, because each event changes
 * a recipient on some page. Files of another page size keep it; `copy` into a new file changes it.
 */
const pageBytes = 8 * 1024;
/** 40 MB, or 20 MB in files that keep pages of 4 KiB. */
const pagesPerCheckpoint = 5_000;
const maxLogBytes = 64 * 1024 * 1024;

/** @throws AppError `conflict` if the SQLite library or a setting is unsafe */
export function connectReader(path: string): SqliteConnection {
  const sqlite = open(path, `cache_size = -${cacheKib}`, "query_only = ON");
  return { sqlite, kysely: new Kysely<Tables>({ dialect: new WaitingSqliteDialect(sqlite) }) };
}

/**
 * @param writesMuch whether the connection has a large cache
 * @throws AppError `conflict` if the SQLite library or a setting is unsafe
 */
export function connectWriter(path: string, writesMuch = false): WritingConnection {
  const cache = `cache_size = -${writesMuch ? largeCacheKib : cacheKib}`;
  // Rare checkpoints copy each page once for many commits.
  const sqlite = open(path, cache, `wal_autocheckpoint = ${pagesPerCheckpoint}`);
  try {
    const turns = openTurns(path);
    return {
      sqlite,
      kysely: new Kysely<Tables>({ dialect: new WaitingSqliteDialect(sqlite, turns) }),
      turns,
    };
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function open(path: string, ...settings: string[]): Sqlite.Database {
  const sqlite = new Sqlite(path, { timeout: busyTimeoutMs });
  try {
    // Checks the file before it changes anything, because the file may belong to another program.
    checkFile(sqlite);
    // These take effect in an empty database only.
    if (sqlite.pragma("page_count", { simple: true }) === 0) {
      sqlite.pragma(`page_size = ${pageBytes}`);
      sqlite.pragma("auto_vacuum = INCREMENTAL");
    }
    for (const setting of [
      "journal_mode = WAL",
      // Waits for the disk at each commit. The default of better-sqlite3 in WAL mode, NORMAL, may lose the last commits in a
      // power failure.
      "synchronous = FULL",
      "secure_delete = ON",
      "foreign_keys = ON",
      `journal_size_limit = ${maxLogBytes}`,
      ...settings,
    ])
      sqlite.pragma(setting);
    checkSettings(sqlite, path);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  return sqlite;
}

function checkFile(sqlite: Sqlite.Database): void {
  const names = sqlite.prepare("select name from sqlite_master where type = 'table'").pluck().all();
  if (names.length === 0) return;
  const rows = names.includes(migrationTable)
    ? sqlite.prepare<[], MigrationRow>(`select * from ${migrationTable} order by name`).all()
    : [];
  checkVersion(rows, `sqlite:${sqlite.name}`);
}
