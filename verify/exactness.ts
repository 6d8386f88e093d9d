// Every number of every record against a plain oracle: very many events, each sent once or many times, in any order,
// over several connections at once.

import assert from "node:assert/strict";
import { join } from "node:path";
import { Random } from "../test/histories.ts";
import { expectedMetrics, type SentEvent } from "../test/oracle.ts";
import { run } from "../test/world.ts";
import { madeUpCampaign, madeUpEvents } from "./made-up-events.ts";
import {
  makeOrganization,
  readRecords,
  registerCampaigns,
  sendEvents,
  startService,
  stopService,
} from "./service.ts";

export interface ExactnessOptions {
  folder: string;
  events: number;
  campaigns: number;
  connections: number;
  say: (line: string) => void;
}

const batch = 500;
const timesSentMax = 46;

/** @throws AssertionError naming the campaign whose record differs */
export async function verifyExactness(options: ExactnessOptions): Promise<void> {
  const { folder, campaigns, connections, say } = options;
  const databaseUrl = `sqlite:${join(folder, "exactness.db")}`;
  const keys = await makeOrganization(databaseUrl);
  const service = await startService(databaseUrl);
  try {
    await registerCampaigns(service.url, keys.ingest, campaigns);
    const events = [...madeUpEvents(options.events, campaigns)];
    const sendings = madeUpSendings(events.length);
    const started = performance.now();
    let next = 0;
    const answered = { accepted: 0, repeated: 0, set_aside: 0 };
    const connection = async () => {
      for (;;) {
        const start = next;
        next += batch;
        if (start >= sendings.length) return;
        const some = Array.from(sendings.subarray(start, start + batch), (index) => events[index]);
        const { accepted, repeated, set_aside } = await sendEvents(service.url, keys.ingest, some);
        answered.accepted += accepted;
        answered.repeated += repeated;
        answered.set_aside += set_aside;
      }
    };
    await Promise.all(Array.from({ length: connections }, connection));
    const seconds = (performance.now() - started) / 1000;
    say(
      `${events.length} events, sent ${sendings.length} times over ${connections} connections in ${seconds.toFixed(1)} s: ${JSON.stringify(answered)}`,
    );
    assert.deepEqual(answered, {
      accepted: events.length,
      repeated: sendings.length - events.length,
      set_aside: 0,
    });
    const ofCampaigns = Map.groupBy(events, ({ campaign_id }) => campaign_id as number);
    for (const counts of ["people", "all"] as const) {
      await run(databaseUrl, ["organization", "change", "--organization", "1", "--count", counts]);
      const records = await readRecords(service.url, keys.read);
      assert.equal(records.size, campaigns);
      let fields = 0;
      for (const [id, record] of records) {
        const expected = expectedRecord(id, ofCampaigns.get(id) ?? [], counts);
        assert.deepEqual(record, { ...record, ...expected }, `campaign ${id}, counting ${counts}`);
        fields += Object.keys(expected).length;
      }
      say(`counting ${counts}: ${fields} fields of ${records.size} records equal the oracle's`);
    }
    const recounted = await run(databaseUrl, ["recount"]);
    assert.equal(recounted.exitCode, 0, recounted.stderr);
    say(recounted.stderr.trim());
  } finally {
    await stopService(service);
  }
}

/** The places of events in the order of their sending: most once or twice, some up to 46 times. */
function madeUpSendings(events: number): Uint32Array {
  const random = new Random(events);
  const places: number[] = [];
  for (let place = 0; place < events; place++) {
    const times = random.chance(70)
      ? 1
      : random.chance(80)
        ? random.from(2, 5)
        : random.from(6, timesSentMax);
    for (let time = 0; time < times; time++) places.push(place);
  }
  const sendings = Uint32Array.from(places);
  for (let last = sendings.length - 1; last > 0; last--) {
    const other = random.from(0, last);
    const swapped = sendings[last] ?? 0;
    sendings[last] = sendings[other] ?? 0;
    sendings[other] = swapped;
  }
  return sendings;
}

/** Every field but the tags' colours, which the service chooses. */
function expectedRecord(id: number, events: SentEvent[], counts: "people" | "all"): Record<string, unknown> {
  const campaign = madeUpCampaign(id);
  const arrivals = events.map((event) => ({ event, now: Number.POSITIVE_INFINITY }));
  return {
    id,
    subject: campaign.subject,
    sent_at: "Jan 5, 2026 9:00 AM",
    sent_from: campaign.sent_from,
    organization_team: campaign.team,
    sending_type: campaign.sending_type,
    tracking_type: campaign.tracking_type,
    recipient_count: campaign.recipient_count,
    recipients: "Headquarters, Sales",
    surveys_count: campaign.surveys_count,
    ...expectedMetrics(campaign, arrivals, counts),
  };
}
