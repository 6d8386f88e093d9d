// OData requests that are refused: by status, with the option, its value and what is accepted.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { crc32 } from "node:zlib";
import { orderOf } from "../../../src/listing/feed/table-query.ts";
import { askOData } from "../../support/odata.ts";
import { campaign, makeWorld, serve } from "../../support/world.ts";

const world = await makeWorld({ after });
const publicUrl = "https://example.com/below/a/path";
const service = await serve({ after }, world, { publicUrl: () => publicUrl });
const { organization, key } = await world.addOrganization();
await world.save(organization, [campaign({ id: 1 }), campaign({ id: 2 })]);
const source = { url: service.url, key };

const deep = `${"(".repeat(21)}id eq 1${")".repeat(21)}`;
const long = Array.from({ length: 201 }, (_, id) => `id eq ${id}`).join(" or ");

const refusals: Record<400 | 404 | 405 | 501, readonly (readonly [path: string, message: RegExp])[]> = {
  400: [
    ["/emails?$top=-1", /^\$top: "-1" is not a whole number from 0 on in plain digits\.$/],
    ["/emails?$top=1.5", /^\$top: "1.5"/],
    ["/emails?$top=9007199254740992", /^\$top: /],
    ["/emails?$skip=x", /^\$skip: "x"/],
    ["/emails?$count=yes", /^\$count: "yes" is neither true nor false\.$/],
    ["/emails?$top=1&$top=2", /^\$top is given more than once/],
    ["/emails?top=1", /^"top" is not an option; use \$top\.$/],
    ["/emails?$Filter=id eq 1", /^"\$Filter" is not an option; use \$filter\.$/],
    ["/emails?$select=nope", /^\$select: "nope" is no field; use id, subject, /],
    ["/emails?$select=", /^\$select: "" is no field/],
    ["/emails?$orderby=", /^\$orderby: "" is not a field/],
    ["/emails?$orderby=id up", /^\$orderby: "id up" is not a field, with or without asc or desc\.$/],
    ["/emails?$orderby=id,id desc", /^\$orderby: .* has a field twice/],
    ["/emails?$orderby=__proto__", /^\$orderby: "__proto__" is no field/],
    [
      "/emails?$skiptoken=x",
      /^\$skiptoken: it belongs to no page of this request; follow @odata.nextLink unchanged\.$/,
    ],
    ["/emails?$skiptoken=x&$top=1", /^\$top and \$skiptoken are both given/],
    [
      "/emails/$count?$top=1",
      /^\$top does not apply to \/odata\/v1\/emails\/\$count, which takes \$filter\.$/,
    ],
    ["/emails(1)?$filter=id eq 1", /^\$filter does not apply/],
    ["/emails(x)", /^emails\(x\): "x" is not a whole number, as in emails\(7\)\.$/],
    ["/?$top=1", /^\$top does not apply to \/odata\/v1\/, which takes no options\.$/],
    ["/emails?$filter=", /^\$filter: it ends where a field, a value or a function is expected\.$/],
    [
      "/emails?$filter=id",
      /^\$filter: the filter has to be a condition such as unique_opens gt 100, not a number\.$/,
    ],
    ["/emails?$filter=id eq", /^\$filter: /],
    ["/emails?$filter=id eq 1 and", /^\$filter: /],
    ["/emails?$filter=id eq 'x'", /^\$filter: eq cannot compare a number with a text\.$/],
    [
      "/emails?$filter=sent_at ge 2026-01-01",
      /^\$filter: ge cannot compare an instant such as 2024-01-31T00:00:00Z with a date such as 2024-01-31\.$/,
    ],
    [
      "/emails?$filter=sent_at ge 2026-01-01T00:00:00",
      /has no offset; end it with Z or with one such as \+01:00\.$/,
    ],
    ["/emails?$filter=sent_at ge 2026-02-30T00:00:00Z", /is no instant of the calendar/],
    ["/emails?$filter=sent_on ge 2026-02-30", /is no date of the calendar/],
    ["/emails?$filter=subject eq 'x", /begins no name, value or operator; end the text with '/],
    ["/emails?$filter=(id eq 1", /^\$filter: it ends where "\)" is expected\.$/],
    ["/emails?$filter=id eq 1) ", /^\$filter: "\)" is where an operator, and, or, or the end is expected\.$/],
    ["/emails?$filter=nope eq 1", /^\$filter: "nope" is no field; use id, subject, /],
    ["/emails?$filter=constructor eq 1", /^\$filter: "constructor" is no field/],
    ["/emails?$filter=contains(subject)", /^\$filter: contains\(\) takes a text and a text\.$/],
    ["/emails?$filter=year(subject) eq 1", /^\$filter: year\(\) takes an instant .* or a date/],
    ["/emails?$filter=not id eq 1", /use not \(…\) has to be a condition/],
    [
      "/emails?$filter=tags/any(t:t/nope eq 'x')",
      /^\$filter: "t\/nope" is no field; use t\/name, t\/color\.$/,
    ],
    ["/emails?$filter=tags/any(t:name eq 'x')", /^\$filter: "name" is no field; use t\/name, t\/color\.$/],
    [`/emails?$filter=${deep}`, /^\$filter: it is nested deeper than 20 levels\.$/],
    [`/emails?$filter=${long}`, /^\$filter: it has more than 200 comparisons, values and functions\.$/],
    [
      `/emails?$filter=subject eq '${"x".repeat(4_096)}'`,
      /^\$filter: it has 4109 characters; the maximum is 4096\.$/,
    ],
  ],
  404: [
    [
      "/nope",
      /^"nope" is no table; use emails, tags, email_tags, email_links, email_hours, email_groups, or \$metadata\.$/,
    ],
    ["/emails(3)", /^No row of emails has this key\.$/],
    ["/Emails", /^"Emails" is no table/],
    ["/a/b/c", /^No resource exists at this URL\.$/],
  ],
  405: [["/emails", /^POST is not allowed here; use GET or HEAD\.$/]],
  501: [
    ...["$expand", "$search", "$apply", "$compute", "$levels", "$deltatoken", "$schemaversion", "@p"].map(
      (name) =>
        [`/emails?${name}=x`, new RegExp(`^"${name.replace("$", "\\$")}" is not supported\\. `)] as const,
    ),
    ...["$batch", "$all", "$crossjoin(emails,tags)", "$entity"].map(
      (path) => [`/${path}`, /is not supported: this part of OData\.$/] as const,
    ),
    [
      "/emails/subject",
      /^"subject" is not supported: the path after a table; use \$count, or a key such as emails\(7\)\.$/,
    ],
    ["/emails(1)/subject", /^"subject" is not supported: a part of a row; use \$select\.$/],
    ["/email_tags(email_id=1,tag_id=1)", /is not supported: a row by its key; use \$filter\.$/],
    ["/emails?$select=tags/name", /^\$select: "tags\/name" is not supported; select whole fields\.$/],
    [
      "/emails?$orderby=open_rate,tags",
      /^\$orderby: "open_rate,tags" is not supported; emails can be sorted by every field but tags, each asc or desc\.$/,
    ],
    [
      "/email_tags?$orderby=tag_id",
      /^\$orderby: "tag_id" is not supported; email_tags can be sorted by email_id,tag_id\.$/,
    ],
    [
      "/emails?$orderby=length(subject)",
      /^\$orderby: "length\(subject\)" is not supported; sort by fields\.$/,
    ],
    ...[
      ...["length(subject) eq 1", "subject has 'x'", "id add 1 eq 2", "tags/all(t:t/name eq 'x')"],
      ...["now() gt sent_at", "id eq @p", "tags/$count eq 1", "$it/id eq 1", "tags eq null"],
    ].map(
      (filter) =>
        [`/emails?$filter=${filter}`, /^\$filter: ".*" is not supported\. Supported are eq, ne, /] as const,
    ),
  ],
};

for (const [status, requests] of Object.entries(refusals)) {
  test(`refuses OData requests with ${status} that names the problem`, async () => {
    for (const [path, message] of requests) {
      const answer = await askOData(source, path.replaceAll("+", "%2B"), status === "405" ? "POST" : "GET");
      assert.equal(answer.status, Number(status), `${path}: ${answer.text}`);
      assert.deepEqual(Object.keys(answer.body), ["error"]);
      assert.match(answer.body.error.message, message, path);
    }
  });
}

test("refuses OData clients of older versions and other formats", async () => {
  const ask = (headers: Record<string, string>, path = "/emails") => askOData({ ...source, headers }, path);
  for (const version of ["3.0", "x", ""]) {
    const { status, body } = await ask({ "odata-maxversion": version });
    assert.equal(status, 400);
    assert.match(body.error.message, /^OData-MaxVersion: ".*" is not supported; this service speaks 4\.0\.$/);
  }
  for (const version of ["4.0", "4.01"])
    assert.equal((await ask({ "odata-maxversion": version })).status, 200);
  for (const accept of ["text/html", "application/atom+xml", "application/json;q=0", "text/plain"]) {
    const { status, body } = await ask({ accept });
    assert.equal(status, 406, accept);
    assert.match(body.error.message, /^Accept: ".*" allows no application\/json, the only format here\.$/);
  }
  for (const accept of ["*/*", "application/*;q=0.1", "text/html, application/json;odata.metadata=full"]) {
    assert.equal((await ask({ accept })).status, 200, accept);
  }
  for (const [format, status] of [
    ["json", 200],
    ["application/json;odata.metadata=minimal", 200],
    ["xml", 406],
    ["atom", 406],
  ] as const) {
    assert.equal((await ask({}, `/emails?$format=${format}`)).status, status, format);
  }
  for (const [format, status] of [
    ["xml", 200],
    ["application/xml", 200],
    ["json", 406],
    ["application/json", 406],
  ] as const) {
    assert.equal((await ask({}, `/$metadata?$format=${format}`)).status, status, format);
  }
  for (const prefer of ["odata.maxpagesize=0", "odata.maxpagesize=x", "odata.track-changes", ""]) {
    assert.equal((await ask({ prefer })).headers.get("preference-applied"), null);
  }
});

test("makes context and links under the path of PUBLIC_URL", async () => {
  const { body } = await askOData(
    { ...source, headers: { prefer: "odata.maxpagesize=1" } },
    "/emails?$select=id",
  );
  assert.equal(body["@odata.context"], `${publicUrl}/odata/v1/$metadata#emails(id)`);
  assert.ok(body["@odata.nextLink"]?.startsWith(`${publicUrl}/odata/v1/emails?$select=id&$skiptoken=`));
});

test("refuses the token of another order or table, and one that a client made", async () => {
  const { body } = await askOData({ ...source, headers: { prefer: "maxpagesize=1" } }, "/emails");
  const token = body["@odata.nextLink"]?.split("$skiptoken=")[1];
  for (const path of ["/tags?", "/emails?$orderby=id&"]) {
    const answer = await askOData(source, `${path}$skiptoken=${token}`);
    assert.match(answer.body.error.message, /^\$skiptoken: /);
  }
  const made = Buffer.from(JSON.stringify([1, "x", "x"])).toString("base64url");
  // A sum that every client can compute.
  const sum = crc32(`${JSON.stringify(["emails", orderOf({ table: "emails", order: [] })])} ${made}`);
  const answer = await askOData(source, `/emails?$skiptoken=${made}.${sum.toString(36)}`);
  assert.equal(answer.body.error?.code, "bad_request");
});
