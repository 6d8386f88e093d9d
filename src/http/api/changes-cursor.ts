// The cursor of changes: a position as text. It is opaque to clients, and holds nothing secret: its organization is that of
// the key, and a changed number fails the checksum.

import { crc32 } from "node:zlib";
import { feedFormat } from "../../campaign/feed/feed-fields.ts";
import { AppError } from "../../errors.ts";
import type { ChangesPosition } from "../../listing/changes-position.ts";

const prefix = "c1";
const base = 36;

/** `c1`, the numbers of the position, and a checksum, joined by dots. */
export function encodeCursor(organizationId: number, position: ChangesPosition): string {
  const { revision, time, historyId, timelineRevision, timelineRevisionId, pass } = position;
  const numbers = [
    feedFormat,
    organizationId,
    historyId,
    timelineRevision,
    timelineRevisionId,
    revision,
    time,
  ];
  if (pass) numbers.push(pass.untilRevision, pass.untilTime, pass.after.updatedAt, pass.after.id);
  const text = [prefix, ...numbers.map((number) => number.toString(base))].join(".");
  return `${text}.${checksumOf(text)}`;
}

/**
 * @throws AppError `bad_request` if it is no cursor of the organization, `gone` if records have had other fields since
 */
export function decodeCursor(cursor: string, organizationId: number): ChangesPosition {
  const end = cursor.lastIndexOf(".");
  const text = cursor.slice(0, end);
  const numbers = text
    .split(".")
    .slice(1)
    .map((part) => Number.parseInt(part, base));
  const isCursor = text.startsWith(`${prefix}.`) && cursor.slice(end + 1) === checksumOf(text);
  if (!isCursor) {
    throw new AppError("bad_request", "cursor: this is no cursor; send meta.cursor of a response unchanged.");
  }
  const [format, organization, historyId, timelineRevision, timelineRevisionId, revision, time, ...ofPass] =
    numbers as NumbersOfCursor;
  if (organization !== organizationId) {
    throw new AppError(
      "bad_request",
      "cursor: it belongs to another organization; use the key with which it was read.",
    );
  }
  if (format !== feedFormat) {
    throw new AppError(
      "gone",
      "The cursor is of another version of the service, whose records had other fields. Start again without a cursor.",
    );
  }
  const position = { revision, time, historyId, timelineRevision, timelineRevisionId };
  if (ofPass.length === 0) return position;
  const [untilRevision, untilTime, updatedAt, id] = ofPass;
  return { ...position, pass: { untilRevision, untilTime, after: { updatedAt, id } } };
}

type NumbersOfPass = [] | [untilRevision: number, untilTime: number, updatedAt: number, id: number];
type NumbersOfCursor = [number, number, number, number, number, number, number, ...NumbersOfPass];

function checksumOf(text: string): string {
  return crc32(text).toString(base);
}
