// PATCH /ingest/v1/campaigns/{id}: tags and teams as people set them, by programs.

import assert from "node:assert/strict";
import test from "node:test";
import { serveSender } from "../../support/serve-sender.ts";
import { campaign } from "../../support/world.ts";

test("PATCH sets tags and the team of any campaign, which a registration does not change", async (t) => {
  const { service, put, ingestKey, key, world, organization } = await serveSender(t);
  await put(7, { tags: ["Draft", "News"], team: "IC" });
  await world.save(organization, [campaign({ id: 8 })]);
  const patch = (id: number, body: unknown) =>
    service.send(`/ingest/v1/campaigns/${id}`, { method: "PATCH", key: ingestKey, body });
  const change = { add_tags: ["Newsletter"], remove_tags: ["Draft"], team: "HR" };
  for (const id of [7, 8]) {
    assert.deepEqual((await patch(id, change)).body, { id, status: "changed" });
    assert.deepEqual((await patch(id, change)).body, { id, status: "unchanged" });
  }
  await put(7, { tags: ["Draft", "News", "More"], team: "Other" });
  const { emails } = JSON.parse((await service.get("/data_api/v1/emails", { key })).text) as {
    emails: { id: number; organization_team: string; tags: { name: string }[] }[];
  };
  const shown = emails.map(({ id, organization_team: team, tags }) => [
    id,
    team,
    tags.map(({ name }) => name).join(),
  ]);
  assert.deepEqual(shown.sort(), [
    [7, "HR", "More,News,Newsletter"],
    [8, "HR", "Newsletter"],
  ]);
  assert.equal((await patch(9, change)).status, 404);
  for (const [body, message] of [
    [[], /body: \[\] is not an object/],
    [{ tags: [] }, /tags: is unknown; the fields are team, add_tags, remove_tags/],
    [{ team: 5 }, /team: 5 is not text/],
    [{ add_tags: "x" }, /add_tags: "x" is not a list of tags/],
    [{ remove_tags: [7] }, /remove_tags: 7 is not/],
  ] as const) {
    const { status, text } = await patch(7, body);
    assert.equal(status, 400, text);
    assert.match((JSON.parse(text) as { error_message: string }).error_message, message);
  }
});
