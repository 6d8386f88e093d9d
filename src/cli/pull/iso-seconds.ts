// Writes an instant in the form that queries take.

/** `2024-01-05T15:04:00Z`. */
export function isoSeconds(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}
