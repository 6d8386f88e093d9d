// What released groups add to sums.

import assert from "node:assert/strict";
import test from "node:test";
import type { CopiedCounts } from "../../../src/campaign/audience/copy-groups.ts";
import { packGroup, sumsOfGroup, unpackGroup } from "../../../src/campaign/audience/group-sums.ts";
import { spreadOf } from "../../../src/campaign/ranges.ts";
import type { SpreadSums } from "../../../src/campaign/rate-ranges.ts";

const group: CopiedCounts & { groupId: number } = {
  groupId: 7,
  ...{ recipients: 40, peopleOpens: 20, allOpens: 25, peopleClicks: 7, allClicks: 9 },
  ...{ glanced: 1, skimmed: 2, read: 3 },
  ...{ enpsReactions: 10, enpsScores: 80, enpsPromoters: 6, enpsDetractors: 1, surveyReactions: 4 },
};

/** The summands that are not 0. */
const summed = ({ spreads: _, ...sums }: SpreadSums) =>
  Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));

const sizes = { campaigns: 1, countedCampaigns: 1, settledCampaigns: 1, settledCounted: 1, recipients: 40 };
const opened = { opens: 20, openRecipients: 40, openCampaigns: 1 };
const clicked = { clicks: 7, clickRecipients: 40, clickCampaigns: 1 };
const read = { glanced: 100, skimmed: 200, read: 300, readCampaigns: 1 };
const rated = { promoters: 6, detractors: 1, indexed: 10, indexedCampaigns: 1 };

test("adds the counts of the traffic, reads times 100, and ratings", () => {
  assert.deepEqual(summed(sumsOfGroup(group, "people")), {
    ...sizes,
    ...opened,
    ...clicked,
    ...read,
    ...rated,
  });
  assert.deepEqual(summed(sumsOfGroup(group, "all")), {
    ...{ ...sizes, ...opened, ...clicked, ...read, ...rated },
    ...{ opens: 25, clicks: 9 },
  });
});

test("leaves out clicks, reads and ratings that are not known, so that no rate has their recipients", () => {
  const unknown = {
    ...group,
    peopleClicks: null,
    glanced: null,
    skimmed: null,
    read: null,
    enpsPromoters: null,
  };
  assert.deepEqual(summed(sumsOfGroup(unknown, "people")), { ...sizes, ...opened });
});

test("counts no campaign for reads and ratings when there are none", () => {
  const none = { glanced: 0, skimmed: 0, read: 0, enpsReactions: 0, enpsPromoters: 0, enpsDetractors: 0 };
  assert.deepEqual(summed(sumsOfGroup({ ...group, ...none }, "people")), { ...sizes, ...opened, ...clicked });
  assert.deepEqual(summed(sumsOfGroup({ ...group, ...none, enpsReactions: 3 }, "people")), {
    ...{ ...sizes, ...opened, ...clicked },
    ...{ indexed: 3, indexedCampaigns: 1 },
  });
  for (const name of ["glanced", "skimmed", "read"] as const) {
    assert.equal(sumsOfGroup({ ...group, ...none, [name]: 1 }, "people").readCampaigns, 1, name);
  }
});

test("has the spread of each rate that is known", () => {
  assert.deepEqual(sumsOfGroup({ ...group, peopleClicks: null }, "people").spreads, {
    openRate: spreadOf(20, 40),
    clickRate: spreadOf(0, 0),
    enpsIndex: spreadOf(500, 10),
  });
});

test("packs a group with its id and counts, also withheld ones", () => {
  const withheld = { ...group, enpsScores: null };
  assert.deepEqual(packGroup(withheld), [7, 40, 20, 25, 7, 9, 1, 2, 3, 10, null, 6, 1, 4]);
  assert.deepEqual(unpackGroup(packGroup(withheld)), withheld);
});
