// GET /data_api/v1/emails/changes with 400: every refused parameter.

import assert from "node:assert/strict";
import test from "node:test";
import { crc32 } from "node:zlib";
import { campaign, makeSqliteWorld, serve } from "../../support/world.ts";

test("answers 400 with the parameter, its value and what is accepted", async (t) => {
  const world = await makeSqliteWorld(t);
  const { organization, key } = await world.addOrganization();
  const other = await world.addOrganization();
  await world.save(organization, [campaign({ id: 1 }), campaign({ id: 2 })]);
  const service = await serve(t, world);
  const get = (query: string, headers = {}) =>
    service.get(`/data_api/v1/emails/changes${query}`, { key, headers });
  const cursorOf = async (of: string) =>
    String((await service.get("/data_api/v1/emails/changes?per_page=1", { key: of })).body.meta.cursor);
  const cursor = await cursorOf(key);
  const noCursor =
    "cursor: this is no cursor of this organization; send meta.cursor of a response to the same key unchanged.";
  const cases: Record<string, string> = {
    "per_page=0": 'per_page: "0" is not a whole number from 1 on in plain digits; at most 5000 are returned.',
    "updated_after=yesterday":
      'updated_after: "yesterday" is not a valid ISO-8601 timestamp; use YYYY-MM-DD, YYYY-MM-DDThh:mm:ssZ or YYYY-MM-DDThh:mm:ss±hh:mm.',
    "tag_ids=1":
      "tag_ids: changes are those of all campaigns; use cursor, updated_after, per_page, and select in the copy.",
    "sent_after=2024-01-01":
      "sent_after: changes are those of all campaigns; use cursor, updated_after, per_page, and select in the copy.",
    "Page=2":
      "page: changes are those of all campaigns; use cursor, updated_after, per_page, and select in the copy.",
    [`cursor=${cursor}&cursor=x`]: `cursor is given 2 times ("${cursor}" and "x"); it takes one value.`,
    Cursor: '"Cursor" is not a parameter; use cursor in exactly this spelling.',
    "since=yesterday": '"since" is not a parameter; use cursor, updated_after, per_page.',
    "cursor=": noCursor,
    "cursor=c1": noCursor,
    [`cursor=${cursor.slice(0, -1)}`]: noCursor,
    [`cursor=${cursor.replace("c1.1.", "c1.2.")}`]: noCursor,
    [`cursor=${await cursorOf(other.key)}`]: noCursor,
  };
  // A sum that every client can compute.
  const unsigned = cursor.slice(0, cursor.lastIndexOf("."));
  cases[`cursor=${unsigned}.${crc32(unsigned).toString(36)}`] = noCursor;
  for (const [query, message] of Object.entries(cases)) {
    const { status, body } = await get(`?${query}`);
    assert.equal(status, 400, query);
    assert.deepEqual(body, { error: "bad_request", error_message: message });
  }
  assert.equal((await get("?per_page=99999")).body.meta.per_page, 5000);
});
