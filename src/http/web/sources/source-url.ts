// The URL of the page of a source.

import { webPaths } from "../../../paths.ts";
import type { Source } from "../../../storage/keys/sources.ts";

/** The page of a source. */
export const sourceUrl = (source: Pick<Source, "id">): string => `${webPaths.sources}/${shortId(source)}`;

/** The start of the source's id: the whole id is a credential, and paths are logged. */
export const shortId = ({ id }: Pick<Source, "id">): string => id.slice(id.indexOf("-") + 1).slice(0, 8);
