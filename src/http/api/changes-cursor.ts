// The cursor of changes: a position as text. It is opaque to clients, and signed: a client that could choose its time would
// see campaigns before they are sent.

import { openToken, signToken } from "../../access/signed-token.ts";
import { feedFormat } from "../../campaign/feed/feed-fields.ts";
import { AppError } from "../../errors.ts";
import type { ChangesPosition } from "../../listing/changes-position.ts";
import type { Organization } from "../../storage/organizations.ts";

const prefix = "c1";
const base = 36;
const purpose = "cursor of changes";

/** `c1`, the numbers of the position, and a signature, joined by dots. */
export function encodeCursor({ secret }: Organization, position: ChangesPosition): string {
  const { revision, time, historyId, timelineRevision, timelineRevisionId, pass } = position;
  const numbers = [feedFormat, historyId, timelineRevision, timelineRevisionId, revision, time];
  if (pass) numbers.push(pass.untilRevision, pass.untilTime, pass.after.updatedAt, pass.after.id);
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
  const [format, historyId, timelineRevision, timelineRevisionId, revision, time, ...ofPass] =
    numbers as NumbersOfCursor;
  if (format !== feedFormat) {
    throw new AppError(
      "gone",
      "The cursor is of another version of the service, whose records had other fields. Start again without a cursor.",
    );
  }
  const isWhole = numbers.length === 6 || numbers.length === 10;
  if (!isWhole || !numbers.every(Number.isSafeInteger)) throw noCursor();
  const position = { revision, time, historyId, timelineRevision, timelineRevisionId };
  if (ofPass.length === 0) return position;
  const [untilRevision, untilTime, updatedAt, id] = ofPass;
  return { ...position, pass: { untilRevision, untilTime, after: { updatedAt, id } } };
}

function noCursor(): AppError {
  return new AppError(
    "bad_request",
    "cursor: this is no cursor of this organization; send meta.cursor of a response to the same key unchanged.",
  );
}

type NumbersOfPass = [] | [untilRevision: number, untilTime: number, updatedAt: number, id: number];
type NumbersOfCursor = [number, number, number, number, number, number, ...NumbersOfPass];
