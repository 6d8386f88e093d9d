// GET /data_api/v1/emails with 400: the message names the parameter and quotes its value.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { parseEmailsQuery } from "../../../src/http/api/emails-query.ts";
import { makeAcme, serve } from "../../support/world.ts";

async function served(test: TestContext) {
  const { world, key } = await makeAcme(test);
  const service = await serve(test, world);
  return (query: string) => service.get(`/data_api/v1/emails?${query}`, { key });
}

/** One of each kind that iso-timestamp.unit.test.ts has. */
const badTimes = ["yesterday", "2026-02-30", "2026-01-01T24:00:00Z", "2026-01-01\n", "２０２６-01-01"];

test("rejects a time that is not ISO-8601, and names the parameter, its value and the accepted formats (specification 4.1, 7)", async (t) => {
  const get = await served(t);
  for (const name of ["sent_after", "sent_before"]) {
    for (const input of badTimes) {
      const { status, body } = await get(`${name}=${encodeURIComponent(input)}`);
      assert.equal(status, 400, `${name}=${input}`);
      assert.equal(body.error, "bad_request");
      const message = `${name}: ${JSON.stringify(input)} is not a valid ISO-8601 timestamp; use YYYY-MM-DD, YYYY-MM-DDThh:mm:ssZ or YYYY-MM-DDThh:mm:ss±hh:mm.`;
      assert.equal(body.error_message, message);
    }
  }
});

test("rejects an empty time", async (t) => {
  const get = await served(t);
  for (const query of ["sent_after=", "sent_before", "sent_after=2024-01-01&sent_before="]) {
    const { status, body } = await get(query);
    assert.equal(status, 400, query);
    assert.match(body.error_message, /^sent_(after|before): "" is not a valid ISO-8601 timestamp/);
  }
});

test("accepts page only as plain digits from 1 to 2^53 - 1, and per_page as plain digits from 1 on", async (t) => {
  const get = await served(t);
  const inputs = ["0", "-1", "1e2", "0x10", " 3", "3 ", "+3", "٣", "", "1.0", "1,000", "ten", "NaN"];
  const rejected = [
    {
      name: "page",
      range: "from 1 to 9007199254740991 in plain digits, such as page=2",
      rejects: [...inputs, "9007199254740992", "9".repeat(50)],
    },
    { name: "per_page", range: "from 1 on in plain digits; at most 100 are returned", rejects: inputs },
  ];
  for (const { name, range, rejects } of rejected) {
    for (const input of rejects) {
      const { status, body } = await get(`${name}=${encodeURIComponent(input)}`);
      assert.equal(status, 400, `${name}=${input}`);
      assert.deepEqual(body, {
        error: "bad_request",
        error_message: `${name}: ${JSON.stringify(input)} is not a whole number ${range}.`,
      });
    }
  }
});

test("rejects a repeated parameter, even with the same value", async (t) => {
  const get = await served(t);
  for (const name of ["page", "per_page", "sent_after", "sent_before"]) {
    const { status, body } = await get(`${name}=2024-01-01&${name}=2024-01-01`);
    assert.equal(status, 400, name);
    const message = `${name} is given 2 times ("2024-01-01" and "2024-01-01"); it takes one value.`;
    assert.equal(body.error_message, message);
  }
});

test("rejects a known parameter in another spelling, so that no filter is silently lost", async (t) => {
  const get = await served(t);
  const spellings: Record<string, string[]> = {
    page: ["page[]", "Page", " page"],
    per_page: ["PER_PAGE", "per_page[0]", "perPage", "per-page"],
    sent_after: ["sent_after[gte]", "Sent_After", "sent_after ", "sentafter"],
    sent_before: ["sent_before[]", "sent_before.lte", "sentBefore"],
    tag_ids: [
      ...["Tag_Ids", "tag_ids[a]", "tag_ids[][]", "tag_ids[-1]", "TAG_IDS[]", "tag_ids[", "tag_ids.0"],
      ...["tag_ids ", " tag_ids", "\u00a0tag_ids", "tag_id", "tagIds", "tag-ids[]"],
    ],
  };
  const keys = Object.entries(spellings).flatMap(([known, all]) => all.map((given) => [given, known]));
  for (const [given = "", known = ""] of keys) {
    const { status, body } = await get(`${encodeURIComponent(given)}=1`);
    assert.equal(status, 400, given);
    assert.equal(body.error, "bad_request");
    assert.ok(
      body.error_message.startsWith(`${JSON.stringify(given)} is not a parameter; use ${known}`),
      body.error_message,
    );
  }
});

test("rejects a tag id that is not a plain integer", async (t) => {
  const get = await served(t);
  for (const input of ["a", "-1", "1.5", "1e2", "0x1", "+1", "٣", "1 2", "[1]", "null", "1;2"]) {
    for (const key of ["tag_ids", "tag_ids[]", "tag_ids[0]"]) {
      const { status, body } = await get(`${key}=7,${encodeURIComponent(input)}`);
      assert.equal(status, 400, `${key}=${input}`);
      const message = `tag_ids: ${JSON.stringify(input)} is not a tag id; use whole numbers in plain digits, such as tag_ids=1,2.`;
      assert.equal(body.error_message, message);
    }
  }
});

test("accepts a thousand different tag ids, and rejects one more", async (t) => {
  const get = await served(t);
  const ids = Array.from({ length: 1000 }, (_, index) => index + 1);
  assert.equal((await get(`tag_ids=${[...ids, ...ids]}`)).status, 200);
  const { status, body } = await get(`tag_ids=${[...ids, 1001]}`);
  assert.equal(status, 400);
  const message = 'tag_ids: there are more than 1000 ids; the first beyond the limit is "1001".';
  assert.equal(body.error_message, message);
});

test("cuts a quoted value in an error message to 100 characters", async (t) => {
  const get = await served(t);
  const { body } = await get(`sent_after=${"x".repeat(5000)}`);
  assert.ok(body.error_message.startsWith(`sent_after: "${"x".repeat(100)}…" is not`), body.error_message);
  assert.ok(body.error_message.length < 300);
});

test("rejects broken percent-encoding and unusual Unicode in parameters", async (t) => {
  const get = await served(t);
  for (const value of [
    "page=%",
    "page=%zz",
    "page=%ff",
    "sent_after=%00",
    "tag_ids=%F0%9F%92%A9",
    "page=%E2%80%AE1",
  ]) {
    assert.equal((await get(value)).status, 400, value);
  }
});

test("parses an encoded query like a plain one", () => {
  for (const query of [
    "?page=2",
    "page=2&",
    "&page=2",
    "page=2&per_page",
    "page=2=3",
    "tag_ids=1,2&x=y",
    "=1&page=2",
  ]) {
    const read = (text: string) => {
      try {
        const { ignored: _, ...query } = parseEmailsQuery(text, "UTC");
        return query;
      } catch (error) {
        return String(error);
      }
    };
    assert.deepEqual(read(query), read(`${query}&other=%20`), query);
  }
});
