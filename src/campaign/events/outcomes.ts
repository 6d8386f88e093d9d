// The outcomes of a message for one recipient: delivered, bounced, suppressed, unsubscribed, complained. Counts, fields and the
// columns of imports follow from this table.

/** The types of events that report an outcome. */
export const deliveryReports = ["delivery", "bounce", "unsubscribe", "complaint"] as const;
export type DeliveryReport = (typeof deliveryReports)[number];

interface OutcomeRule {
  report: DeliveryReport;
  /** Which bounce it is, if reports differ in it. */
  bounce?: string;
  /** It may come in addition to the class of the recipient. */
  isFlag?: true;
}

/** The classes are in the order in which the first one that was reported decides; a hard bounce is an exception. */
const rules = {
  delivered: { report: "delivery" },
  bounced_hard: { report: "bounce", bounce: "hard" },
  bounced_soft: { report: "bounce", bounce: "soft" },
  suppressed: { report: "bounce", bounce: "suppressed" },
  unsubscribed: { report: "unsubscribe", isFlag: true },
  complained: { report: "complaint", isFlag: true },
} as const satisfies Record<string, OutcomeRule>;

export type MessageOutcome = keyof typeof rules;
export const outcomeNames = Object.keys(rules) as MessageOutcome[];

const entries = Object.entries(rules) as [MessageOutcome, OutcomeRule][];
/** Each recipient has one of them at most. */
export const outcomeClasses = entries.flatMap(([name, { isFlag }]) => (isFlag ? [] : name));
const flags = entries.flatMap(([name, { isFlag }]) => (isFlag ? name : []));

/** The values of the field `bounce`. */
export const bounceTypes = entries.flatMap(([, { bounce }]) => bounce ?? []);

/** @param bounce of the type `bounce`, valid */
export function outcomeOf(report: DeliveryReport, bounce: string | undefined): MessageOutcome {
  const isReported = ([, rule]: (typeof entries)[number]) => rule.report === report && rule.bounce === bounce;
  return (entries.find(isReported) as (typeof entries)[number])[0];
}

const outcomesOf = (report: DeliveryReport): MessageOutcome[] =>
  entries.flatMap(([name, rule]) => (rule.report === report ? name : []));

/** The fields of an event that reports an outcome. */
export function reportOf(outcome: MessageOutcome): { type: DeliveryReport; bounce?: string } {
  const { report: type, ...fields }: OutcomeRule = rules[outcome];
  return { type, ...(fields.bounce && { bounce: fields.bounce }) };
}

/** The latest time of each outcome: neither order nor repetition changes a maximum. */
export type OutcomeTimes = Partial<Record<MessageOutcome, number>>;

/** Recipients by outcome. An outcome that nothing reports is missing, so that it is not known instead of 0. */
export type OutcomeCounts = Partial<Record<MessageOutcome, number>>;

/**
 * The class of a recipient and its flags. A hard bounce decides if no delivery is later, because a server may accept a
 * message and return it. Other bounces never beat a delivery: they may be automatic replies.
 */
export function countedOutcomes(times: OutcomeTimes): MessageOutcome[] {
  const { delivered = Number.NEGATIVE_INFINITY, bounced_hard: hard } = times;
  const isKnown = (name: MessageOutcome) => times[name] !== undefined;
  const decisive = hard !== undefined && hard >= delivered ? "bounced_hard" : outcomeClasses.find(isKnown);
  return [...(decisive ? [decisive] : []), ...flags.filter(isKnown)];
}

/** Zeros for the outcomes of reports that arrive, or that the sender says it sends. */
export function addReports(to: OutcomeCounts, reports: Iterable<DeliveryReport>): void {
  for (const name of [...reports].flatMap(outcomesOf)) to[name] ??= 0;
}
