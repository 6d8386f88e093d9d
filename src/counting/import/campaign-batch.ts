// The campaigns of one file that wait to be saved together.

import type { ReportedCampaign } from "../../campaign/reported-campaign.ts";
import { type Queries, rowsPerStatement } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import {
  type ImportNotices,
  isUnchanged,
  type SaveStatus,
  saveReportedCampaigns,
} from "../campaigns/save-reported-campaigns.ts";
import type { FileResult } from "./import-total.ts";

export class CampaignBatch {
  readonly #queries: Queries;
  readonly #organization: Organization;
  readonly #now: number;
  readonly #result: FileResult;
  /** The position of the first record with each ID. (A number, because there may be millions.) */
  readonly #firstPositions = new Map<number, number>();
  readonly #notices: ImportNotices;
  /** IDs of campaigns in the file whose numbers are counted from events. */
  readonly #countedIds = new Set<number>();
  #waiting: { reported: ReportedCampaign; where: string }[] = [];

  constructor(
    queries: Queries,
    organization: Organization,
    now: number,
    result: FileResult,
    changed?: ImportNotices["changed"],
  ) {
    this.#queries = queries;
    this.#organization = organization;
    this.#now = now;
    this.#result = result;
    this.#notices = {
      uncolored: new Set(),
      emptied: (fields) => result.warnings.addEmptied(fields),
      changed,
    };
  }

  /**
   * Adds a campaign, unless a record before it has the same ID.
   *
   * @param position of the record in the file, counted from 1
   * @returns the position of the earlier record if its content is different
   */
  async add(reported: ReportedCampaign, where: string, position: number): Promise<number | undefined> {
    const { id } = reported.campaign;
    const first = this.#firstPositions.get(id);
    if (first !== undefined) {
      await this.save();
      if (this.#countedIds.has(id)) {
        this.#result.addError(where, countedProblem(id));
        return undefined;
      }
      const isSame = await isUnchanged(this.#queries, this.#organization.id, reported);
      return isSame ? undefined : first;
    }
    this.#firstPositions.set(id, position);
    this.#waiting.push({ reported, where });
    if (this.#waiting.length >= rowsPerStatement) await this.save();
    return undefined;
  }

  async save(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const statuses = await saveReportedCampaigns(
      this.#queries,
      this.#organization,
      this.#waiting.map(({ reported }) => reported),
      this.#now,
      this.#notices,
    );
    for (const [index, { reported, where }] of this.#waiting.entries()) {
      const status = statuses[index] as SaveStatus;
      if (status !== "counted") this.#result.outcomes[status] += 1;
      else {
        this.#countedIds.add(reported.campaign.id);
        this.#result.addError(where, countedProblem(reported.campaign.id));
      }
    }
    this.#waiting = [];
  }
}

export function countedProblem(id: number): string {
  return `id: the numbers of campaign ${id} are counted from events; an import cannot replace them`;
}
