// Writes a count with its noun.

/** `1 event`, `2 events`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
