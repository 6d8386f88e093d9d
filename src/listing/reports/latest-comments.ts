// The comments on several campaigns. The answers of a campaign are cached, and only those that changed are read again.

import { setImmediate as nextTurn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { LRUCache } from "lru-cache";
import type { SurveyKind } from "../../campaign/events/event.ts";
import { singleFlight } from "../../limits/single-flight.ts";
import { findChangesOf } from "../../storage/campaigns/changes.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Database } from "../../storage/database.ts";
import { findLedgers } from "../../storage/ledgers.ts";
import type { Organization } from "../../storage/organizations.ts";
import { type AnswersState, type ChangedAnswers, readChangedAnswers } from "../../storage/recipients.ts";
import { answersForComments } from "./survey-summary.ts";

export interface CampaignComment {
  campaignId: number;
  subject: string;
  sentAt: number;
  text: string;
  /** The survey that it answers: its kind, and its id within the campaign. */
  kind: SurveyKind;
  surveyId: string;
  /** The score or answer that the comment belongs to. */
  reaction: string | number | undefined;
}

/** The campaign may have another subject by now. */
type CachedComment = Omit<CampaignComment, "subject" | "sentAt">;

interface CachedAnswers {
  state: AnswersState;
  byRecipient: ReadonlyMap<string, ChangedAnswers>;
  /** The last change. */
  last: ChangedAnswers | undefined;
  /** Newest first. */
  comments: readonly CachedComment[];
}

interface AnswersRequest {
  organizationId: number;
  stored: StoredCampaign;
  ledgerId: number;
  state: AnswersState;
  signal: AbortSignal | undefined;
}

/** In bytes, roughly: room for 100,000 answers. */
const maxBytes = 64 * 1024 * 1024;
const bytesPerAnswer = 400;

/** Decoding so many does not block the event loop for long. */
const recipientsPerQuery = 1_000;

/** More would make other requests wait for a connection to the database. */
const readsAtOnce = 3;

export class LatestCommentsReader {
  readonly #database: Database;
  /** By organization and campaign. */
  readonly #cache = new LRUCache<string, CachedAnswers>({ maxSize: maxBytes, sizeCalculation: sizeOf });
  /** Requests that need the same answers share one read. */
  readonly #readOnce = singleFlight(keyOf, (request) => this.#readCampaign(request));

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The comments on the newest campaign first, and its newest first. Without names, and without those that are withheld
   * because few recipients answered.
   *
   * @param campaigns newest first; reads the answers of all
   * @param options.limit all by default
   */
  async read(
    { id: organizationId }: Pick<Organization, "id">,
    campaigns: readonly StoredCampaign[],
    { limit = Infinity, signal }: { limit?: number; signal: AbortSignal | undefined },
  ): Promise<CampaignComment[]> {
    const requests = await this.#toRequests(organizationId, campaigns, signal);
    const comments: CampaignComment[] = [];
    for (let from = 0; from < requests.length && comments.length < limit; from += readsAtOnce) {
      const some = requests.slice(from, from + readsAtOnce);
      const read = await Promise.all(some.map((request) => this.#find(request) ?? this.#readOnce(request)));
      for (const [index, { stored }] of some.entries()) {
        const { subject, sentAt } = stored.campaign;
        for (const comment of read[index]?.comments ?? []) comments.push({ ...comment, subject, sentAt });
      }
    }
    return comments.slice(0, limit);
  }

  /** Of the campaigns that are open. */
  async #toRequests(
    organizationId: number,
    campaigns: readonly StoredCampaign[],
    signal: AbortSignal | undefined,
  ): Promise<AnswersRequest[]> {
    const ids = campaigns.map(({ campaign }) => campaign.id);
    const ledgerIds = campaigns.flatMap(({ counting }) => counting?.ledgerId ?? []);
    const [changes, ledgers] = await Promise.all([
      this.#database.query((queries) => findChangesOf(queries, organizationId, ids)),
      this.#database.query((queries) => findLedgers(queries, organizationId, ledgerIds)),
    ]);
    return campaigns.flatMap((stored) => {
      const change = changes.get(stored.campaign.id);
      const ledger = ledgers.get(stored.counting?.ledgerId ?? 0);
      if (!change || !ledger) return [];
      const state = { revisionId: change.revisionId, forgottenId: ledger.forgottenId };
      return [{ organizationId, stored, ledgerId: ledger.id, state, signal }];
    });
  }

  #find(request: AnswersRequest): CachedAnswers | undefined {
    const cached = this.#cache.get(keyOf(request));
    return isDeepStrictEqual(cached?.state, request.state) ? cached : undefined;
  }

  async #readCampaign(request: AnswersRequest): Promise<CachedAnswers> {
    const cached = this.#cache.get(keyOf(request));
    let read = await this.#readChanges(request, cached?.last);
    // Forgetting renames recipients. Or the last one answered again, or a backup without that answer was restored.
    const isSame =
      cached?.state.forgottenId === read.state?.forgottenId &&
      isDeepStrictEqual(cached?.last, read.changes[0]);
    if (cached?.last && !isSame) read = await this.#readChanges(request, undefined);
    const { changes, state = request.state } = read;
    const byRecipient = new Map(isSame ? cached?.byRecipient : undefined);
    for (const each of changes) byRecipient.set(each.name, each);
    const comments = commentsOf(request.stored.campaign.id, byRecipient);
    const current = { state, byRecipient, last: changes.at(-1), comments };
    this.#cache.set(keyOf(request), current);
    return current;
  }

  /** Reads a change and those after it; by default all. */
  async #readChanges(
    { organizationId, stored, ledgerId, signal }: AnswersRequest,
    first: ChangedAnswers | undefined,
  ): Promise<{ changes: ChangedAnswers[]; state: AnswersState | undefined }> {
    const readFrom = (from: ChangedAnswers | undefined) => {
      signal?.throwIfAborted();
      const page = { campaignId: stored.campaign.id, ledgerId, from, limit: recipientsPerQuery };
      return this.#database.query((queries) => readChangedAnswers(queries, organizationId, page));
    };
    let page = await readFrom(first);
    const all = page.changes;
    // A recipient of the first page may be forgotten before the last one is read.
    const forgottenId = page.state?.forgottenId ?? null;
    while (page.changes.length === recipientsPerQuery) {
      await nextTurn();
      page = await readFrom(page.changes.at(-1));
      // The page begins with the last row of the one before.
      for (const each of page.changes.slice(1)) all.push(each);
    }
    return { changes: all, state: page.state && { ...page.state, forgottenId } };
  }
}

function commentsOf(campaignId: number, byRecipient: CachedAnswers["byRecipient"]): CachedComment[] {
  const counts = new Map<string, number>();
  const found: (CachedComment & { survey: string; at: number; id: string })[] = [];
  for (const { answers } of byRecipient.values()) {
    for (const [survey, { reaction, comment }] of Object.entries(answers)) {
      counts.set(survey, (counts.get(survey) ?? 0) + 1);
      if (!comment || comment[0] === "") continue;
      const [text, at, id] = comment;
      found.push({ campaignId, ...surveyOf(survey), text, reaction: reaction?.[0], survey, at, id });
    }
  }
  return (
    found
      .filter(({ survey }) => (counts.get(survey) ?? 0) >= answersForComments)
      .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
      // Without the time, which could reveal who wrote a comment.
      .map(({ survey: _survey, at: _at, id: _id, ...comment }) => comment)
  );
}

/** @param survey its kind and id, separated by a space */
function surveyOf(survey: string): Pick<CampaignComment, "kind" | "surveyId"> {
  const space = survey.indexOf(" ");
  return { kind: survey.slice(0, space) as SurveyKind, surveyId: survey.slice(space + 1) };
}

function sizeOf({ byRecipient }: CachedAnswers): number {
  let size = 500;
  for (const { answers } of byRecipient.values()) {
    for (const { comment } of Object.values(answers)) size += bytesPerAnswer + (comment?.[0].length ?? 0);
  }
  return size;
}

function keyOf({ organizationId, stored }: AnswersRequest): string {
  return JSON.stringify([organizationId, stored.campaign.id]);
}
