// The cursor of changes: a position as text. It is opaque to clients, and signed, so that only positions that were given out
// come back.

import { openToken, signToken } from "../../access/signed-token.ts";
import { feedFormat } from "../../campaign/feed/feed-fields.ts";
import { AppError } from "../../errors.ts";
import type { ChangesPosition } from "../../listing/changes-position.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";

const prefix = "c1";
const base = 36;
const purpose = "cursor of changes";

/** `c1`, the numbers of the position, and a signature, joined by dots. */
export function encodeCursor({ secret }: Organization, position: ChangesPosition): string {
  const { historyId, revision, lastChange, lastMove, pass } = position;
  const { id, revisionId } = lastChange;
  const numbers = [feedFormat, historyId, revision, id, lastChange.revision, revisionId];
  numbers.push(lastMove.id, lastMove.revision);
  if (pass) numbers.push(pass.untilRevision, pass.after.revision, pass.after.id);
  return signToken([prefix, ...numbers.map((number) => number.toString(base))].join("."), {
    secret,
    purpose,
  });
}

/**
 * @throws AppError `bad_request` if it is no cursor of the organization, `gone` if records have had other fields since
 */
export function decodeCursor(cursor: string, { secret }: Organization): ChangesPosition {
  const [first, ...parts] = openToken(cursor, { secret, purpose })?.split(".") ?? [];
  if (first !== prefix) {
    throw new AppError(
      "bad_request",
      "cursor: this is no cursor of this organization; send meta.cursor of a response to the same key unchanged.",
    );
  }
  const numbers = parts.map((part) => Number.parseInt(part, base)) as NumbersOfCursor;
  const [format, historyId, revision, ...more] = numbers;
  const [lastId, lastRevision, lastRevisionId, moveId, moveRevision, ...ofPass] = more;
  if (format !== feedFormat) {
    throw new AppError(
      "gone",
      "The cursor is of another version of the service, whose records had other fields. Start again without a cursor.",
    );
  }
  const lastChange = { id: lastId, revision: lastRevision, revisionId: lastRevisionId };
  const position = { historyId, revision, lastChange, lastMove: { id: moveId, revision: moveRevision } };
  if (ofPass.length === 0) return position;
  const [untilRevision, afterRevision, id] = ofPass;
  return { ...position, pass: { untilRevision, after: { revision: afterRevision, id } } };
}

type NumbersOfPass = [] | [untilRevision: number, afterRevision: number, id: number];
type NumbersOfCursor = [number, number, number, number, number, number, number, number, ...NumbersOfPass];
