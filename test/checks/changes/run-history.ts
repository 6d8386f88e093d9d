// One random history: writers change the campaigns of an organization while a client reads the changes. In the end, the
// copy of the client equals what the service shows.

import assert from "node:assert/strict";
import { Random } from "../../support/histories.ts";
import type { World } from "../../support/world.ts";
import { type ChangesPage, type Copy, CopyingClient } from "./copying-client.ts";
import { clockMs, type HistoryClock } from "./history-clocks.ts";
import type { PlantedFault } from "./planted-faults.ts";
import {
  type ChangingOrganization,
  makeRandomChange,
  maxCampaigns,
  retryWhileUnavailable,
} from "./random-change.ts";
import type { Send } from "./send.ts";

const passes = 6;
/** So few that every pass has several pages, between which writers go on. */
const perPage = 2;
/** So much that every campaign is sent. */
const longMs = 200;

export interface HistoryOptions {
  /** Its clock is that of the history. */
  world: World;
  clock: HistoryClock;
  seed: number;
  fault: PlantedFault;
  send: Send;
  /** Sends to a process without a fault, whose clock is exact. */
  sendToReference: Send;
  /** Runs when half of the passes are over. */
  onHalf?(): void;
}

/** How many changes were made and received, and how often copies were compared. */
export interface HistoryFigures {
  changes: number;
  received: number;
  comparisons: number;
}

export function describeFigures(histories: readonly HistoryFigures[]): string {
  const sum = (figure: keyof HistoryFigures) => histories.reduce((total, each) => total + each[figure], 0);
  return `${histories.length} histories with ${sum("changes")} changes: ${sum("received")} changed records received, ${sum("comparisons")} copies equal what the service shows`;
}

/** @throws AssertionError that names the history if the copy differs */
export async function runHistory(options: HistoryOptions): Promise<HistoryFigures> {
  const { world, clock, seed, send, sendToReference } = options;
  const { organization, key, ingestKey } = await retryWhileUnavailable(() => world.addOrganization());
  const changing: ChangingOrganization = {
    world,
    organization,
    random: new Random(seed),
    send: async (method, path, body) =>
      (await send(`/ingest/v1/${path}`, { key: ingestKey, method, body })).status,
    ...{ changes: 0, sendTimes: new Set(), openIds: new Set() },
  };
  const client = new CopyingClient((query) => readPage(send, key, query), { perPage, maxCampaigns });
  await changeAndRead(changing, client, options);
  let comparisons = 0;
  const compare = async () => {
    await client.readAll();
    comparisons += 1;
    const fresh = new CopyingClient((query) => readPage(sendToReference, key, query), {
      ...{ perPage: 100, maxCampaigns },
    });
    await fresh.readAll();
    assertSameCopies(client.copy, fresh.copy, `history ${seed}`);
    assertShown(client.copy, await read(sendToReference, key, "?per_page=100"), `history ${seed}`);
  };
  await clock.advance(5);
  // Else the clock decides whether a campaign is sent.
  const isNear = (time: number) => Math.abs(time - clock.exact) <= clockMs;
  if (clock.isSimulated && ![...changing.sendTimes].some(isNear)) await compare();
  await clock.advance(longMs);
  await compare();
  return { changes: changing.changes, received: client.received, comparisons };
}

/**
 * Reads all changes several times, while writers change campaigns before each pass and between its pages. In real
 * time they also do so while a page is read.
 */
async function changeAndRead(
  changing: ChangingOrganization,
  client: CopyingClient,
  { world, clock, fault, onHalf }: HistoryOptions,
): Promise<void> {
  const { organization, random } = changing;
  let writing = Promise.resolve();
  const change = async (most: number, msBetween: number) => {
    for (let count = random.between(0, most); count > 0; count--) {
      if (random.chance(33)) await clock.advance(random.between(0, msBetween));
      await makeRandomChange(changing);
      await fault.afterChange?.(world.database, organization.id);
    }
  };
  const betweenPages = async () => {
    if (fault.changeCursor) client.cursor = fault.changeCursor(client.cursor ?? "", organization);
    await writing;
    writing = change(6, 3);
    if (clock.isSimulated) await writing;
  };
  for (let pass = 0; pass < passes; pass++) {
    if (pass === passes / 2) onHalf?.();
    await change(7, 9);
    await client.readAll(betweenPages);
    await writing;
    await clock.advance(random.between(0, 29));
  }
}

async function readPage(send: Send, key: string, query: string): Promise<ChangesPage> {
  return JSON.parse(await read(send, key, `/changes${query}`)) as ChangesPage;
}

async function read(send: Send, key: string, rest: string): Promise<string> {
  const { status, text } = await send(`/data_api/v1/emails${rest}`, { key });
  assert.equal(status, 200, text);
  return text;
}

function assertSameCopies(one: Copy, other: Copy, name: string): void {
  const byId = (records: Copy) => new Map([...records].sort(([a], [b]) => a - b));
  assert.deepEqual(byId(one), byId(other), name);
}

/** The copy has the campaigns and the tags that a page of emails shows. */
function assertShown(copy: Copy, page: string, name: string): void {
  const { emails } = JSON.parse(page) as { emails: Record<string, unknown>[] };
  const shown = (records: Iterable<Record<string, unknown>>) =>
    [...records]
      .map(({ id, subject, tags, total_opens }) => JSON.stringify([id, subject, tags, total_opens]))
      .sort();
  assert.deepEqual(shown(copy.values()), shown(emails), name);
}
