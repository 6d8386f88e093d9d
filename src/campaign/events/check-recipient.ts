// Whether the stored state of a recipient is one that this program writes: damage may leave JSON that parses.

import { surveyKinds } from "./event.ts";
import { outcomeNames } from "./outcomes.ts";
import { devices, trafficReasons } from "./traffic.ts";

const reasons: ReadonlySet<string> = new Set(Object.keys(trafficReasons));
const deviceNames: ReadonlySet<string> = new Set([...devices, "unknown"]);
const lengths: ReadonlySet<string> = new Set(["unmeasured", "glanced", "skimmed", "read"]);

type Check = (value: unknown) => boolean;

const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isInstant: Check = Number.isSafeInteger;
const isText: Check = (value) => typeof value === "string";
const isReason: Check = (value) => reasons.has(value as string);
const isPair =
  (seconds: ReadonlySet<string>): Check =>
  (value) => {
    const [reason, second = "", ...rest] = String(value).split(" ");
    return isReason(reason) && seconds.has(second) && rest.length === 0;
  };
const isTuple =
  (...checks: Check[]): Check =>
  (value) =>
    Array.isArray(value) &&
    value.length === checks.length &&
    checks.every((check, index) => check(value[index]));
const isList =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const isRecord =
  (isName: Check, check: Check): Check =>
  (value) =>
    isObject(value) && Object.entries(value).every(([name, each]) => isName(name) && check(each));
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const answerChecks: Readonly<Record<string, Check>> = {
  reaction: isTuple((value) => isText(value) || Number.isFinite(value), isInstant, isText),
  comment: isTuple(isText, isInstant, isText),
  by: isCount,
};
const isSurvey: Check = (name) => surveyKinds.some((kind) => String(name).startsWith(`${kind} `));
const isId: Check = (value) => isCount(Number(value));

const checks: Readonly<Record<string, Check>> = {
  opens: isList(isTuple(isInstant, isPair(deviceNames))),
  moreOpens: isRecord(isPair(deviceNames), isCount),
  firstReadAt: isInstant,
  firstAutomatedAt: isInstant,
  clicks: isList(isTuple(isInstant, isCount, isReason)),
  moreClicks: isRecord(isReason, isCount),
  readings: isRecord(isPair(lengths), isCount),
  surveys: isRecord(isSurvey, hasOnly(answerChecks)),
  held: isRecord(isSurvey, hasOnly(answerChecks)),
  outcomes: hasOnly(Object.fromEntries(outcomeNames.map((name) => [name, isInstant]))),
  ahead: isCount,
  groups: isRecord(isId, isCount),
  listed: (value) => value === 1,
};

function hasOnly(known: Readonly<Record<string, Check>>): Check {
  return (value) =>
    isObject(value) &&
    Object.entries(value).every(([name, each]) => Object.hasOwn(known, name) && known[name]?.(each));
}

/** Whether a parsed state has only known properties, with values of their kind. */
export const isRecipient: (state: unknown) => boolean = hasOnly(checks);
