// A download whose database connection is lost: its client sees an error, and the next download is whole.

import assert from "node:assert/strict";
import test from "node:test";
import { sql } from "kysely";
import { downloadRecords, failureOf, longCampaigns, stalledDownload } from "../../support/downloads.ts";
import { notOnCitus } from "../../support/not-on-citus.ts";
import { pick } from "../../support/pick.ts";
import { makeAcme, serve } from "../../support/world.ts";

test(
  "resets the connection of a download whose database connection is lost, and serves the next one",
  notOnCitus("ends connections of the coordinator only"),
  async (t) => {
    const { world, organization, key } = await makeAcme(t);
    await world.save(organization, longCampaigns(500));
    const service = await serve(t, world, {
      downloads: { databaseUrl: world.databaseUrl, maxDownloads: 1, maxSeconds: 60 },
    });
    const response = await stalledDownload(`${service.url}/data_api/v1/emails.ndjson`, key);
    const failure = failureOf(response);
    const { rows } = await world.database.query((queries) =>
      sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and application_name = 'email-analytics'
          and xact_start is not null and pid <> pg_backend_pid()`.execute(queries),
    );
    assert.equal(rows.length, 1);
    response.resume();
    assert.equal((await failure).code, "ECONNRESET");
    const records = await downloadRecords({ url: service.url, key }, "ndjson");
    const expected = Array.from({ length: 500 }, (_, index) => 500 - index);
    assert.deepEqual(pick(records, "id"), expected);
  },
);
