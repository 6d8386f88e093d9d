// Connections that send campaigns and events: keep-alive, pipelining, timeouts and disconnects.

import assert from "node:assert/strict";
import { once } from "node:events";
import type { Socket } from "node:net";
import test from "node:test";
import { type RawConnection, rawConnection, rawRequest } from "../../support/raw-request.ts";
import { campaignsPath, event, eventsPath, serveSender } from "../../support/serve-sender.ts";
import { countedCampaign } from "../../support/world.ts";

interface Parts {
  method: string;
  path: string;
  key: string;
  body?: string;
  headers?: string[];
}

function request({ method, path, key, body = "", headers = [] }: Parts): string {
  const head = [
    `${method} ${path} HTTP/1.1`,
    "Host: x",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    ...(headers.includes("Transfer-Encoding: chunked") ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...headers,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

/** Sends one request on an open connection and waits for the complete response. */
async function ask({ socket, received }: RawConnection, text: string): Promise<string> {
  const seen = received().length;
  socket.write(text);
  for (;;) {
    const answer = received().slice(seen);
    const [head, body = ""] = answer.split("\r\n\r\n");
    const length = /content-length: (\d+)/i.exec(head ?? "")?.[1];
    if (answer.includes("\r\n\r\n") && body.length >= Number(length ?? 0)) return answer;
    await once(socket, "data");
  }
}

const sent = (key: string, headers: string[] = [], events = [event()]) =>
  request({ method: "POST", path: eventsPath, key, body: JSON.stringify({ events }), headers });

test("keeps the connection open after any response once the whole body was read", async (t) => {
  const { service, ingestKey: key } = await serveSender(t);
  const connection = rawConnection(service.port);
  const put = { method: "PUT", path: `${campaignsPath}/1`, key, body: JSON.stringify(countedCampaign(1)) };
  const chunked = `${JSON.stringify({ events: [event()] })}`;
  const requests: [text: string, status: number][] = [
    [request(put), 201],
    [sent(key), 200],
    [request({ method: "POST", path: eventsPath, key, body: "{" }), 400],
    [request({ ...put, body: "{}" }), 400],
    [sent(key, ["Content-Encoding: br"]), 415],
    [
      request({
        method: "POST",
        path: eventsPath,
        key,
        body: `${chunked.length.toString(16)}\r\n${chunked}\r\n0\r\n\r\n`,
        headers: ["Transfer-Encoding: chunked"],
      }),
      200,
    ],
    [request({ method: "DELETE", path: `${campaignsPath}/1`, key }), 204],
    [request({ method: "DELETE", path: `${campaignsPath}/1`, key }), 404],
  ];
  for (const [text, status] of requests) {
    const answer = await ask(connection, text);
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), text);
    assert.doesNotMatch(answer, /connection: close/i);
  }
  connection.socket.destroy();
});

test("processes pipelined campaigns and events in order, each with its own response", async (t) => {
  const { service, ingestKey: key, numbers } = await serveSender(t);
  const [first, second] = [event(), event()];
  const answers = await rawRequest(
    service.port,
    [
      sent(key, [], [first]),
      request({ method: "PUT", path: `${campaignsPath}/1`, key, body: JSON.stringify(countedCampaign(1)) }),
      sent(key, [], [first, second]),
      request({ method: "POST", path: eventsPath, key: "nonsense" }),
      sent(key, [], [second, event()]),
      request({ method: "DELETE", path: `${campaignsPath}/2`, key }),
      sent(key, ["Connection: close"], []),
    ].join(""),
  );
  assert.deepEqual(
    answers
      .match(/HTTP\/1\.1 \d+|\{.+?\}(?=HTTP|$)/gs)
      ?.map((text) => text.replaceAll(/"message":"[^"]+"/g, "…")),
    [
      "HTTP/1.1 200",
      '{"accepted":0,"repeated":0,"quarantined":1,"problems":[{"index":0,"reason":"unknown_campaign",…}]}',
      "HTTP/1.1 201",
      '{"id":1,"status":"added"}',
      "HTTP/1.1 200",
      '{"accepted":1,"repeated":1,"quarantined":0,"problems":[]}',
      "HTTP/1.1 401",
      '{"error":"unauthorized","error_message":"The API key is malformed: it was cut or mistyped. Send the header Authorization: Bearer <API_KEY>."}',
      "HTTP/1.1 200",
      '{"accepted":1,"repeated":1,"quarantined":0,"problems":[]}',
      "HTTP/1.1 404",
      '{"error":"not_found","error_message":"There is no campaign 2."}',
      "HTTP/1.1 200",
      '{"accepted":0,"repeated":0,"quarantined":0,"problems":[]}',
    ],
  );
  assert.deepEqual(await numbers("total_opens"), [3]);
});

test("answers concurrent batches separately, even when one of them fails", async (t) => {
  const { put, post, postRaw, numbers } = await serveSender(t, { register: { recipient_count: 0 } });
  const batches = Array.from({ length: 40 }, (_, index) =>
    Array.from({ length: 5 }, (_, place) =>
      event({ id: `e-${index + place}`, recipient: `r-${index + place}` }),
    ),
  );
  const answers = await Promise.all(
    batches.flatMap((batch, index) => [
      post(batch),
      ...(index % 10 === 0 ? [postRaw("{"), put(1, { recipient_count: -1 })] : []),
    ]),
  );
  const taken = answers
    .filter(({ status }) => status === 200)
    .map(({ body }) => body as Record<string, unknown>);
  const sum = (name: string) => taken.reduce((total, body) => total + Number(body[name]), 0);
  assert.deepEqual([answers.length, taken.length, sum("accepted"), sum("repeated")], [48, 40, 44, 156]);
  assert.deepEqual(await numbers("unique_opens", "total_opens"), [44, 44]);
});

/** Short limits for requests that never complete. Requests that must arrive get longer ones, for a busy computer. */
const limits = { headersMs: 300, requestMs: 500, checkMs: 20, silenceMs: 8_000 };

const brokenBodies = {
  "is cut, and the client sends no more": (socket: Socket, text: string) => socket.end(text),
  "has a chunk without a length": (socket: Socket, text: string) => socket.write(`${text}zz\r\n`),
};

for (const [what, send] of Object.entries(brokenBodies)) {
  test(`400: rejects an events body that ${what}`, async (t) => {
    const {
      service,
      ingestKey: key,
      numbers,
      put,
    } = await serveSender(t, { limits: { ...limits, headersMs: 60_000, requestMs: 60_000 } });
    await put(1);
    const connection = rawConnection(service.port);
    const text = sent(key, ["Transfer-Encoding: chunked"]);
    const [head = "", body = ""] = text.split("\r\n\r\n");
    send(connection.socket, `${head}\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`);
    assert.match(await connection.closed, /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]+"error":"bad_request"/);
    assert.deepEqual(await numbers("total_opens"), [0]);
  });
}

test("408: rejects a body that does not arrive in time, even if it trickles in", async (t) => {
  const { service, ingestKey: key } = await serveSender(t, { limits });
  const text = sent(key).slice(0, -10);
  const silent = rawConnection(service.port);
  silent.socket.write(text);
  const slow = rawConnection(service.port);
  slow.socket.write(text.replace(/Content-Length: \d+/, "Content-Length: 100000"));
  const drip = setInterval(() => slow.socket.write(" "), 20);
  // The duration varies, but the connection must close.
  const last = setTimeout(() => slow.socket.destroy(), 20_000);
  const answers = await Promise.all([silent.closed, slow.closed]);
  clearInterval(drip);
  clearTimeout(last);
  for (const answer of answers) {
    assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n[\s\S]+"error":"request_timeout"/);
  }
});

test("counts events once when a client disconnects before the response and retries", async (t) => {
  const {
    service,
    put,
    post,
    numbers,
    ingestKey: key,
  } = await serveSender(t, { limits: { silenceMs: 8_000 } });
  await put(1);
  const events = [event(), event()];
  for (const text of [sent(key, [], events), sent(key, [], [event()]).slice(0, -20)]) {
    const gone = rawConnection(service.port);
    gone.socket.write(text);
    await once(gone.socket, "connect");
    gone.socket.destroySoon();
    await gone.closed;
  }
  const { accepted, repeated } = (await post(events)).body;
  assert.equal(accepted + repeated, 2);
  assert.deepEqual(await numbers("total_opens"), [2]);
});

test("has accepted events on disk when the server stops", async (t) => {
  const sender = await serveSender(t, { register: {} });
  const answers = Array.from({ length: 20 }, () => sender.post([event()]));
  await Promise.race(answers);
  await sender.service.stop();
  const statuses = (await Promise.allSettled(answers)).map(
    (answer) => answer.status === "fulfilled" && answer.value.status,
  );
  const taken = statuses.filter((status) => status === 200).length;
  const { numbers } = (await sender.world.database.snapshot((queries) =>
    queries
      .selectFrom("campaigns")
      .where("organization_id", "=", sender.organization.id)
      .select("tallies as numbers")
      .executeTakeFirstOrThrow(),
  )) as { numbers: string };
  const { totalOpens } = (JSON.parse(numbers) as { people: { totalOpens: number } }).people;
  assert.ok(totalOpens >= taken && taken > 0, `${taken} answered, ${totalOpens} counted`);
});
