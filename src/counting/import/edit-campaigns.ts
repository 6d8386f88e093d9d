// The parts of an edit of many campaigns, which adds or removes a tag, sets the team, or deletes; and of undoing it.

import { isDeepStrictEqual } from "node:util";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { Author, StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { addPiece, deletePieces, findPiece } from "../../storage/imports/import-pieces.ts";
import type { CampaignsEdit, StoredImport } from "../../storage/imports/imports.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { listTags } from "../../storage/organizations/tags.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { edited } from "../campaigns/apply-rules.ts";
import { saidOf, withSaid } from "../campaigns/corrections.ts";
import { removeCampaign, removeReportedCampaigns } from "../campaigns/remove-campaign.ts";
import { type CampaignChange, publishAtAfter, saveAndPublish } from "../publish.ts";
import { compressPiece, unpackRows } from "./pieces.ts";

/** What undoing an edit needs of a campaign: the whole of a deleted one, which was imported. */
type Undone = { before: StoredCampaign; after?: StoredCampaign };

/** Edits campaigns as a part of an import. @returns the import with them */
export async function editCampaigns(
  scope: Scope,
  organization: Organization,
  imported: StoredImport,
  { ids, position, now }: { ids: readonly number[]; position: number; now: number },
): Promise<StoredImport> {
  const { id, createdBy, outcomes } = imported;
  const { edit = {} } = imported.task;
  const found = await findCampaigns(scope, ids);
  const author = { at: now, by: createdBy, ...edit.author };
  const undone = edit.deletes
    ? await deleteSome(scope, found, now)
    : await editSome(scope, organization, found, { edit, author, now });
  await addPiece(scope, {
    importId: id,
    position,
    content: await compressPiece(Buffer.from(JSON.stringify(undone))),
  });
  const changed = edit.deletes ? found.length : undone.length;
  return {
    ...imported,
    outcomes: {
      ...outcomes,
      changed: outcomes.changed + changed,
      unchanged: outcomes.unchanged + ids.length - changed,
    },
  };
}

async function editSome(
  scope: Scope,
  organization: Organization,
  found: readonly StoredCampaign[],
  { edit, author, now }: { edit: CampaignsEdit; author: Author; now: number },
): Promise<Undone[]> {
  const tags = new Map((await listTags(scope)).map((tag) => [tag.id, tag]));
  const changes = found.flatMap((before) => {
    const after = edited(before, { edit, author, tags });
    return after ? [{ before, after: { ...after, publishAt: publishAtAfter(before, after, now) } }] : [];
  });
  if (changes.length > 0) await saveAndPublish(scope, organization, changes, now);
  return changes;
}

async function deleteSome(scope: Scope, found: readonly StoredCampaign[], now: number): Promise<Undone[]> {
  const { counted = [], reported = [] } = Object.groupBy(found, ({ counting }) =>
    counting ? "counted" : "reported",
  );
  for (const { campaign } of counted) await removeCampaign(scope, campaign.id, now);
  await removeReportedCampaigns(
    scope,
    reported.map(({ campaign }) => campaign),
    now,
  );
  return reported.map((before) => ({ before }));
}

/** Undoes the campaigns of the next piece. @returns how many; undefined if there are no more */
export async function undoPiece(
  scope: Scope,
  organization: Organization,
  { id }: StoredImport,
  now: number,
): Promise<number | undefined> {
  const piece = await findPiece(scope, id, 0);
  if (!piece) return undefined;
  const undone = await unpackRows<Undone>(piece.content);
  const stored = await findCampaigns(
    scope,
    undone.map(({ before }) => before.campaign.id),
  );
  const known = new Map(stored.map((each) => [each.campaign.id, each]));
  const tags = new Map((await listTags(scope)).map((tag) => [tag.id, tag]));
  const changes = undone.flatMap(({ before, after }): CampaignChange[] => {
    const current = known.get(before.campaign.id);
    if (after ? current?.registration !== before.registration : current) return [];
    const base = current ?? before;
    const restored = fields.filter((field) => !after || isLeft(field, { before, after, current: base }));
    if (restored.length === 0) return [];
    const team = restored.includes("team") ? before.campaign.team : base.campaign.team;
    const corrections = { ...base.corrections };
    for (const field of restored) {
      delete corrections[field];
      if (before.corrections[field]) Object.assign(corrections, { [field]: before.corrections[field] });
    }
    const next = withSaid({ ...base, campaign: { ...base.campaign, team }, corrections }, saidOf(base), tags);
    return [{ before: current, after: { ...next, publishAt: publishAtAfter(current, next, now) } }];
  });
  if (changes.length > 0) await saveAndPublish(scope, organization, changes, now);
  await deletePieces(scope, id, 1);
  return changes.length;
}

const fields = ["team", "tags"] as const;

/** Whether the edit has set a field, and nothing has set it since then. */
function isLeft(
  field: (typeof fields)[number],
  { before, after, current }: Record<"before" | "after" | "current", StoredCampaign>,
): boolean {
  const setOf = ({ corrections: { [field]: set } }: StoredCampaign) => ({ ...set, said: undefined });
  return (
    !isDeepStrictEqual(setOf(before), setOf(after)) &&
    isDeepStrictEqual(setOf(current), setOf(after)) &&
    (field === "tags" || !after.corrections.team || current.campaign.team === after.campaign.team)
  );
}
