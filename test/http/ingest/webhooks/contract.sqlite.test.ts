// What holds for the webhooks of every provider.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { type MessageOutcome, reportOf } from "../../../../src/campaign/events/outcomes.ts";
import { parseWebhookBatch } from "../../../../src/counting/events/webhook-batch.ts";
import { AppError } from "../../../../src/errors.ts";
import { isJsonObject, type JsonObject } from "../../../../src/providers/json-object.ts";
import type { Provider } from "../../../../src/providers/provider.ts";
import { providerNames, providers } from "../../../../src/providers/providers.ts";
import { listSources } from "../../../../src/storage/keys/sources.ts";
import { anyText } from "../../../support/any-text.ts";
import { changedDocument } from "../../../support/changed-document.ts";
import { outcomeExamples } from "../../../support/providers/outcome-examples.ts";
import type { SentRequest } from "../../../support/providers/provider-example.ts";
import { providerExamples } from "../../../support/providers/provider-examples.ts";
import { thirdPartyOutcomes } from "../../../support/providers/third-party-outcomes.ts";
import { randomCases } from "../../../support/random-cases.ts";
import { accepted, summarizeQuarantined } from "../../../support/serve-sender.ts";
import { countsOfCampaign, publicUrl, serveSource } from "../../../support/webhooks.ts";
import { run } from "../../../support/world.ts";

const zeros = [0, 0, 0, 0];

for (const name of providerNames) {
  const provider: Provider = providers[name];
  const example = providerExamples[name];
  const { secret, otherSecret, isBatch, open, click, later, eventsOfOpen = 1 } = example;
  const documentOf = (...events: unknown[]) => (isBatch ? events : events[0]);
  const read = (event: JsonObject, field = "campaign_id") => provider.convertEvent(event, field);

  const serve = async (t: TestContext, given: Parameters<typeof serveSource>[2] = { secret }) => {
    const source = await serveSource(t, name, {
      ...(example.fetchUrl && { fetchUrl: example.fetchUrl }),
      ...given,
    });
    const url = publicUrl + source.path;
    const request = ({ body, headers }: SentRequest) => source.deliver(body, headers);
    const send = (document: unknown, key?: string) => request(example.send(document, url, key));
    return { source, url, request, send, counts: () => countsOfCampaign(source) };
  };
  const authenticate = async (
    { body, headers }: { body: string | Uint8Array; headers: Record<string, unknown> },
    withSecret: string | undefined,
  ) =>
    provider.authenticate({
      headers: headers as Record<string, string>,
      body: Buffer.from(body),
      url: publicUrl,
      secret: withSecret,
      fetch: example.fetchUrl ?? (() => Promise.reject(new Error("unexpected request"))),
    });
  const isRefusal = (error: unknown) => error instanceof AppError && error.code === "unauthorized";

  test(`${name}: counts an open and a click once, however often they arrive, and a later open as another`, async (t) => {
    const { send, counts } = await serve(t);
    const sendAll = async (given: { accepted: number; repeated: number }, ...events: JsonObject[]) => {
      const answer = await send(documentOf(...events));
      assert.deepEqual([answer.status, answer.body], [200, { ...accepted(0), ...given }]);
    };
    await sendAll({ accepted: eventsOfOpen, repeated: 0 }, open);
    if (isBatch) await sendAll({ accepted: 1, repeated: 2 }, open, click, open);
    else await sendAll({ accepted: 1, repeated: 0 }, click);
    await sendAll({ accepted: 0, repeated: eventsOfOpen }, open);
    await sendAll({ accepted: 0, repeated: 1 }, click);
    for (const event of example.repeated ?? []) {
      assert.deepEqual((await send(documentOf(event))).body, { ...accepted(0), repeated: 1 });
    }
    assert.deepEqual(await counts(), [1, 0, 1, 0]);
    await send(documentOf(later));
    assert.deepEqual(await counts(), [1, 1, 1, 0]);
  });

  test(`${name}: reads time, link and evidence of an event`, () => {
    assert.partialDeepStrictEqual(read(open)[0], { type: "open", campaign_id: 1, ...example.read.open });
    assert.partialDeepStrictEqual(read(click)[0], { type: "click", campaign_id: 1, ...example.read.click });
  });

  test(`${name}: reads the outcome of a message from examples of its own and of others, and counts each once`, async (t) => {
    const { source, send } = await serve(t);
    const types = new Set<string>();
    for (const [event, outcome] of [...outcomeExamples[name], ...thirdPartyOutcomes[name]]) {
      const [converted, ...others] = read(event);
      assert.deepEqual(others, []);
      const shown = JSON.stringify(event);
      if (outcome === undefined) {
        assert.equal(converted, undefined, shown);
        continue;
      }
      assert.partialDeepStrictEqual(converted, { ...reportOf(outcome), campaign_id: 1 }, shown);
      assert.match(new Date(String(converted?.at)).toISOString(), /^2026-06-15T11:0/);
      types.add(outcome);
      const { status, body } = await send(documentOf(event));
      assert.deepEqual([status, body.quarantined, body.accepted + body.repeated], [200, 0, 1], shown);
      assert.equal((await send(documentOf(event))).body.repeated, 1, shown);
    }
    assert.ok(["delivered", "bounced_hard", "bounced_soft", "suppressed"].every((each) => types.has(each)));
    assert.deepEqual(await countsOfCampaign(source), zeros);
    const [known] = await source.world.read(source.organization, listSources);
    assert.equal(known?.lastEventAt, undefined, "only opens and clicks keep a source alive");
    const reports = [...types].map((each) => reportOf(each as MessageOutcome).type);
    assert.deepEqual(Object.keys(known?.reports ?? {}).sort(), [...new Set(reports)].sort());
  });

  test(`${name}: gives different events different ids`, () => {
    const events = example.distinct ?? [open, click, later];
    assert.equal(new Set(events.map((event) => read(event)[0]?.id)).size, events.length);
  });

  test(`${name}: counts people with their device, and no machines`, async (t) => {
    const { source, send } = await serve(t);
    const expected = { open: 0, click: 0, desktop: 0, mobile: 0 };
    for (const [index, [event, client]] of example.clients.entries()) {
      await send(documentOf(example.address(event, `r-${index}@example.com`)));
      const { type } = read(event)[0] ?? {};
      if (client !== "machine") expected.open += 1;
      if (client !== "machine" && type === "click") expected.click += 1;
      if (type !== "click" && (client === "desktop" || client === "mobile")) expected[client] += 1;
      const devices = expected.desktop + expected.mobile;
      const desktop = devices && Math.round((expected.desktop * 100) / devices);
      assert.deepEqual(
        await source.numbers("unique_opens", "unique_clicks", "desktop_open_rate", "mobile_open_rate"),
        [expected.open, expected.click, desktop, devices && 100 - desktop],
        JSON.stringify([event, client]),
      );
    }
  });

  test(`${name}: reads the campaign from the places of the campaign field`, async (t) => {
    for (const [field, event, campaign] of example.campaigns) {
      assert.deepEqual(read(event, field)[0]?.campaign_id, campaign, JSON.stringify([field, event]));
    }
    const { campaignField, event, external_id } = example.external;
    const { send, counts } = await serve(t, { secret, campaignField, register: { external_id } });
    assert.equal((await send(documentOf(event))).body.quarantined, 0);
    assert.deepEqual(await counts(), [1, 0, 0, 0]);
  });

  test(`${name}: acknowledges and ignores other event types and other mail of the account`, async (t) => {
    const { source, send, counts } = await serve(t);
    for (const document of example.ignored) {
      const answer = await send(document);
      assert.deepEqual([answer.status, answer.body], [200, accepted(0)], JSON.stringify(document));
    }
    assert.deepEqual(await summarizeQuarantined(source), []);
    assert.deepEqual(await counts(), zeros);
  });

  test(`${name}: quarantines unreadable events, and counts the rest of the batch`, async (t) => {
    const { send, counts } = await serve(t);
    for (const document of example.unreadable) {
      const { status, body } = await send(document);
      assert.deepEqual([status, body.quarantined], [200, 1], JSON.stringify(document));
      assert.ok(body.problems[0]?.message.startsWith(`is not a webhook of ${provider.title}`));
    }
    for (const [event, message] of example.invalid) {
      const { status, body } = await send(documentOf(event));
      const [problem] = body.problems;
      assert.deepEqual([status, body.quarantined, problem?.reason], [200, 1, "unreadable"]);
      assert.match(problem?.message ?? "", message);
    }
    assert.deepEqual(await counts(), zeros);
    if (!isBatch) return;
    const batch = example.invalid.map(([event]) => event);
    const { accepted, quarantined, problems } = (await send(documentOf(...batch, 7, open))).body;
    assert.deepEqual([accepted, quarantined], [1, batch.length + 1]);
    assert.match(problems[0]?.message ?? "", /: an event has to be an object$/);
    for (const [index, [, message]] of example.invalid.entries()) {
      assert.match(problems[index + 1]?.message ?? "", message);
    }
    assert.deepEqual(await counts(), [1, 0, 0, 0]);
  });

  test(`${name}: refuses a request that the provider did not send, and counts nothing`, async (t) => {
    const { source, url, request, send, counts } = await serve(t);
    const right = example.send(documentOf(open), url);
    const forged = [example.send(documentOf(open), url, otherSecret), ...example.forgeries(right, url)];
    for (const each of forged) {
      const answer = await request(each);
      assert.deepEqual([answer.status, answer.body.error], [401, "unauthorized"], JSON.stringify(each));
      assert.match(answer.body.error_message, example.refusal);
      assert.ok(name === "ses" || !answer.text.includes(secret));
    }
    assert.deepEqual(await summarizeQuarantined(source), []);
    assert.deepEqual(await counts(), zeros);
    assert.equal((await request(right)).status, 200);
    assert.equal((await send(documentOf(click))).status, 200);
    assert.deepEqual(await counts(), [1, 0, 1, 0]);
  });

  test(`${name}: ${provider.secret.isRequired ? "refuses" : "accepts"} a request to a source without a secret`, async (t) => {
    const { request, url } = await serve(t, {});
    const right = example.send(documentOf(open), url);
    const answer = await request(right);
    if (!provider.secret.isRequired) return assert.deepEqual(answer.body, accepted(eventsOfOpen));
    assert.equal(answer.status, 401);
    assert.match(answer.body.error_message, example.missingSecret ?? /^$/);
    for (const withSecret of [undefined, ""])
      await assert.rejects(authenticate(right, withSecret), isRefusal);
    await assert.rejects(authenticate(example.send(documentOf(open), publicUrl, ""), undefined), isRefusal);
  });

  test(`${name}: checks the format of its secret`, () => {
    const { secretFormat } = example;
    const { format } = provider.secret;
    assert.equal(format === undefined, secretFormat === undefined);
    assert.match(format?.description ?? "", secretFormat?.description ?? /^$/);
    for (const right of secretFormat?.right ?? []) assert.equal(format?.isValid(right), true, right);
    for (const wrong of secretFormat?.wrong ?? []) assert.equal(format?.isValid(wrong), false, wrong);
  });

  test(`${name}: answers 200 to HEAD, 413 to a body that is too large and 415 to gzip`, async (t) => {
    const { source, send } = await serve(t);
    assert.equal((await source.service.get(source.path, { method: "HEAD" })).status, 200);
    assert.equal((await source.deliver(`"${"x".repeat(provider.maxBodyBytes)}"`)).status, 413);
    const packed = gzipSync(JSON.stringify(documentOf(open)));
    assert.equal((await source.deliver(packed, { "content-encoding": "gzip" })).status, 415);
    assert.deepEqual(await summarizeQuarantined(source), []);
    assert.equal((await send(documentOf(open))).status, 200);
  });

  test(`${name}: refuses any other body, header or secret with unauthorized, never with another error`, async () => {
    const names = [
      "authorization",
      "x-other",
      ...Object.keys(example.send(documentOf(open), publicUrl).headers),
    ];
    const header = fc.oneof(
      anyText(),
      fc.array(fc.string()),
      fc.base64String(),
      fc.constantFrom("v1,", "1e9", "MAYCAQACAQA=", "Bearer ", "Basic Og=="),
    );
    const bodies = fc.oneof(
      fc.uint8Array(),
      fc.json().map((text) => Buffer.from(text)),
      ...(example.bodies ? [example.bodies.map((text) => Buffer.from(text))] : []),
    );
    const secrets = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constant(secret),
      fc.string().map((text) => `whsec_${text}`),
    );
    const property = fc.asyncProperty(
      bodies,
      fc.dictionary(fc.constantFrom(...names), header),
      secrets,
      async (body, headers, withSecret) => {
        await assert.rejects(authenticate({ body, headers }, withSecret), isRefusal);
      },
    );
    await fc.assert(property, { numRuns: randomCases(100) });
  });

  test(`${name}: converts any document without throwing`, async () => {
    const documents = fc.oneof(
      fc.jsonValue(),
      ...[open, click].map((event) => changedDocument(documentOf(event), example.oddities ?? [])),
    );
    const fields = [
      "campaign_id",
      "__proto__",
      "constructor",
      "",
      ...example.campaigns.map(([field]) => field),
    ];
    await fc.assert(
      fc.asyncProperty(
        documents,
        fc.constantFrom(...fields),
        fc.uint8Array(),
        async (document, field, bytes) => {
          for (const event of (provider.listEvents(document) ?? []).filter(isJsonObject)) {
            assert.ok(read(event, field).length <= eventsOfOpen);
          }
          const request = example.send(document, publicUrl);
          await authenticate(request, secret).catch((error) => assert.ok(isRefusal(error)));
          const task = { name: "ingest_webhook", provider: name, campaignField: field } as const;
          const most = Array.isArray(document) ? Math.max(document.length, 1) : 1;
          assert.ok(parseWebhookBatch(Buffer.from(request.body), task).events.length <= most * eventsOfOpen);
          assert.ok(parseWebhookBatch(bytes, task).events.length <= 1);
        },
      ),
      { numRuns: randomCases(200) },
    );
  });

  test(`${name}: counts what it accepts of randomly changed requests, and never fails`, async (t) => {
    const { source, send } = await serve(t);
    const { world, organization } = source;
    let total = 0;
    const documents = fc.oneof(
      ...[open, click].map((event) =>
        fc
          .tuple(fc.nat(), fc.boolean(), changedDocument(documentOf(event), example.oddities ?? []))
          .map(([number, isChanged, changed]) =>
            isChanged ? changed : documentOf(example.address(event, `r-${number}@example.com`)),
          ),
      ),
    );
    await fc.assert(
      fc.asyncProperty(documents, async (document) => {
        const { status, body } = await send(document);
        assert.ok(status === 200 || status === 401, `${status}: ${JSON.stringify(body)}`);
        if (status === 200) total += body.accepted;
      }),
      { numRuns: randomCases(30) },
    );
    const counted = await world.database.snapshot((queries) =>
      queries
        .selectFrom("event_ids")
        .select(({ fn }) => fn.countAll<number>().as("events"))
        .where("organization_id", "=", organization.id)
        .executeTakeFirst(),
    );
    assert.ok(total > 0);
    assert.equal(Number(counted?.events), total);
    const recounted = await run(world.databaseUrl, `recount --organization ${organization.id}`);
    assert.equal(recounted.exitCode, 0, recounted.stdout + recounted.stderr);
  });
}
