// Whether the stored state of a recipient is one that this program writes: damage may leave JSON that parses.

import { Compile } from "typebox/schema";
import { surveyKinds } from "./event.ts";
import { outcomeNames } from "./outcomes.ts";
import { devices, trafficReasons } from "./traffic.ts";

const anyOf = (names: readonly string[]) => `(${names.join("|")})`;
const reason = anyOf(Object.keys(trafficReasons));
const onDevice = `^${reason} ${anyOf([...devices, "unknown"])}$`;

const text = { type: "string" };
const instant = { type: "integer" };
const count = { type: "integer", minimum: 0 };
const list = (...prefixItems: object[]) => ({
  type: "array",
  items: { type: "array", prefixItems, minItems: prefixItems.length, maxItems: prefixItems.length },
});
const record = (name: string, schema: object = count) => ({
  type: "object",
  patternProperties: { [name]: schema },
  additionalProperties: false,
});
const only = (properties: object) => ({ type: "object", properties, additionalProperties: false });
const surveys = record(
  `^${anyOf(surveyKinds)} `,
  only({
    reaction: list({ type: ["string", "number"] }, instant, text).items,
    comment: list(text, instant, text).items,
    by: count,
  }),
);

const check = Compile(
  only({
    opens: list(instant, { type: "string", pattern: onDevice }),
    moreOpens: record(onDevice),
    firstReadAt: instant,
    firstAutomatedAt: instant,
    clicks: list(instant, count, { type: "string", pattern: `^${reason}$` }),
    moreClicks: record(`^${reason}$`),
    readings: record(`^${reason} ${anyOf(["unmeasured", "glanced", "skimmed", "read"])}$`),
    surveys,
    held: surveys,
    outcomes: only(Object.fromEntries(outcomeNames.map((name) => [name, instant]))),
    ahead: count,
    groups: record("^[0-9]+$"),
    listed: { const: 1 },
  }),
);

/** Whether a parsed state has only known properties, with values of their kind. */
export function isRecipient(state: unknown): boolean {
  return check.Check(state);
}
