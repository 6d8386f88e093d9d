// What people set of a campaign wins over what its sender or its file says, in any order, and resetting shows that exactly.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { parseReportedCampaign } from "../../../src/campaign/reported-campaign.ts";
import { correctCampaign, detailsOf, setSenders } from "../../../src/counting/campaigns/correct-campaign.ts";
import { saidOf } from "../../../src/counting/campaigns/corrections.ts";
import { findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import { findSenders } from "../../../src/storage/keys/senders.ts";
import { lockOrganization, type Organization } from "../../../src/storage/organizations/organizations.ts";
import { randomCases } from "../../support/random-cases.ts";
import { makeAcme, makeWorld, type World } from "../../support/world.ts";

const fields = fc.record(
  {
    subject: fc.constantFrom("A", "B"),
    team: fc.constantFrom("HR", null),
    recipient_count: fc.constantFrom(100, 50),
    tags: fc.subarray(["T", "U"]),
  },
  { requiredKeys: ["subject", "recipient_count"] },
);
type Fields = { subject: string; recipient_count: number; team?: string | null; tags?: string[] };
const names = ["subject", "team", "recipient_count", "tags"] as const;
const step = fc.oneof(
  fc.record({ name: fc.constant("say" as const), fields }),
  fc.record({ name: fc.constant("correct" as const), fields, only: fc.constantFrom(...names) }),
  fc.record({ name: fc.constant("reset" as const), only: fc.constantFrom(...names) }),
);

const idOf = { counted: 1, reported: 2 } as const;
const recordOf = ({ team, ...others }: Fields) => ({
  ...{ id: 2, sent_at: "2026-01-01", unique_opens: 20, ...others },
  ...(team !== undefined && { organization_team: team }),
  // These follow from the number of recipients.
  ...{ open_rate: 20 / others.recipient_count, unopened: others.recipient_count - 20 },
});

async function say(world: World, organization: Organization, kind: keyof typeof idOf, said: Fields) {
  if (kind === "counted") return world.register(organization, 1, said);
  const { reported } = parseReportedCampaign(recordOf(said), "UTC");
  assert.ok(reported);
  return world.save(organization, [reported]);
}

test("choosing who sends a campaign changes nothing that its sender says or people have set", async (t) => {
  const { world, organization } = await makeAcme(t, { register: { subject: "A", tags: ["T"] } });
  await correctIn(world, organization, { id: 1, input: { subject: "B", tags: ["U"] } });
  const read = () => world.read(organization, (scope) => findCampaigns(scope, [1]));
  const [before] = await read();
  await world.write(organization, async (scope) => {
    const senders = [...(await findSenders(scope)).keys()];
    await setSenders(scope, organization, { id: 1, senders, now: 2 });
  });
  const [after] = await read();
  assert.equal(after?.corrections.subject?.said, "A");
  assert.deepEqual(after?.corrections, before?.corrections);
});

const correctIn = (
  world: World,
  organization: Organization,
  { id, input, reset }: { id: number; input: object; reset?: "subject" | "team" | "recipientCount" | "tags" },
) =>
  world.write(organization, async (scope) => {
    const locked = (await lockOrganization(scope)) as Organization;
    const [stored] = await findCampaigns(scope, [id]);
    assert.ok(stored);
    const request = { id, details: detailsOf(stored), actor: "ann", reset };
    return correctCampaign(scope, locked, { ...request, input, now: 1 });
  });

for (const kind of ["counted", "reported"] as const) {
  test(`what people set of a ${kind} campaign stays until they reset it`, async (t) => {
    const world = await makeWorld(t);
    const history = fc.asyncProperty(fields, fc.array(step, { maxLength: 12 }), async (first, steps) => {
      const { organization } = await world.addOrganization();
      const none = { team: null, tags: [] };
      let said = { ...none, ...(first as Fields) };
      const set: Partial<typeof said> = {};
      await say(world, organization, kind, said);
      for (const each of steps) {
        const shown = { ...said, ...set };
        if (each.name === "say") {
          // A registration is all that a sender says; a file may lack columns.
          const others = kind === "counted" ? { ...none, team: "IC" } : said;
          const given = each.fields as Fields;
          await say(world, organization, kind, kind === "counted" ? { team: "IC", ...given } : given);
          said = { ...others, ...given };
          continue;
        }
        const value =
          each.name === "correct" ? { ...none, ...(each.fields as Fields) }[each.only] : said[each.only];
        const reset = each.only === "recipient_count" ? "recipientCount" : each.only;
        const id = idOf[kind];
        const input = { [each.only]: value };
        await correctIn(world, organization, { id, input, ...(each.name === "reset" && { reset }) });
        if (
          each.name === "reset" ||
          (String(value) === String(said[each.only]) && value !== shown[each.only])
        )
          delete set[each.only];
        else if (String(value) !== String(shown[each.only])) Object.assign(set, { [each.only]: value });
      }
      const [stored] = await world.read(organization, (scope) => findCampaigns(scope, [idOf[kind]]));
      assert.ok(stored);
      const { subject, team, recipientCount: recipient_count } = stored.campaign;
      const shown = { ...said, ...set };
      assert.deepEqual(
        { subject, team, recipient_count },
        { subject: shown.subject, team: shown.team, recipient_count: shown.recipient_count },
      );
      const below = saidOf(stored).campaign;
      assert.deepEqual(
        [below.subject, below.team, below.recipientCount],
        [said.subject, said.team, said.recipient_count],
      );
      if (!("reported" in stored.numbers)) return;
      const { open_rate, unopened, unique_opens } = stored.numbers.reported;
      const followed = {
        open_rate: 20 / Number(recipient_count),
        unopened: Number(recipient_count) - 20,
        unique_opens: 20,
      };
      assert.deepEqual({ open_rate, unopened, unique_opens }, followed);
    });
    await fc.assert(history, { numRuns: randomCases(25, 1_000) });
  });
}
