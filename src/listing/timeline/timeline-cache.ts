// A cache of timelines, each at the timeline revision of its organization.

import {
  findIndexEntriesChangedSince,
  findTaggedIndexColumns,
  type IndexEntry,
  type TaggedIndexColumns,
  type TimelineChangeKey,
} from "../../storage/campaigns/index-entries.ts";
import { findDeletedSince } from "../../storage/campaigns/timeline-changes.ts";
import type { Database, Queries } from "../../storage/database.ts";
import { findOrganization, type Organization } from "../../storage/organizations.ts";
import { CatchUpCache } from "../catch-up-cache.ts";
import { Timeline } from "./timeline.ts";
import type { TimelineChange, TimelineState } from "./timeline-change.ts";

/** Campaigns per batch: processing one blocks the event loop for a few milliseconds. */
const batchSize = 1_024;
/** Changes per query. With more than this, reloading the timeline is faster. */
const maxChanges = 2_000;

type TimelineKey = Pick<Organization, "id" | "timelineRevisionId">;

export class TimelineCache extends CatchUpCache<Timeline> {
  /** @param maxBytes of all timelines; the most recently used one stays even if it is larger */
  constructor(database: Database, maxBytes: number) {
    const source = {
      load: (id: number) => loadTimeline(database, id),
      async catchUp(id: number, base: Timeline) {
        const change = await database.snapshot((queries) => findChange(queries, id, base));
        return change === "none" ? base : change && base.after(change);
      },
    };
    super(source, maxBytes);
  }

  /**
   * The timeline of an organization, at the given revision or a later one.
   *
   * @throws AppError `unavailable` if campaigns change faster than the timeline loads
   */
  current({ id, timelineRevisionId }: TimelineKey): Promise<Timeline> {
    return this.at(id, timelineRevisionId);
  }
}

async function loadTimeline(database: Database, id: number): Promise<Timeline> {
  const organization = await database.query((queries) => findOrganization(queries, id));
  async function* batches(): AsyncGenerator<TaggedIndexColumns> {
    for (let after: IndexEntry | undefined; ; ) {
      const range = { after, limit: batchSize };
      const batch = await database.query((queries) => findTaggedIndexColumns(queries, id, range));
      yield batch;
      const [last, sentAt] = [batch.ids.at(-1), batch.sentAts.at(-1)];
      if (batch.ids.length < batchSize || last === undefined || sentAt === undefined) return;
      after = { id: last, sentAt };
    }
  }
  const state = stateOf(organization);
  return Timeline.load({ ...state, behind: endOf(state) }, batches());
}

/**
 * Consistent if `queries` is one transaction. After a load, the first ones of very many changes. Undefined if reloading is
 * faster otherwise, or if the changes are unknown.
 */
async function findChange(
  queries: Queries,
  id: number,
  since: TimelineState,
): Promise<TimelineChange | "none" | undefined> {
  const state = stateOf(await findOrganization(queries, id));
  const isSame = state.revisionId === since.revisionId;
  if (isSame && !since.behind) return "none";
  const { revision, revisionId } = since;
  const deleted = isSame
    ? { campaignIds: [], tagIds: [] }
    : await findDeletedSince(queries, id, { revision, revisionId, limit: maxChanges });
  if (!deleted) return undefined;
  const range = { after: since.behind ?? endOf(since), limit: maxChanges };
  const { entries: changed, last } = await findIndexEntriesChangedSince(queries, id, range);
  const behind = changed.length === maxChanges ? last : undefined;
  if (behind && !since.behind) return undefined;
  return { ...state, behind, deletedIds: deleted.campaignIds, deletedTagIds: deleted.tagIds, changed };
}

/** After all changes of a revision. */
function endOf({ revision }: TimelineState): TimelineChangeKey {
  return { timelineRevision: revision, id: Number.MAX_SAFE_INTEGER };
}

function stateOf(organization: Organization | undefined): TimelineState {
  return { revision: organization?.timelineRevision ?? 0, revisionId: organization?.timelineRevisionId ?? 0 };
}
