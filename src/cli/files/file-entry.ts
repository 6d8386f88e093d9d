// What reading a campaign file gives, in whatever form the file is.

import { largestTextLength } from "../../campaign/field-schema.ts";

/** One record, or what is wrong at its place. */
export type FileEntry = { where: string; record: unknown } | { where: string; problem: string };

/** In characters; longer than any record can be whose fields are within their bounds. */
export const largestRecordLength = 32 * largestTextLength;
