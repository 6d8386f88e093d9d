// Quotes an input in an error message.

/** The input as JSON, truncated to 100 characters. */
export function quote(input: unknown): string {
  if (typeof input === "number") return String(input);
  if (typeof input === "string" && input.length > 100) return toJson(`${input.slice(0, 100)}…`);
  const text = toJson(input);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function toJson(input: unknown): string {
  try {
    return JSON.stringify(input) ?? String(input);
  } catch {
    // JSON.parse accepts deeper nesting than JSON.stringify can write.
    return Array.isArray(input) ? "[…]" : "{…}";
  }
}
