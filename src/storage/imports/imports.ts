// The table `imports`: files of campaigns from the web application.

import type { Tag } from "../../campaign/campaign.ts";
import { countCampaigns } from "../campaigns/campaigns.ts";
import type { Author } from "../campaigns/stored-campaign.ts";
import { newRandomId } from "../organizations/revisions.ts";
import type { Queries } from "../queries/queries.ts";
import { columnsOf, objectsOf, type RowObject } from "../queries/rows.ts";
import type { Scope } from "../queries/scope.ts";
import type { Tables } from "../tables/tables.ts";
import { findHistories, findImportedIds } from "./imported-campaigns.ts";

type OutcomeName = "added" | "changed" | "unchanged";

const statesInWork = ["importing", "undoing"] as const;

/** Whether a part of it has been imported or undone, and others have not. */
export const isInWork = ({ state }: StoredImport) => (statesInWork as readonly string[]).includes(state);

/** A change of many campaigns at once. The names of tags are those at the time. */
export interface CampaignsEdit {
  add?: Pick<Tag, "id" | "name">;
  remove?: Pick<Tag, "id" | "name">;
  team?: string | null;
  deletes?: boolean;
  /** The rule that wants it. */
  author?: Pick<Author, "by" | "isRule">;
}

/** What the user chose for all campaigns of a file; or the edit of many, without a file. */
export interface ImportTask {
  /** Whether to replace campaigns that seem to be others. */
  replaces?: boolean;
  edit?: CampaignsEdit;
  /** What undoes the edit of a file's campaigns has pieces with this id. */
  undoing?: number;
  /** The first campaigns of an edit, for the audit log. */
  first?: number[];
}

export type StoredImport = Omit<RowObject<"imports">, "organizationId" | "tags" | "task" | OutcomeName> & {
  task: ImportTask;
  outcomes: Record<OutcomeName, number>;
  /** The ids of the tags that it added. */
  tagIds: number[];
};

/** When sample data expire. */
export const neverExpires = Number.MAX_SAFE_INTEGER;

/** Whether it is no file, but an edit of many campaigns. */
export const isEdit = ({ fileName }: StoredImport) => fileName === "";

/** The import of sample data, if there are any left, and whether there are other campaigns. */
export async function findSampleImport(
  scope: Scope,
): Promise<(StoredImport & { isMixed: boolean }) | undefined> {
  const row = await scope
    .selectRows("imports", {
      expires_at: neverExpires,
    })
    .executeTakeFirst();
  if (!row) return undefined;
  const ids = await findImportedIds(scope, row.id);
  const histories = [...(await findHistories(scope, ids)).values()];
  const left = histories.filter((history) => history.at(-1)?.import_id === row.id).length;
  const isMixed = (await countCampaigns(scope)) > left;
  return left > 0 ? { ...toImport(row), isMixed } : undefined;
}

/** @returns its id */
export async function addImport(
  scope: Scope,
  {
    createdAt,
    expiresAt,
    createdBy,
    fileName,
    bytes,
  }: Pick<StoredImport, "createdAt" | "expiresAt" | "createdBy" | "fileName" | "bytes">,
): Promise<number> {
  const id = newRandomId();
  await scope
    .insert("imports", {
      id,
      state: "uploading",
      created_at: createdAt,
      expires_at: expiresAt,
      created_by: createdBy,
      file_name: fileName,
      bytes,
      received: 0,
    })
    .execute();
  return id;
}

export async function findImport(scope: Scope, id: number): Promise<StoredImport | undefined> {
  const row = await scope
    .selectRows("imports", {
      id,
    })
    .executeTakeFirst();
  return row && toImport(row);
}

/** Returns the imports, newest first. */
export async function listImports(scope: Scope): Promise<StoredImport[]> {
  const rows = await scope.selectRows("imports").orderBy("created_at", "desc").orderBy("id").execute();
  return rows.map(toImport);
}

export async function saveImport(
  scope: Scope,
  id: number,
  change: Partial<
    Pick<
      StoredImport,
      | "state"
      | "received"
      | "reading"
      | "choices"
      | "expiresAt"
      | "createdBy"
      | "workedAt"
      | "outcomes"
      | "tagIds"
      | "task"
      | "removed"
      | "restored"
    >
  >,
): Promise<void> {
  const { outcomes, tagIds, task, ...others } = change;
  const texts = { tags: tagIds && JSON.stringify(tagIds), task: task && JSON.stringify(task) };
  const columns = columnsOf<"imports">({ ...others, ...outcomes, ...texts });
  await scope.updateRows("imports", { id }, columns);
}

/** Deletes its row. Its pieces and what undoes it are deleted before. */
export async function deleteImport(scope: Scope, id: number): Promise<void> {
  await scope.deleteRows("imports", { id });
}

/** The imports {@link isInWork} whose last part was written before a time. */
export function findInWork(
  queries: Queries,
  workedBefore: number,
): Promise<{ organizationId: number; id: number }[]> {
  return queries
    .selectFrom("imports")
    .select(["organization_id as organizationId", "id"])
    .where("state", "in", statesInWork)
    .where("worked_at", "<", workedBefore)
    .execute();
}

/** Organizations with imports that expired. */
export async function findOrganizationsWithExpiredImports(queries: Queries, now: number): Promise<number[]> {
  const rows = await queries
    .selectFrom("imports")
    .select("organization_id")
    .distinct()
    .where("expires_at", "<", now)
    .execute();
  return rows.map((row) => row.organization_id);
}

/** The id of one that expired. */
export async function findExpiredImport(scope: Scope, now: number): Promise<number | undefined> {
  const row = await scope
    .from("imports")
    .select("id")
    .where("expires_at", "<", now)
    .where("state", "not in", statesInWork)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

const toObject = objectsOf("imports");

function toImport(row: Tables["imports"]): StoredImport {
  const { organizationId: _, added, changed, unchanged, tags, task, ...others } = toObject(row);
  return {
    ...others,
    task: JSON.parse(task ?? "{}") as ImportTask,
    outcomes: { added: added ?? 0, changed: changed ?? 0, unchanged: unchanged ?? 0 },
    tagIds: JSON.parse(tags ?? "[]") as number[],
  };
}
