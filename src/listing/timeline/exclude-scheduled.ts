// Leaves out the campaigns of a selection that are scheduled for later.

import type { TimelineSelection } from "./timeline.ts";

/** Excludes campaigns that are scheduled after `now`. */
export function excludeScheduled(selection: TimelineSelection, now: number): TimelineSelection {
  return { ...selection, sentUntil: Math.min(selection.sentUntil ?? Number.POSITIVE_INFINITY, now + 1) };
}
