// Quotes an input in an error message.

/** The input as JSON, truncated to 100 characters. */
export function quote(input: unknown): string {
  if (typeof input === "number") return String(input);
  return typeof input === "string" ? toJson(truncate(input)) : truncate(toJson(input));
}

/** A text of up to 100 characters. A character of two UTF-16 units, such as an emoji, is kept or left out as a whole. */
export function truncate(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

function toJson(input: unknown): string {
  try {
    return JSON.stringify(input) ?? String(input);
  } catch {
    // JSON.parse accepts deeper nesting than JSON.stringify can write.
    return Array.isArray(input) ? "[…]" : "{…}";
  }
}
