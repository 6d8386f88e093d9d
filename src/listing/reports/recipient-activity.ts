// What each recipient of a campaign with Individual tracking did, in the order of their names.

import { setImmediate as nextTurn } from "node:timers/promises";
import { classifyClicks, isHumanClick } from "../../campaign/events/click-verdicts.ts";
import type { SurveyKind } from "../../campaign/events/event.ts";
import { isForgotten } from "../../campaign/events/parse-event.ts";
import { isMember, type Recipient } from "../../campaign/events/recipient.ts";
import { type Contribution, contribution } from "../../campaign/events/tally.ts";
import type { Device, TrafficFilter } from "../../campaign/events/traffic.ts";
import { type PageOfLedger, readRecipients, type StoredRecipient } from "../../storage/ledgers/recipients.ts";
import type { Database } from "../../storage/queries/database.ts";
import { surveyOf } from "./survey-summary.ts";

/** `unknown`: only prefetched, so whether the recipient opened is not known. */
export const recipientFilters = ["all", "opened", "not_opened", "unknown", "clicked", "bounced"] as const;
type RecipientFilter = (typeof recipientFilters)[number];

/** The numbers of one recipient, as they enter the numbers of the campaign. Opens have no times: not all are stored. */
export interface RecipientActivity {
  /** The email address or id. */
  name: string;
  /** Null if it is unknown whether the recipient opened. */
  opens: number | null;
  devices: Device[];
  clicks: number;
  /** Milliseconds since 1970; null without a click of known time. */
  firstClickAt: number | null;
  lastClickAt: number | null;
  /** The longest measured read; null without one. */
  readTime: "glanced" | "skimmed" | "read" | null;
  /** The answers, sorted by kind and id of the survey. */
  answers: { kind: SurveyKind; surveyId: string; reaction: number | string; at: number }[];
}

export interface RecipientQuery {
  ledgerId: number;
  traffic: TrafficFilter;
  filter: RecipientFilter;
  /** The text that the names start with; empty for all. */
  prefix: string;
  /** The names come after this one; empty for all. */
  after: string;
}

/** Decoding so many does not block the event loop for long. */
const recipientsPerQuery = 200;

/**
 * The recipients that match, in batches.
 *
 * @returns `next`: the name after which the next batch starts; undefined in the last batch
 * @throws the signal's reason when it aborts
 */
export async function* readRecipientActivity(
  database: Database,
  organizationId: number,
  { ledgerId, traffic, filter, prefix, after }: RecipientQuery,
  signal?: AbortSignal,
): AsyncGenerator<{ recipients: RecipientActivity[]; next: string | undefined }> {
  for (let next: string | undefined = after; next !== undefined; await nextTurn()) {
    signal?.throwIfAborted();
    const page: PageOfLedger = { ledgerId, prefix, after: next, limit: recipientsPerQuery };
    const rows: StoredRecipient[] = await database.queryOf(organizationId, (scope) =>
      readRecipients(scope, page),
    );
    next = rows.length < recipientsPerQuery ? undefined : rows.at(-1)?.name;
    const recipients = rows
      .filter(({ name }) => !isForgotten(name))
      .map(({ name, state }) => ({ name, state, tally: contribution(state, traffic) }))
      .filter(({ state, tally }) => matches(state, tally, filter))
      .map(({ name, state, tally }) => describe(name, state, tally, traffic));
    yield { recipients, next };
  }
}

/** The recipients that one page reads at most, so that a rare match does not read a large ledger. */
const maxReadPerPage = 5_000;

/**
 * A page of the recipients that match.
 *
 * @returns `next`: the name after which the next page starts; undefined on the last page. A page may have fewer than
 *   `limit` recipients although there are more.
 */
export async function findRecipientActivity(
  database: Database,
  organizationId: number,
  query: RecipientQuery,
  { limit, signal }: { limit: number; signal?: AbortSignal | undefined },
): Promise<{ recipients: RecipientActivity[]; next: string | undefined }> {
  const found: RecipientActivity[] = [];
  let read = 0;
  for await (const { recipients, next } of readRecipientActivity(database, organizationId, query, signal)) {
    found.push(...recipients);
    read += recipientsPerQuery;
    if (found.length > limit) return { recipients: found.slice(0, limit), next: found[limit - 1]?.name };
    if (next === undefined || found.length === limit || read >= maxReadPerPage) {
      return { recipients: found, next };
    }
  }
  return { recipients: found, next: undefined };
}

/** Who is known only from the outcome of a message is on no list but that of the bounced ones. */
function matches(
  state: Recipient,
  { uniqueOpens, uniqueClicks, unknownOpens, outcomes }: Contribution,
  filter: RecipientFilter,
): boolean {
  if (filter === "bounced") return outcomes.some((name) => name.startsWith("bounced_"));
  if (!isMember(state)) return false;
  if (filter === "opened") return uniqueOpens > 0;
  if (filter === "unknown") return unknownOpens > 0;
  if (filter === "not_opened") return uniqueOpens + unknownOpens === 0;
  return filter === "all" || uniqueClicks > 0;
}

function describe(
  name: string,
  state: Recipient,
  tally: Contribution,
  traffic: TrafficFilter,
): RecipientActivity {
  const verdicts = traffic === "people" ? classifyClicks(state) : [];
  const clicks = (state.clicks ?? []).filter((_, index) => {
    const verdict = verdicts[index];
    return verdict === undefined || isHumanClick(verdict);
  });
  const answers = Object.entries(state.surveys ?? {}).flatMap(([survey, { reaction }]) => {
    return reaction ? [{ ...surveyOf(survey), reaction: reaction[0], at: reaction[1] }] : [];
  });
  return {
    name,
    opens: tally.unknownOpens > 0 ? null : tally.totalOpens,
    devices: [
      ...(tally.desktopOpens > 0 ? (["desktop"] as const) : []),
      ...(tally.mobileOpens > 0 ? (["mobile"] as const) : []),
    ],
    clicks: tally.totalClicks,
    firstClickAt: clicks[0]?.[0] ?? null,
    lastClickAt: clicks.at(-1)?.[0] ?? null,
    readTime: (["read", "skimmed", "glanced"] as const).find((length) => tally[length] > 0) ?? null,
    answers: answers.toSorted((a, b) => (`${a.kind} ${a.surveyId}` < `${b.kind} ${b.surveyId}` ? -1 : 1)),
  };
}
