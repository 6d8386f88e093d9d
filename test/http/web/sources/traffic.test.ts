// The page of traffic quality: the opens and clicks by reason, and the error rates of the filter.

import assert from "node:assert/strict";
import test from "node:test";
import { dayMs } from "../../../../src/campaign/calendar/durations.ts";
import { changeOrganization } from "../../../../src/counting/campaigns/change-organization.ts";
import { closeCampaign } from "../../../../src/counting/campaigns/close-campaigns.ts";
import { removeCampaign } from "../../../../src/counting/campaigns/remove-campaign.ts";
import { findOrganization, type Organization } from "../../../../src/storage/organizations/organizations.ts";
import type { Scope } from "../../../../src/storage/queries/scope.ts";
import { assertMatches, textOf } from "../../../support/pages.ts";
import { sqliteTest } from "../../../support/sqlite-test.ts";
import { makeWebWorld, type WebWorld } from "../../../support/web-world.ts";
import { campaign, present } from "../../../support/world.ts";

const path = "/sources/traffic";
const bot = "Barracuda Sentinel (EE)";

/** An event of a recipient, by default right after a campaign was sent. */
const event = (
  campaign_id: number,
  recipient: string,
  type: string,
  given: Record<string, unknown> = {},
) => ({
  ...{ id: `${recipient} ${JSON.stringify([type, given])}`, campaign_id, recipient, type },
  ...{ at: new Date(present - 30 * 60_000).toISOString(), ...given },
});

const manyOf = (count: number, kind: string, work: (recipient: string) => unknown[]) =>
  Array.from({ length: count }, (_, index) => work(`${kind}-${index}@example.com`)).flat();

const answer = { survey_id: "s", kind: "enps", score: 9 };
const click = (url: string, given = {}) => ({ url: `https://example.com/${url}`, ...given });
const hidden = click("hidden", { hidden: true });

/** Proven people, of whom two have only the traffic of a scanner, and proven machines, of which three look like people. */
const provenEvents = (id: number, people: number, machines: number) => [
  ...manyOf(people - 2, "ann", (name) => [event(id, name, "open"), event(id, name, "survey", answer)]),
  ...manyOf(2, "bob", (name) => [
    event(id, name, "open", { user_agent: bot }),
    event(id, name, "survey", answer),
  ]),
  ...manyOf(machines - 3, "sweep", (name) => [
    event(id, name, "click", hidden),
    ...["a", "b", "c"].map((url) => event(id, name, "click", click(url))),
  ]),
  ...manyOf(3, "single", (name) => [event(id, name, "click", hidden), event(id, name, "click", click("a"))]),
];

/** The words of the page as a viewer reads it. */
const pageOf = async ({ signIn }: WebWorld, query = "?period=12m") =>
  textOf(await (await signIn("viewer")).read(path + query));

sqliteTest("shows the errors of the filter on proven people and machines, and from 30 on", async (t) => {
  const given = await makeWebWorld(t);
  const { world, organization } = given;
  assert.match(await pageOf(given), /No campaigns yet/);
  await world.save(organization, [campaign({ id: 9, sentAt: present - dayMs })]);
  const imported = await pageOf(given);
  assert.match(imported, /No opens or clicks with a known time yet\./);
  assert.doesNotMatch(imported, /How often the filter is wrong/);
  await world.register(organization, 1);
  assert.match(
    await pageOf(given),
    /Real people we mistook for machines 0 0 – no value Machines we mistook for real people 0 0 –/,
  );
  await world.ingest(organization, provenEvents(1, 29, 29));
  const few =
    /Real people we mistook for machines 2 29 – no value Machines we mistook for real people \d+ 29 – no value Proven people/;
  assert.match(await pageOf(given), few);
  // Earlier campaigns, scheduled ones and those of other organizations do not count.
  const sent = (at: number) => ({ sent_at: new Date(at).toISOString() });
  await world.register(organization, 2, sent(Date.UTC(2025, 5, 30)));
  await world.ingest(organization, provenEvents(2, 40, 40));
  const { organization: other } = await world.addOrganization({ name: "Other" });
  await world.register(other, 4);
  await world.ingest(other, provenEvents(4, 40, 40));
  assert.match(await pageOf(given), few);
  await world.register(organization, 3, sent(Date.UTC(2025, 6, 1)));
  await world.ingest(organization, provenEvents(3, 71, 40));
  assert.match(
    await pageOf(given),
    /Real people we mistook for machines 4 100 4\.0%, at most 9\.8% Machines we mistook for real people 6 69 8\.7%, at most 17\.7%/,
  );
});

test("keeps the errors of a closed campaign, whatever traffic is counted, and loses those of a deleted one", async (t) => {
  const given = await makeWebWorld(t);
  const { world, organization } = given;
  const write = (work: (scope: Scope, current: Organization) => Promise<unknown>) =>
    world.database.transactionOf(organization.id, async (scope) =>
      work(scope, (await findOrganization(scope)) as Organization),
    );
  for (const campaignId of [1, 2]) {
    await world.register(organization, campaignId);
    await world.ingest(organization, provenEvents(campaignId, 50, 50));
  }
  const shown = /Real people we mistook for machines 4 100 .* Machines we mistook for real people 6 100 /;
  assert.match(await pageOf(given), shown);
  await write((scope, current) => closeCampaign(scope, current, 1, present));
  await write((scope) => changeOrganization(scope, { countedTraffic: "all" }, present));
  await write((scope, current) => closeCampaign(scope, current, 2, present));
  assert.match(await pageOf(given), shown);
  await write((scope) => removeCampaign(scope, 1, present));
  assert.match(await pageOf(given), /machines 2 50 .* people 3 50 /);
});

/** Opens of a campaign that is sent on the first of a month, at noon. */
async function openIn(
  { world, organization }: WebWorld,
  month: string,
  { people, bots }: { people: number; bots: number },
): Promise<void> {
  const id = Number(month.replace("-", ""));
  const at = `${month}-01T12:00:00Z`;
  await world.register(organization, id, { sent_at: at });
  await world.ingest(organization, [
    ...manyOf(people, "ann", (name) => [event(id, name, "open", { at })]),
    ...manyOf(bots, "bot", (name) => [event(id, name, "open", { at, user_agent: bot })]),
  ]);
}

test("shows the opens and clicks of the filtered campaigns by reason", async (t) => {
  const given = await makeWebWorld(t);
  for (const month of ["2026-01", "2026-02", "2026-03", "2026-04"])
    await openIn(given, month, { people: 180, bots: 20 });
  await openIn(given, "2026-05", { people: 150, bots: 50 });
  await openIn(given, "2026-06", { people: 10, bots: 0 });
  assertMatches(await pageOf(given, "?period=last-month"), [
    /25\.0% of the 200 opens and clicks were automated/,
    /Human Human No sign of automation\. 150 75\.0% Security gateway Automated .* 50 25\.0%/,
    /From the one campaign that this service counts\./,
  ]);
  assert.match(await pageOf(given), /12\.9% of the 1,010 opens and clicks were automated/);
});
