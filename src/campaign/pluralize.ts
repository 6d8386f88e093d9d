// Writes a count with its noun.

/** `1 event`, `2 events`. */
export function pluralize(count: number, noun: string, format: (count: number) => string = String): string {
  return `${format(count)} ${noun}${count === 1 ? "" : "s"}`;
}
