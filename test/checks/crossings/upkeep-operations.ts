// Upkeep, clocks, backups and moves to another database.

import { join } from "node:path";
import { startNewHistory } from "../../../src/counting/campaigns/change-organization.ts";
import { skipLostIds } from "../../../src/storage/copy/last-ids.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { backUp } from "../../support/back-up.ts";
import { makeDatabase, succeeds } from "../../support/world.ts";
import type { Known } from "./crossing.ts";
import { dayMs, Model, minuteMs } from "./model.ts";
import type { Operation } from "./operation.ts";
import { openStage } from "./stage.ts";

const upkeep: Operation = async (crossing) => {
  await crossing.upkeep();
  return "upkeep";
};

/** So far in all, so that quarantined events do not expire. */
const maxForwardMs = 8 * dayMs;

const clockForward: Operation = async (crossing) => {
  const byMs = crossing.random.pick([minuteMs, 30 * minuteMs, 3 * 60 * minuteMs, 30 * 60 * minuteMs]);
  if (crossing.forwardMs + byMs > maxForwardMs) return undefined;
  crossing.forwardMs += byMs;
  await crossing.moveClock(byMs + 7);
  return `time passed: ${byMs / minuteMs} minutes`;
};

/** A clock that is wrong for a while. */
const clockAhead: Operation = async (crossing) => {
  if (crossing.aheadMs > 0) return undefined;
  crossing.aheadMs = crossing.random.pick([2 * 60 * minuteMs, 3 * dayMs, 20 * dayMs]);
  await crossing.moveClock(crossing.aheadMs);
  return `the clock is ${crossing.aheadMs / dayMs} days ahead`;
};

const clockBack: Operation = async (crossing) => {
  if (crossing.aheadMs === 0) return undefined;
  await crossing.moveClock(-crossing.aheadMs);
  crossing.aheadMs = 0;
  return "the clock is right again";
};

const recount: Operation = async (crossing) => {
  await crossing.recount();
  return "recounted";
};

function copyOf({ model, ...others }: Known): Known {
  const copied = structuredClone({ model: { ...model }, ...others });
  return { ...copied, model: Object.assign(new Model(), copied.model) };
}

const backUpNow: Operation = async (crossing) => {
  const { stage, organization, known } = crossing;
  crossing.backup = { restore: await backUp(stage.world.database, organization.id), known: copyOf(known) };
  return "made a backup";
};

/** What happened since is undone. As `restore` does, clients are told, and ids that were given out since are skipped. */
const restoreBackup: Operation = async (crossing) => {
  const { backup, known, stage, organization, now } = crossing;
  if (!backup) return undefined;
  await backup.restore();
  await stage.world.database.transaction(async (queries) => {
    await startNewHistory(new Scope(queries, organization.id), now);
    await skipLostIds(queries);
  });
  crossing.wasRestored = true;
  crossing.known = copyOf(backup.known);
  // Tracked messages and links still have them.
  for (const id of known.model.usedIds) crossing.model.usedIds.add(id);
  for (const { text } of known.readKeys) {
    if (!crossing.known.readKeys.some((key) => key.text === text)) crossing.deletedKeys.push(text);
  }
  await crossing.publishDue();
  await crossing.signIn();
  return "restored the backup";
};

/** Copies the whole database into another, and goes on there. */
const moveDatabase: Operation = async (crossing) => {
  const { stage, cleanup, random } = crossing;
  if (!cleanup) return undefined;
  const { world } = stage;
  const isFile = world.databaseUrl.startsWith("sqlite:");
  const file = join(world.folder, `moved-${crossing.next()}.db`);
  const usesBackup = isFile && random.chance(50);
  const to = usesBackup ? `sqlite:${file}` : await makeDatabase(cleanup, { isEmpty: true });
  const argv = usesBackup ? ["backup", file] : ["copy", "--from", world.databaseUrl];
  await succeeds(usesBackup ? world.databaseUrl : to, argv, { now: () => crossing.now });
  crossing.stage = await openStage(to, world.clock);
  crossing.kept.clear();
  cleanup.after(() => crossing.stage.close());
  crossing.backup = undefined;
  await crossing.signIn();
  return usesBackup ? "went on with a backup" : "went on with a copy";
};

/** The client that reads changes reads one page, and goes on with its pass later. */
const readChanges: Operation = async (crossing) => {
  const hasMore = await crossing.readChanges((client) => client.readPage());
  return `read a page of changes, ${hasMore ? "and there are more" : "the last one"}`;
};

export const upkeepOperations = {
  readChanges,
  upkeep,
  clockForward,
  clockAhead,
  clockBack,
  recount,
  backUpNow,
  restoreBackup,
  moveDatabase,
};
