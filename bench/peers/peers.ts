// Measures pages of 100 campaigns beside programs that people use or would write themselves: hand-written Fastify,
// Platformatic DB and Directus, on the same campaigns, in the same run.

import { deepStrictEqual } from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startPostgres } from "../../test/support/postgres-server.ts";
import type { RunningService } from "../../test/support/service-process.ts";
import { withTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { type Findings, printFindings, ratioOf } from "../read/findings.ts";
import { type Effort, measureInterleaved, type Subject } from "../read/measure-interleaved.ts";
import { pageUrl, perPage, randomPageUrls } from "../read/page-urls.ts";
import { Servers } from "../read/servers.ts";
import { makeWorld, vacuumAnalyze, type World } from "../read/world.ts";
import { buildPackage } from "../support/build-package.ts";
import { campaignsIn } from "../support/connection.ts";
import { startServer } from "../support/programs.ts";
import { directusToken, startDirectus } from "./directus.ts";
import { installPeer } from "./install-peer.ts";
import { fillPlainTables } from "./plain-tables.ts";

const versions = { platformatic: "3.67.0", directus: "11.17.4" };
const checkedPages = 10;

interface Peer {
  name: string;
  server: RunningService;
  key: string;
  /** The path of a page, from 1. */
  path(page: number): string;
  /** The keys that lead to the campaigns in a response. */
  list: readonly string[];
  /** The names of the tags of a campaign; undefined if a page has none. */
  tagsOf?(campaign: never): string[];
}

interface Named {
  name: string;
}

export async function benchPeers(records: number, effort: Effort): Promise<void> {
  const installed = {
    platformatic: installPeer("@platformatic/db", versions.platformatic, { "better-sqlite3": "13.2.0" }),
    directus: installPeer("directus", versions.directus, { "isolated-vm": "7.0.1" }),
  };
  const findings: Findings = { ratios: [], figures: [] };
  await withTemporaryFolder(async (folder) => {
    const program = await buildPackage(join(folder, "installed"));
    const plain = (peer: string) => `sqlite:${join(folder, `${peer}.db`)}`;
    const world = await makeWorld(`sqlite:${join(folder, "peers.db")}`, program, records);
    await measureDatabase("SQLite", world, { folder, plain, installed }, findings, effort);
    const server = await startPostgres();
    try {
      for (const name of ["peers", "platformatic", "directus"]) await server.query(`create database ${name}`);
      const world = await makeWorld(server.url("peers"), program, records);
      await vacuumAnalyze(world.databaseUrl);
      await measureDatabase("PostgreSQL", world, { folder, plain: server.url, installed }, findings, effort);
    } finally {
      await server.remove();
    }
  });
  printFindings(findings);
}

interface Places {
  folder: string;
  /** The URL of the database of a peer, with plain tables. */
  plain(peer: string): string;
  /** Where each peer is installed. */
  installed: { platformatic: string; directus: string };
}

function measureDatabase(
  database: string,
  world: World,
  places: Places,
  findings: Findings,
  effort: Effort,
): Promise<void> {
  return Servers.during(async (servers) => {
    const ours = await servers.service(world);
    const peers = await startPeers(servers, database, world, places);
    const pages = randomPageUrls(world).map((url) => Number(/[?&]page=(\d+)/.exec(url)?.[1]));
    const service = { key: world.keys.read, path: pageUrl, list: ["emails"], tagsOf: namesOf };
    for (const peer of peers) {
      for (const page of [1, ...pages.slice(0, checkedPages)]) {
        await checkSameCampaigns({ ...service, name: "service", server: ours }, peer, page);
      }
    }
    const subjectOf = (peer: Peer, kind: string, some: number[]): Subject => ({
      name: `${database}, ${kind}: ${peer.name}`,
      ...{ server: peer.server, key: peer.key, list: peer.list, paths: some.map((page) => peer.path(page)) },
    });
    for (const [kind, some, server] of [
      ["the same page of 100", [1], ours],
      ["random pages of 100", pages, ours],
    ] as const) {
      const all = [{ ...service, name: "service", server }, ...peers];
      const subjects = all.map((peer) => [peer.name, subjectOf(peer, kind, [...some])] as const);
      const by = await measureInterleaved(Object.fromEntries(subjects), effort);
      const [first, ...others] = Object.entries(by);
      if (!first) continue;
      for (const [name, measured] of others) {
        findings.ratios.push(ratioOf(`${database}, ${kind} vs. ${name}`, first[1], measured));
      }
      findings.figures.push(...Object.values(by));
    }
  });
}

async function startPeers(servers: Servers, database: string, world: World, places: Places): Promise<Peer[]> {
  const { folder, plain, installed } = places;
  for (const peer of ["platformatic", "directus"]) await fillPlainTables(plain(peer), world.campaigns);
  const own = (peer: string) => {
    const path = join(folder, `${peer}-${database}`);
    mkdirSync(path);
    return path;
  };
  const script = join(import.meta.dirname, "platformatic.ts");
  const argv = [installed.platformatic, own("platformatic"), plain("platformatic")];
  const platformatic = await servers.add(startServer(script, argv, { cpu: "server" }));
  const directus = await servers.add(startDirectus(installed.directus, own("directus"), plain("directus")));
  const offset = (page: number) => `limit=${perPage}&offset=${(page - 1) * perPage}`;
  return [
    {
      name: "hand-written Fastify",
      ...{ server: await servers.baseline(world), key: world.keys.read, path: pageUrl, list: ["emails"] },
      tagsOf: namesOf,
    },
    {
      name: "Platformatic DB, REST without tags",
      ...{ server: platformatic, key: "none", list: [] },
      path: (page) => `/campaigns/?${offset(page)}&orderby.sentAt=desc&orderby.id=desc&totalCount=true`,
    },
    {
      name: "Platformatic DB, GraphQL without total",
      ...{ server: platformatic, key: "none", list: ["data", "campaigns"] },
      path: (page) => `/graphql?query=${encodeURIComponent(graphQl((page - 1) * perPage))}`,
      tagsOf: ({ campaignTags }: { campaignTags: { tag: Named }[] }) =>
        campaignTags.map(({ tag }) => tag.name),
    },
    {
      name: "Directus",
      ...{ server: directus, key: directusToken, list: ["data"] },
      path: (page) =>
        `/items/campaigns?${offset(page)}&sort=-sent_at,-id&meta=total_count&fields=*,tags.tag_id.name,tags.tag_id.color`,
      tagsOf: ({ tags }: { tags: { tag_id: Named }[] }) => tags.map(({ tag_id }) => tag_id.name),
    },
  ];
}

const namesOf = ({ tags }: { tags: Named[] }) => tags.map(({ name }) => name);

/** All fields of a record. */
function graphQl(offset: number): string {
  const fields = `id subject sentAt sentFrom organizationTeam sendingType trackingType openRate clickRate uniqueOpens
    multipleOpens unopened totalOpens uniqueClicks multipleClicks totalClicks clickPerUniqueOpenRate desktopOpenRate
    mobileOpenRate recipientCount recipients readTimeGlanced readTimeSkimmed readTimeRead surveysCount
    enpsScoreAverage enpsReactionsCount enpsCommentsCount surveyReactionsCount surveyReactionsCommentsCount
    campaignTags { tag { name color } }`;
  const order = "[{ field: sentAt, direction: DESC }, { field: id, direction: DESC }]";
  return `{ campaigns(limit: ${perPage}, offset: ${offset}, orderBy: ${order}) { ${fields} } }`.replaceAll(
    /\s+/g,
    " ",
  );
}

/** @throws AssertionError if the page has other campaigns, another order, or other tags */
async function checkSameCampaigns(service: Peer, peer: Peer, page: number): Promise<void> {
  const [expected, found] = [await campaignsOf(service, page), await campaignsOf(peer, page)];
  const ids = (campaigns: { id: number }[]) => campaigns.map(({ id }) => Number(id));
  deepStrictEqual(ids(found), ids(expected), `${peer.name}, page ${page}`);
  const { tagsOf } = peer;
  if (!tagsOf) return;
  const tags = (campaigns: { id: number }[], names: (campaign: never) => string[]) =>
    campaigns.map((campaign) => names(campaign as never).sort());
  deepStrictEqual(tags(found, tagsOf), tags(expected, namesOf), `${peer.name}, tags of page ${page}`);
}

async function campaignsOf({ server, key, path, list }: Peer, page: number): Promise<{ id: number }[]> {
  const response = await fetch(server.url + path(page), { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path(page)}: ${response.status} ${text.slice(0, 1_000)}`);
  return campaignsIn(text, list) ?? [];
}
