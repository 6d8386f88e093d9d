// Uploads a file of campaigns as the script of the web application does.

import assert from "node:assert/strict";
import { uploadLimits } from "../../src/counting/import/pieces.ts";
import type { UserSession } from "./user-session.ts";
import { requestPage } from "./web-world.ts";

/** @returns the path of the file's page */
export async function uploadInPieces(
  url: string,
  { cookie, csrfToken }: UserSession,
  { name, content }: { name: string; content: Buffer },
): Promise<string> {
  const post = (path: string, fields: Record<string, string | File>) =>
    requestPage(url + path, { cookie, fields: { form_token: csrfToken, ...fields } });
  const start = { action: "start", name, bytes: String(content.length) };
  const started = await post("/campaigns/import", start);
  assert.equal(started.status, 303, started.text);
  const page = started.location ?? "";
  for (let position = 0; position < content.length; position += uploadLimits.pieceBytes) {
    const file = new File(
      [new Uint8Array(content.subarray(position, position + uploadLimits.pieceBytes))],
      "blob",
    );
    const sent = await post(page, { action: "piece", position: String(position), file });
    assert.equal(sent.status, 200, sent.text);
  }
  return page;
}
