// The outcomes of a message for one recipient: delivered, bounced, suppressed, unsubscribed, complained. Counts, fields and the
// columns of imports follow from this table.

/** The types of events that report an outcome. */
export const deliveryReports = ["delivery", "bounce", "unsubscribe", "complaint"] as const;
export type DeliveryReport = (typeof deliveryReports)[number];

/** The fields of an event that reports an outcome. */
interface OutcomeReport {
  type: DeliveryReport;
  /** Which bounce it is. */
  bounce?: string;
}

/** The classes are in the order in which the first one that was reported decides; a hard bounce is an exception. */
const reports = {
  delivered: { type: "delivery" },
  bounced_hard: { type: "bounce", bounce: "hard" },
  bounced_soft: { type: "bounce", bounce: "soft" },
  suppressed: { type: "bounce", bounce: "suppressed" },
  unsubscribed: { type: "unsubscribe" },
  complained: { type: "complaint" },
} as const satisfies Record<string, OutcomeReport>;

export type MessageOutcome = keyof typeof reports;
export const outcomeNames = Object.keys(reports) as MessageOutcome[];

export const reportOf = (outcome: MessageOutcome): OutcomeReport => reports[outcome];

/** Each recipient has one of them at most. The others are flags, which may come in addition. */
export const outcomeClasses = outcomeNames.filter((name) => /^(delivery|bounce)$/.test(reportOf(name).type));
const flags = outcomeNames.filter((name) => !outcomeClasses.includes(name));

/** The values of the field `bounce`. */
export const bounceTypes = outcomeNames.flatMap((name) => reportOf(name).bounce ?? []);

const outcomesOf = (report: DeliveryReport): MessageOutcome[] =>
  outcomeNames.filter((name) => reportOf(name).type === report);

/** @param bounce of the type `bounce`, valid */
export const outcomeOf = (report: DeliveryReport, bounce: string | undefined): MessageOutcome =>
  outcomesOf(report).find((name) => reportOf(name).bounce === bounce) as MessageOutcome;

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
