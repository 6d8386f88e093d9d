// The hand-written baseline: Fastify that streams the rows of plain tables, as CSV through csv-stringify, or as NDJSON. It
// sends the same fields, but checks no key and no revision, and looks up the tags of each campaign.

import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";
import Sqlite from "better-sqlite3";
import Fastify from "fastify";

interface Row extends Record<string, unknown> {
  id: number;
  sent_at: string;
}

const [installed = "", file = ""] = process.argv.slice(2);
const { stringify } = createRequire(join(installed, "package.json"))("csv-stringify");
const open = () => new Sqlite(file, { readonly: true });
const campaigns = open().prepare<[], Row>("select * from campaigns order by sent_at desc, id desc");
// On another connection: this one is busy while its rows are iterated.
const tagsOf = open().prepare<[number], { name: string; color: string }>(
  `select tags.name, tags.color from campaign_tags join tags on tags.id = campaign_tags.tag_id
   where campaign_tags.campaign_id = ? order by tags.name`,
);
function* records() {
  for (const row of campaigns.iterate()) {
    const { sent_at, ...fields } = row;
    const at = new Date(sent_at);
    const tags = tagsOf.all(row.id);
    const iso = at.toISOString();
    yield {
      ...fields,
      sent_at: iso,
      tags,
      sent_on: iso.slice(0, 10),
      sent_hour: at.getUTCHours(),
      tag_names: tags.map(({ name }) => name).join("; "),
      kind: "reported",
      closed_at: null,
      updated_at: iso,
    };
  }
}

const app = Fastify();
app.get("/emails.ndjson", (_request, reply) => {
  const lines = function* () {
    for (const record of records()) yield `${JSON.stringify(record)}\n`;
  };
  return reply.type("application/x-ndjson").send(Readable.from(lines()));
});
app.get("/emails.csv", (_request, reply) => {
  const rows = function* () {
    for (const { tags, ...record } of records()) {
      yield { ...record, tags: tags.map(({ name, color }) => `${name} ${color}`).join(";") };
    }
  };
  return reply.type("text/csv").send(Readable.from(rows()).pipe(stringify({ header: true })));
});
console.log(JSON.stringify({ url: await app.listen({ host: "127.0.0.1", port: 0 }) }));
