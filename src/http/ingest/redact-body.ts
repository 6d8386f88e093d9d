// Removes personal data from the body of a webhook, so that its shape can be shown: which fields it has, and which
// campaign it names.

/** Longer ones are not parsed. */
export const maxShownBytes = 16 * 1024;
/** The most characters of the result. */
const maxCharacters = 4_000;

/** Text of these fields is kept: kinds and times of events. Lowercase. */
const keptFields = new Set(
  "type event eventtype recordtype notificationtype msgtype version specversion timestamp time date ts ts_event datetime receivedat signed_at created_at eventtime createdat".split(
    " ",
  ),
);

const hidden = "…";

/**
 * Returns the body as JSON in which all texts and numbers are replaced by "…", except kinds and times of events and the
 * campaign field.
 *
 * @param body of a provider: JSON, or a form with JSON in its fields
 * @returns undefined if it is neither JSON nor such a form, or is longer than 16 KiB
 */
export function redactBody(body: Buffer, campaignField: string): string | undefined {
  if (body.length === 0 || body.length > maxShownBytes) return undefined;
  const text = body.toString("utf8");
  const parsed = parse(text) ?? parseForm(text);
  if (parsed === undefined) return undefined;
  const redacted = JSON.stringify(redact(parsed, isKept(campaignField)), undefined, 1);
  return redacted.length > maxCharacters ? `${redacted.slice(0, maxCharacters)}${hidden}` : redacted;
}

function parse(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseForm(text: string): unknown {
  const fields = Object.fromEntries(new URLSearchParams(text));
  return Object.values(fields).some((value) => parse(value) !== undefined) ? fields : undefined;
}

const isKept = (campaignField: string) => (name: string) =>
  keptFields.has(name.toLowerCase()) || name === campaignField;

/** Deeper values are hidden: a body of 16 KiB can be nested so deeply that recursion overflows the stack. */
const maxDepth = 20;

/** @param name of the field; empty at the top and in lists */
function redact(value: unknown, keeps: (name: string) => boolean, name = "", depth = 0): unknown {
  if (depth > maxDepth) return hidden;
  if (Array.isArray(value)) return value.map((each) => redact(each, keeps, name, depth + 1));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, redact(each, keeps, key, depth + 1)]),
    );
  }
  if (typeof value === "boolean" || value === null) return value;
  const text = String(value);
  const inner = typeof value === "string" ? parse(text) : undefined;
  if (inner !== undefined) return redact(inner, keeps, "", depth + 1);
  // An address is personal data, whatever its field is called.
  return keeps(name) && !text.includes("@") && text.length <= 100 ? value : hidden;
}
