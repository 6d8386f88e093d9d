// A cache of timelines, each at the timeline revision of its organization.

import {
  findIndexEntriesChangedSince,
  findTaggedIndexEntries,
  type TaggedIndexEntry,
} from "../../storage/campaigns/index-entries.ts";
import { findDeletedSince } from "../../storage/campaigns/timeline-changes.ts";
import type { Database, Queries } from "../../storage/database.ts";
import { findOrganization, type Organization } from "../../storage/organizations.ts";
import { CatchUpCache } from "../catch-up-cache.ts";
import { Timeline } from "./timeline.ts";
import type { TimelineChange, TimelineState } from "./timeline-change.ts";

/** Campaigns per batch: processing one blocks the event loop for a few milliseconds. */
const batchSize = 1_024;
/** With more changes than this, reloading the timeline is faster. */
const maxChanges = 2_000;

type TimelineKey = Pick<Organization, "id" | "timelineRevisionId">;

export class TimelineCache extends CatchUpCache<Timeline> {
  /** @param maxBytes of all timelines; the most recently used one stays even if it is larger */
  constructor(database: Database, maxBytes: number) {
    const source = {
      load: (id: number) => loadTimeline(database, id),
      async catchUp(id: number, base: Timeline) {
        const change = await database.snapshot((queries) => findChange(queries, id, base));
        return change?.revisionId === base.revisionId ? base : change && base.after(change);
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
  async function* batches(): AsyncGenerator<TaggedIndexEntry[]> {
    for (let after: TaggedIndexEntry | undefined; ; ) {
      const range = { after, limit: batchSize };
      const batch = await database.query((queries) => findTaggedIndexEntries(queries, id, range));
      yield batch;
      if (batch.length < batchSize) return;
      after = batch.at(-1);
    }
  }
  return Timeline.load(stateOf(organization), batches());
}

/** Consistent if `queries` is one transaction. Undefined if reloading is faster, or if the changes are unknown. */
async function findChange(
  queries: Queries,
  id: number,
  since: TimelineState,
): Promise<TimelineChange | undefined> {
  const state = stateOf(await findOrganization(queries, id));
  if (state.revisionId === since.revisionId) {
    return { ...state, deletedIds: [], deletedTagIds: [], changed: [] };
  }
  const { revision, revisionId } = since;
  const deleted = await findDeletedSince(queries, id, { revision, revisionId, limit: maxChanges });
  if (!deleted) return undefined;
  const range = { timelineRevision: revision, limit: maxChanges };
  const changed = await findIndexEntriesChangedSince(queries, id, range);
  if (changed.length === maxChanges) return undefined;
  return { ...state, deletedIds: deleted.campaignIds, deletedTagIds: deleted.tagIds, changed };
}

function stateOf(organization: Organization | undefined): TimelineState {
  return { revision: organization?.timelineRevision ?? 0, revisionId: organization?.timelineRevisionId ?? 0 };
}
