// `campaign edit`: tags and teams as people set them, by command.

import assert from "node:assert/strict";
import test from "node:test";
import { event, serveSender } from "../../../support/serve-sender.ts";
import { campaign, makeAcme, run } from "../../../support/world.ts";

test("campaign edit adds and removes tags, and sets the team, of some or all that match", async (t) => {
  const { world, organization } = await makeAcme(t);
  const tagged = (id: number, subject: string) => ({
    ...campaign({ id, subject }),
    tags: [{ name: "Old", color: null }],
  });
  await world.save(organization, [tagged(1, "The News"), tagged(2, "Other"), tagged(3, "news again")]);
  const edit = (options: string) =>
    run(world.databaseUrl, `campaign edit --organization ${organization.id} ${options}`);
  const { output } = await edit("--subject NEWS --add-tag New --remove-tag Old --team HR");
  assert.deepEqual(output, [0, "Changed 2 campaigns.\n", ""]);
  assert.match((await edit("--ids 1,2,99 --team HR --json")).stdout, /"changed":\s*1,\s*"unchanged":\s*2/);
  for (const wrong of [
    "--team HR",
    "--ids 1",
    "--ids 1 --subject x --team HR",
    "--ids 1 --remove-tag Unknown",
    "--ids 1 --add-tag=",
    `--ids 1 --team ${"x".repeat(100_000)}`,
    "--subject= --team HR",
  ]) {
    const { output, stderr } = await edit(wrong);
    assert.notEqual(output[0], 0, wrong);
    assert.match(
      stderr,
      /either --ids or --subject|--add-tag, --remove-tag or --team|no tag|add_tags: ""|team: "x|in every subject|A name has 1 to 200/,
      wrong,
    );
  }
  const rows = await run(world.databaseUrl, `export --organization ${organization.id} --format csv`);
  const shown = rows.stdout.split("\n").filter((line) => /HR/.test(line));
  assert.equal(shown.length, 3, rows.stdout);
});

test("campaign edit loses no event that is counted meanwhile", async (t) => {
  const { put, post, service, key, world, organization } = await serveSender(t);
  const ids = Array.from({ length: 40 }, (_, index) => index + 1);
  for (const id of ids) await put(id);
  let isEditing = true;
  const edits = async () => {
    for (const team of ["A", "D"])
      await run(
        world.databaseUrl,
        `campaign edit --organization ${organization.id} --subject campaign --team ${team}`,
      );
    isEditing = false;
  };
  let opened = 0;
  const events = async () => {
    for (; isEditing; opened += 1)
      await post(ids.map((id) => event({ campaign_id: id, recipient: `r${opened}@example.com` })));
  };
  await Promise.all([edits(), events()]);
  const { emails } = await service.emails(key, "?per_page=100");
  assert.deepEqual(new Set(emails.map(({ unique_opens }) => unique_opens)), new Set([opened]));
  assert.deepEqual(new Set(emails.map(({ organization_team }) => organization_team)), new Set(["D"]));
});
