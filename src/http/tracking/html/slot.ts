// The places of a template that differ between messages.

export type Slot = { kind: "link"; target: string } | { kind: "survey"; id: string } | { kind: "end" };

/** A range of the HTML that a slot replaces. */
export interface SlotRange {
  start: number;
  end: number;
  slot: Slot;
}
