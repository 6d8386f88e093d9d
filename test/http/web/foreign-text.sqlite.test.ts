// Texts of senders in another direction: they must not reorder the text around them.

import assert from "node:assert/strict";
import test from "node:test";
import { makeWebWorldOf } from "../../support/web-world.ts";

/** Reverses what follows it, also Latin letters. */
const override = "\u202e";

test("isolates the direction of subjects, teams, tags and links on every page", async (t) => {
  const { world, organization, viewer } = await makeWebWorldOf("viewer", t);
  const names = { team: `${override}فريق`, tags: [{ name: `${override}وسم` }] };
  for (const id of [1, 2, 3]) {
    const subject = `${override}أخبار Q${id}`;
    await world.register(organization, id, { subject, sent_at: `2026-06-1${id}T08:00:00Z`, ...names });
  }
  const given = { campaign_id: 2, at: "2026-06-15T11:05:00Z" };
  const scores = [1, 2, 3, 4, 5].map((score) => ({
    ...{ ...given, id: `s${score}`, recipient: `p${score}@example.com`, type: "survey", score },
    ...{ survey_id: "s", kind: "enps", comment: "Thanks" },
  }));
  const click = { ...given, id: "c", recipient: "ann@example.com", type: "click" };
  await world.ingest(organization, [{ ...click, url: "https://example.com/a" }, ...scores]);
  const pages = ["/", "/campaigns", "/campaigns/2", "/comments"];
  pages.push("/campaigns/compare?ids=1,2", "/comments");
  for (const path of pages) {
    const text = await viewer.read(path);
    assert.ok(text.includes(`<bdi class="subject" lang="">${override}أخبار`), path);
    const rest = text
      .replaceAll(/<bdi[^>]*>.*?<\/bdi>/g, "")
      .replaceAll(/\u2068.*?\u2069/g, "")
      .replaceAll(/<option.*?<\/option>/gs, "");
    assert.equal(rest.slice(rest.indexOf(override)).slice(0, 80), rest.slice(-1), path);
  }
  assert.match(await viewer.read("/campaigns/2"), /<title>\u2068\u202eأخبار Q2\u2069 · Acme/);
});
