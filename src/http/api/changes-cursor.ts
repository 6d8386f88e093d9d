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
  const numbers = [
    feedFormat,
    historyId,
    revision,
    lastChange.id,
    lastChange.revision,
    lastChange.revisionId,
  ];
  numbers.push(lastMove.id, lastMove.revision);
  if (pass) numbers.push(pass.untilRevision, pass.after.revision, pass.after.id);
  return signNumbers(
    numbers.map((number) => number.toString(base)),
    secret,
  );
}

/** @param numbers in the base of cursors; {@link decodeCursor} checks them again */
export function signNumbers(numbers: readonly string[], secret: string): string {
  return signToken([prefix, ...numbers].join("."), { secret, purpose });
}

/**
 * @throws AppError `bad_request` if it is no cursor of the organization, `gone` if records have had other fields since
 */
export function decodeCursor(cursor: string, { secret }: Organization): ChangesPosition {
  const [first, ...parts] = openToken(cursor, { secret, purpose })?.split(".") ?? [];
  if (first !== prefix) throw noCursor();
  const numbers = parts.map((part) => (/^[0-9a-z]+$/.test(part) ? Number.parseInt(part, base) : Number.NaN));
  const [format, historyId, revision, ...more] = numbers as [number, number, number, ...number[]];
  const [lastId, lastRevision, lastRevisionId, moveId, moveRevision, ...ofPass] = more as NumbersOfCursor;
  if (format !== feedFormat) {
    throw new AppError(
      "gone",
      "The cursor is of another version of the service, whose records had other fields. Start again without a cursor.",
    );
  }
  const isWhole = numbers.length === 8 || numbers.length === 11;
  if (!isWhole || !numbers.every(Number.isSafeInteger)) throw noCursor();
  const lastChange = { id: lastId, revision: lastRevision, revisionId: lastRevisionId };
  const position = { historyId, revision, lastChange, lastMove: { id: moveId, revision: moveRevision } };
  if (ofPass.length === 0) return position;
  const [untilRevision, afterRevision, id] = ofPass;
  return { ...position, pass: { untilRevision, after: { revision: afterRevision, id } } };
}

function noCursor(): AppError {
  return new AppError(
    "bad_request",
    "cursor: this is no cursor of this organization; send meta.cursor of a response to the same key unchanged.",
  );
}

type NumbersOfPass = [] | [untilRevision: number, afterRevision: number, id: number];
type NumbersOfCursor = [number, number, number, number, number, ...NumbersOfPass];
