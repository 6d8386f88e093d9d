// The parts of an edit of many campaigns, which adds or removes a tag, sets the team, or deletes; and of undoing it.

import { isDeepStrictEqual } from "node:util";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { Author, Corrections, StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { addPiece, deletePieces, findPiece } from "../../storage/imports/import-pieces.ts";
import type { CampaignsEdit, StoredImport } from "../../storage/imports/imports.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { findTagsById } from "../../storage/organizations/tags.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { edited } from "../campaigns/apply-rules.ts";
import { assignIds } from "../campaigns/assign-ids.ts";
import { saidOf, withSaid } from "../campaigns/corrections.ts";
import { removeCampaign, removeReportedCampaigns } from "../campaigns/remove-campaign.ts";
import { type CampaignChange, saveAndPublish } from "../publish.ts";
import { compressPiece, unpackRows } from "./pieces.ts";

/** What undoing an edit needs of a campaign: the whole of a deleted one, which was imported. */
type Undone = { before: StoredCampaign; after?: CampaignChange["after"] };

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
  await saveUndone(scope, { id, position, undone });
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

/** Saves what {@link undoPiece} needs. */
export async function saveUndone(
  scope: Scope,
  { id, position, undone }: { id: number; position: number; undone: readonly object[] },
): Promise<void> {
  const content = await compressPiece(Buffer.from(JSON.stringify(undone)));
  await addPiece(scope, { importId: id, position, content });
}

async function editSome(
  scope: Scope,
  organization: Organization,
  found: readonly StoredCampaign[],
  { edit, author, now }: { edit: CampaignsEdit; author: Author; now: number },
): Promise<Undone[]> {
  const tags = await findTagsById(scope);
  const changes = found.flatMap((before) => {
    const after = edited(before, { edit, author, tags });
    return after ? [{ before, after }] : [];
  });
  await saveAndPublish(scope, organization, changes, now);
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

/** Undoes the campaigns of the next piece of an edit. @returns how many; undefined if there are no more */
export async function undoPiece(
  scope: Scope,
  organization: Organization,
  id: number,
  now: number,
): Promise<number | undefined> {
  const piece = await findPiece(scope, id, 0);
  if (!piece) return undefined;
  const undone = await unpackRows<Undone>(piece.content);
  const befores = undone.map(({ before }) => before);
  const { records, known } = await assignIds(scope, befores);
  const tags = await findTagsById(scope);
  const changes = undone.flatMap(({ before, after }, index): CampaignChange[] => {
    const current = known.get(before.campaign.id);
    // Its tool may have brought a deleted one again, with another id.
    const isFree = !current && records[index] === before;
    if (after ? current?.registration !== before.registration : !isFree) return [];
    const base = current ?? before;
    const left = after ? withoutEdit(base, { before, after }) : base;
    if (current && isDeepStrictEqual(left.corrections, current.corrections)) return [];
    return [{ before: current, after: withSaid(left, saidOf(base), tags) }];
  });
  await saveAndPublish(scope, organization, changes, now);
  await deletePieces(scope, id, 1);
  return changes.length;
}

/** What someone has set since then stays: the team, and each tag. */
function withoutEdit(current: StoredCampaign, { before, after }: Required<Undone>): StoredCampaign {
  const { team: _, tags: ofTags, ...others } = current.corrections;
  const withTeam = isDeepStrictEqual(teamOf(current), teamOf(after)) ? before : current;
  const { team } = withTeam.corrections;
  const left = tagsWithout(ofTags, before.corrections.tags, after.corrections.tags);
  return {
    ...current,
    campaign: { ...current.campaign, team: withTeam.campaign.team },
    corrections: { ...others, ...(team && { team }), ...(left && { tags: left }) },
  };
}

const teamOf = ({ campaign, corrections: { team } }: CampaignChange["after"]) =>
  team && [team.at, team.by, campaign.team];

type CorrectedTags = Corrections["tags"];

function tagsWithout(current: CorrectedTags, before: CorrectedTags, after: CorrectedTags): CorrectedTags {
  if (isDeepStrictEqual({ ...current, said: 0 }, { ...after, said: 0 })) return before;
  const all = [current, before].flatMap((each) => [...(each?.added ?? []), ...(each?.removed ?? [])]);
  const [added, removed] = (["added", "removed"] as const).map((state) =>
    [...new Set(all)].filter((id) => {
      const isOfEdit = stateIn(current, id) === stateIn(after, id);
      return stateIn(isOfEdit ? before : current, id) === state;
    }),
  );
  const author = current ?? before;
  return author && added && removed && added.length + removed.length > 0
    ? { ...author, added, removed }
    : undefined;
}

const stateIn = (tags: CorrectedTags, id: number) =>
  (["added", "removed"] as const).find((state) => tags?.[state].includes(id));
