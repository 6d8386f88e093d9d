// The check that every statement concerns one organization.

import assert from "node:assert/strict";
import test from "node:test";
import { crossOrganization, problemOf } from "./one-organization.ts";

test("a statement that names the organization of each table passes the check", () => {
  for (const statement of [
    'select * from "organizations" where "id" = $1 for no key update',
    'select "id" from "tags" where "organization_id" = $1',
    `select recipients.name from unnest($1::bigint[]) as given ("ledger_id") cross join recipients
     where recipients.organization_id = $2 and recipients.ledger_id = given.ledger_id`,
    'insert into "sources" ("organization_id", "id") values ($1, $2)',
    "insert into event_ids (organization_id, ledger_id, id) select $1, given.ledger_id, given.id from given",
    `select "tags"."id" from "campaign_tags" inner join "tags" on "tags"."organization_id" =
     "campaign_tags"."organization_id" where "campaign_tags"."organization_id" = $1`,
    'insert into "organizations" ("id", "name") values ($1, $2)',
    'select "organization_id" from "user_emails" where "email" = $1',
    `insert into changes (organization_id, campaign_id, revision) select organizations.id, $1, coalesce((
       select revision from changes where changes.organization_id = $2 and campaign_id = $1), 0)
     from organizations where organizations.id = $2`,
    "begin isolation level read committed read write; set local lock_timeout = 1",
  ]) {
    assert.equal(problemOf(statement), undefined, statement);
  }
});

test("a statement that misses the organization of one table fails the check", () => {
  for (const statement of [
    'select "id" from "tags" where "id" = $1',
    'delete from "ledgers" where "id" in (select "ledger_id" from "campaigns" where "organization_id" = $1)',
    'select "organization_id" from "api_keys" where "hash" = $1',
    'update "campaigns" set "record" = $1',
    'select * from "organizations"',
    'update "organizations" set "name" = $1',
    'select * from "somewhere"',
    `insert into changes (organization_id, campaign_id, revision) select organizations.id, $1, coalesce((
       select revision from changes where changes.organization_id = organizations.id and campaign_id = $1), 0)
     from organizations where organizations.id = $2`,
  ]) {
    assert.notEqual(problemOf(statement), undefined, statement);
  }
});

test("every exception from the check has a reason", () => {
  for (const { shape, why } of crossOrganization)
    assert.ok(shape.source.startsWith("^") && why.length > 20, shape.source);
});
