// Work that lasts several transactions: lists of recipients, and files of campaigns from the web application.

import assert from "node:assert/strict";
import { addAttributes } from "../../../src/counting/audience/add-attributes.ts";
import { listedPerPart } from "../../../src/counting/audience/stage-list.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import type { Keys } from "../../support/service-process.ts";
import { uploadInPieces } from "../../support/upload-in-pieces.ts";
import { startSession, type UserSession } from "../../support/user-session.ts";
import { requestPage } from "../../support/web-world.ts";

/** A user of each organization. Their emails are in a reference table, which is written on all nodes. */
export async function signInAll(databaseUrl: string, all: readonly Keys[]): Promise<Map<Keys, UserSession>> {
  const database = await openDatabase(databaseUrl);
  const sessions = new Map<Keys, UserSession>();
  for (const keys of all) {
    const { organizationId: id } = keys;
    await database.transactionOf(id, (scope) => addAttributes(scope, ["Department"]));
    sessions.set(keys, await startSession(database, id, { email: `user-${id}@example.com` }));
  }
  await database.close();
  return sessions;
}

/** Replaces the list of a campaign, in several parts each time. */
export async function saveList(url: string, { ingest }: Keys): Promise<void> {
  for (const department of ["Sales", "IT"]) {
    const rows = Array.from({ length: 2 * listedPerPart }, (_, index) => `r-${index}@example.com`);
    const response = await fetch(`${url}/ingest/v1/campaigns/1/recipients`, {
      method: "PUT",
      headers: { authorization: `Bearer ${ingest}`, "content-type": "text/csv" },
      body: `recipient,Department\n${rows.map((each) => `${each},${department}`).join("\n")}\n`,
    });
    assert.equal(response.status, 200, await response.text());
  }
}

/** Imports campaigns in the web application, in several parts, changes some by another file, and undoes both. */
export async function importAndUndo(url: string, session: UserSession): Promise<void> {
  const post = async (page: string, action: string) => {
    const fields = { form_token: session.csrfToken, action };
    const { status, text } = await requestPage(url + page, { cookie: session.cookie, fields });
    assert.equal(status, 303, text);
  };
  const pages: string[] = [];
  for (const opens of [10, 20]) {
    const rows = Array.from(
      { length: 2_000 },
      (_, index) => `${1_000_000 + index},Imported,2024-01-01,100,${opens},News`,
    );
    const content = Buffer.from(`id,subject,sent_at,recipient_count,unique_opens,tags\n${rows.join("\n")}\n`);
    const page = await uploadInPieces(url, session, { name: "campaigns.csv", content });
    await requestPage(url + page, session);
    await post(page, "import");
    pages.push(page);
  }
  for (const page of pages) await post(page, "undo");
}
