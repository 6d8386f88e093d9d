// Ends a file with more campaigns than the web application imports at once.

import type { FileEntry } from "./file-entry.ts";

/** An import is one transaction, for which the other writers of the organization wait. */
const maxUploadedCampaigns = 50_000;

export async function* limitEntries(entries: AsyncIterable<FileEntry>): AsyncGenerator<FileEntry> {
  let count = 0;
  for await (const entry of entries) {
    count += 1;
    if (count > maxUploadedCampaigns) {
      const problem = `more than ${maxUploadedCampaigns} campaigns; import the file with the command "email-analytics import", or divide it`;
      yield { where: entry.where, problem };
      return;
    }
    yield entry;
  }
}
