// How well people and machines are told apart, on a labelled corpus: precision, recall and people lost per gateway, without
// and with the rules about networks and about opens beside a scanner. docs/numbers.md has the table of the full size.

import assert from "node:assert/strict";
import test from "node:test";
import { classifyClicks, isHumanClick } from "../../src/campaign/events/click-verdicts.ts";
import { applyEvent, type Recipient } from "../../src/campaign/events/recipient.ts";
import { contribution } from "../../src/campaign/events/tally.ts";
import { isHuman } from "../../src/campaign/events/traffic.ts";
import { classifyEvents } from "../../src/counting/events/classify-events.ts";
import { ScannerNetworks } from "../../src/counting/events/scanner-networks.ts";
import { Random } from "../support/histories.ts";
import { randomCases, report } from "../support/random-cases.ts";
import { type LabelledEvent, makeCorpus, operatorsNetwork } from "../support/traffic-corpus.ts";

const recipientsEach = randomCases(1_000, 20_000);
const sentAt = Date.parse("2026-01-05T09:00:00Z");
const networks = new ScannerNetworks(operatorsNetwork);

/** Counts of what was called human, and of what should have been. */
class Score {
  personClicks = 0;
  humanClicks = 0;
  machineEvents = 0;
  machinesFound = 0;
  people = 0;
  peopleLost = 0;
  openers = 0;

  add(events: readonly LabelledEvent[], isCalledHuman: readonly boolean[]): void {
    for (const [index, { type, isPerson }] of events.entries()) {
      const isCalled = isCalledHuman[index] === true;
      if (type === "click" && isCalled) this.humanClicks += 1;
      if (type === "click" && isCalled && isPerson) this.personClicks += 1;
      if (!isPerson) this.machineEvents += 1;
      if (!isPerson && !isCalled) this.machinesFound += 1;
    }
    if (isCalledHuman.includes(true)) this.openers += 1;
    if (!events.some(({ isPerson }) => isPerson)) return;
    this.people += 1;
    if (!isCalledHuman.includes(true)) this.peopleLost += 1;
  }

  /** Shares in percent; null without any. */
  shares() {
    const share = (part: number, of: number) => (of === 0 ? null : (100 * part) / of);
    return {
      precision: share(this.personClicks, this.humanClicks),
      recall: share(this.machinesFound, this.machineEvents),
      lost: share(this.peopleLost, this.people),
      openers: share(this.openers, this.people),
    };
  }
}

/** Whether each event is called human. */
function judge(events: readonly LabelledEvent[], hasNewRules: boolean): boolean[] {
  const inputs = events.map(({ type, at, link, isHidden, ip, userAgent }, index) => ({
    input: {
      ...{ id: `e-${index}`, campaign_id: 1, recipient: "ann@example.com", type },
      at: new Date(sentAt + at).toISOString(),
      ...(type === "click" && { url: `https://example.com/${link}`, hidden: isHidden === true }),
      ...(ip !== undefined && hasNewRules && { ip }),
      user_agent: userAgent,
    },
  }));
  const classified = classifyEvents(inputs, sentAt * 2, networks);
  const recipient: Recipient = {};
  for (const [index, { type, at, link }] of events.entries()) {
    const { traffic: reason } = classified[index] as (typeof classified)[number];
    if (type === "open") applyEvent(recipient, { type, at, isAhead: false, reason, device: null });
    else applyEvent(recipient, { type, at, isAhead: false, reason, link });
  }
  const verdicts = classifyClicks(recipient);
  const humanClicks = new Set(
    recipient.clicks?.filter((_, index) => isHumanClick(verdicts[index] ?? "bot")).map(([at]) => at),
  );
  const isSwept = hasNewRules && contribution(recipient, "people").isBesideScanner;
  return events.map(({ type, at }, index) => {
    if (type === "click") return humanClicks.has(at);
    return isHuman(classified[index]?.traffic ?? "bot") && !isSwept;
  });
}

const percent = (share: number | null) => (share === null ? "–" : `${share.toFixed(1)} %`);

function row(gateway: string, scores: Record<"before" | "after", Score>): string {
  const [before, after] = [scores.before.shares(), scores.after.shares()];
  const cells = (["precision", "recall", "lost", "openers"] as const).map(
    (name) => `${percent(before[name])} → ${percent(after[name])}`,
  );
  return `| ${[gateway, ...cells].join(" | ")} |`;
}

/** No rule sees these: one click like a person's, from an unknown network. */
const unseen = ["First link only, unknown network", "A click repeated by a scanner 12 s later"];

test("tells people and machines apart behind each gateway whose traffic shows a sign", () => {
  report(
    "| Gateway | Precision of human clicks | Recall of machines | People lost | Counted openers |\n| --- | --- | --- | --- | --- |",
  );
  for (const { gateway, recipients } of makeCorpus(new Random(11), recipientsEach)) {
    const scores = { before: new Score(), after: new Score() };
    for (const events of recipients) {
      scores.before.add(events, judge(events, false));
      scores.after.add(events, judge(events, true));
    }
    report(row(gateway, scores));
    const [before, after] = [scores.before.shares(), scores.after.shares()];
    const isGateway = !gateway.startsWith("No gateway") && gateway !== "Isolation browser";
    assert.ok((after.recall ?? 100) >= (before.recall ?? 100), `${gateway}: recall falls`);
    if (unseen.includes(gateway)) continue;
    assert.ok((after.precision ?? 100) >= 99, `${gateway}: precision is ${after.precision} %`);
    assert.ok(
      (after.lost ?? 0) <= (isGateway ? 4 : 0.5),
      `${gateway}: ${after.lost} % of the people are lost`,
    );
    assert.ok(Math.abs((after.openers ?? 100) - 100) <= 6, `${gateway}: ${after.openers} % of the openers`);
  }
});
