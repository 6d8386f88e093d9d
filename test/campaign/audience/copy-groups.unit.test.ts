// When the copy of groups changes that readers see of a campaign without names.

import assert from "node:assert/strict";
import test from "node:test";
import {
  type CopiedGroup,
  copyGroups,
  nextCopy,
  restId,
  withhold,
} from "../../../src/campaign/audience/copy-groups.ts";
import { emptyGroupCounts, type GroupCounts } from "../../../src/campaign/audience/group-counts.ts";
import { releaseGroups } from "../../../src/campaign/audience/release-groups.ts";

const minGroup = 10;
const [small, sales, it, hr] = [2, 3, 4, 5];

/** A copy of groups of which no two share a recipient. */
function copyOf(
  groups: readonly (GroupCounts & { attributeId: number; groupId: number })[],
  limits = { minGroup, minRatings: 5 },
): CopiedGroup[] {
  const attributeIds = [...new Set(groups.map(({ attributeId }) => attributeId))];
  const releases = attributeIds.flatMap((id) => {
    const own = groups.filter(({ attributeId }) => attributeId === id);
    const combinations = own.map(({ groupId, recipients, enpsReactions }) => ({
      ...{ groups: { [id]: groupId }, recipients, active: recipients, enpsReactions },
    }));
    return [...releaseGroups(combinations, [id], { ...limits, countsInactive: true })];
  });
  return copyGroups(groups, new Map(releases), 7);
}

/** Of one attribute with the groups Small (6 recipients), Sales, IT and HR (20 each). */
const fresh = (counts: Record<number, Partial<GroupCounts>>, limits = { minGroup, minRatings: 5 }) =>
  copyOf(
    [small, sales, it, hr].map((groupId) => ({
      ...{ attributeId: 1, groupId, ...emptyGroupCounts() },
      ...{ recipients: groupId === small ? 6 : 20, ...counts[groupId] },
    })),
    limits,
  );

const shown = (copy: readonly CopiedGroup[], ...names: (keyof GroupCounts)[]) =>
  Object.fromEntries(copy.map((group) => [group.groupId, names.map((name) => group[name])]));

const next = (copy: readonly CopiedGroup[], after: CopiedGroup[], isSettled = false) =>
  nextCopy(copy, after, { minGroup, isSettled });

test("copies opens if enough recipients more opened, and not if others only moved", () => {
  assert.deepEqual(next([], fresh({ [sales]: { peopleOpens: 9 } })), []);
  const first = next([], fresh({ [sales]: { peopleOpens: 8 }, [hr]: { peopleOpens: 6 } }));
  // Small is withheld, and the next one, because six are too few for the rest.
  assert.deepEqual(shown(first, "recipients", "peopleOpens"), {
    ...{ [it]: [20, 0], [hr]: [20, 6], [restId]: [26, 8] },
  });
  const moved = fresh({ [it]: { peopleOpens: 14, recipients: 30 }, [hr]: { recipients: 10 } });
  assert.deepEqual(next(first, moved), first);
});

test("copies clicks if enough more clicked, and answers once", () => {
  const counts = { peopleOpens: 12, peopleClicks: 5, enpsReactions: 5, enpsScores: 40 };
  const first = next([], fresh({ [it]: counts, [hr]: counts }), true);
  assert.deepEqual(shown(first, "peopleClicks", "enpsReactions", "enpsScores")[it], [5, 5, 40]);
  const more = { ...counts, peopleOpens: 18, peopleClicks: 9, enpsReactions: 15 };
  const second = next(first, fresh({ [it]: more, [hr]: more }), true);
  assert.deepEqual(shown(second, "peopleOpens", "peopleClicks", "enpsReactions")[it], [18, 5, 5]);
});

test("withholds groups and averages at once, and shows no newer count", () => {
  const copy = fresh(
    { [it]: { peopleOpens: 12, enpsReactions: 1, enpsScores: 9 } },
    { minGroup: 5, minRatings: 1 },
  );
  assert.deepEqual(shown(copy, "enpsScores")[it], [9]);
  const later = { [it]: { peopleOpens: 19, enpsReactions: 2, enpsScores: 12 }, [sales]: { recipients: 9 } };
  assert.deepEqual(shown(withhold(copy, fresh(later)), "recipients", "peopleOpens", "enpsScores"), {
    ...{ [it]: [20, 12, null], [hr]: [20, 0, null], [restId]: [26, 0, null] },
  });
  // Without an answer so far, the first ones are still to be copied.
  assert.deepEqual(shown(withhold(fresh({}), fresh({})), "enpsReactions")[it], [null]);
});

test("withholds scores, promoters and detractors of few ratings together, and keeps clicks and reads", () => {
  const rated = { enpsReactions: 6, enpsScores: 40, enpsPromoters: 3, enpsDetractors: 2 };
  const counts = {
    peopleOpens: 12,
    peopleClicks: 5,
    allClicks: 7,
    glanced: 1,
    skimmed: 2,
    read: 3,
    ...rated,
  };
  const copy = fresh({ [it]: counts });
  const averages = ["enpsScores", "enpsPromoters", "enpsDetractors"] as const;
  assert.deepEqual(shown(copy, ...averages), {
    ...{ [it]: [40, 3, 2], [hr]: [null, null, null], [restId]: [null, null, null] },
  });
  const few = { ...counts, enpsReactions: 4 };
  assert.deepEqual(shown(fresh({ [it]: few }), ...averages)[it], [null, null, null]);
  const names = ["peopleClicks", "allClicks", "glanced", "skimmed", "read", "enpsReactions"] as const;
  const less = withhold(copy, fresh({ [it]: few }));
  assert.deepEqual(shown(less, ...averages)[it], [null, null, null]);
  assert.deepEqual(shown(less, ...names)[it], [5, 7, 1, 2, 3, 6]);
});

test("counts each recipient once, whatever the number of attributes", () => {
  const both = (peopleOpens: number) =>
    copyOf(
      [1, 2].map((attributeId) => ({
        ...{ attributeId, groupId: 10 * attributeId, ...emptyGroupCounts(), recipients: 20, peopleOpens },
      })),
    );
  assert.deepEqual(next([], both(9)), []);
  assert.deepEqual(shown(next([], both(10)), "peopleOpens"), { 10: [10], 20: [10], [restId]: [0] });
});
