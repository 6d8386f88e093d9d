// The clients in TypeScript and Python: the same data as the service has, and clear errors when a service misbehaves.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import test, { after, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { formatSentAt } from "../../src/campaign/calendar/sent-at.ts";
import { removeCampaign } from "../../src/counting/campaigns/remove-campaign.ts";
import { startNewHistory } from "../../src/storage/organizations.ts";
import { listTags } from "../../src/storage/tags.ts";
import { type Client, type ClientCall, callTypescript, startPython } from "../support/clients.ts";
import { requestDownload } from "../support/downloads.ts";
import { campaign, makeFolder, makeSqliteWorld, present, serve } from "../support/world.ts";

const clients: Record<string, Client> = { TypeScript: callTypescript, Python: startPython({ after }) };

const world = await makeSqliteWorld({ after });
const service = await serve({ after }, world);

const key = "secret-key";

const errorBody = JSON.stringify({ error: "some_error", error_message: `No. ${key}` });
const files = [
  ["csv", "id,subject\r\n1,One\r\n"],
  ["ndjson", '{"id":1,"subject":"One"}\n'],
  ["parquet", "PAR1 and its bytes PAR1"],
] as const;

interface ChangesPage {
  emails: { id: number; subject?: string; deleted: boolean }[];
  cursor: string;
}

/** An organization with 120 campaigns, which are two pages. */
async function makeOrganization() {
  const { organization, key } = await world.addOrganization({ timeZone: "America/New_York" });
  const ids = Array.from({ length: 120 }, (_, index) => index + 1);
  await world.save(
    organization,
    ids.map((id) =>
      campaign({ id, sentAt: Date.UTC(2024, 0, id), sentFrom: "", tags: id % 2 ? ["Odd"] : [], metrics: {} }),
    ),
  );
  return { organization, call: { address: `${service.url}/`, key } };
}

for (const [name, client] of Object.entries(clients)) {
  const read = async (call: ClientCall) => {
    const { value, error, waits } = await client(call);
    assert.deepEqual([error, waits], [undefined, []]);
    return value;
  };

  test(`the ${name} client gets pages and downloads as the service has them`, async () => {
    const { call } = await makeOrganization();
    const pages = await Promise.all(
      [1, 2].map((page) => service.emails(call.key, `?per_page=100&page=${page}`)),
    );
    assert.deepEqual(
      withTexts(await read({ ...call, verb: "emails" })),
      pages.flatMap(({ emails }) => emails),
    );
    for (const format of ["csv", "ndjson", "parquet"] as const) {
      const { headers, bytes } = await requestDownload(`${service.url}/data_api/v1/emails.${format}`, call);
      assert.deepEqual(await read({ ...call, verb: "download", format }), {
        file: Buffer.from(bytes).toString("base64"),
        cursor: headers.get("changes-cursor"),
      });
    }
    const { bytes } = await requestDownload(`${service.url}/data_api/v1/emails.ndjson`, call);
    const records = Buffer.from(bytes).toString().trimEnd().split("\n");
    const address = `${service.url}/data_api/v1/emails/`;
    assert.deepEqual(
      withTexts(await read({ ...call, address, verb: "records" })),
      records.map((line) => JSON.parse(line)),
    );
  });

  test(`the ${name} client selects by time and tags`, async () => {
    const { organization, call } = await makeOrganization();
    const tags = await world.database.query((queries) => listTags(queries, organization.id));
    const filters = { sentAfter: "2024-01-05", sentBefore: "2024-01-09", tagIds: tags.map(({ id }) => id) };
    for (const verb of ["emails", "records"] as const) {
      const found = (await read({ ...call, verb, filters })) as { id: number }[];
      // Midnight in UTC is the day before in New York.
      assert.deepEqual(
        found.map(({ id }) => id),
        [9, 7],
      );
    }
  });

  test(`the ${name} client gets changes since a download, and says what to do when a backup was restored`, async () => {
    const { organization, call } = await makeOrganization();
    const { cursor } = (await read({ ...call, verb: "download" })) as { cursor: string };
    world.clock.now += 1_000;
    await world.save(organization, [campaign({ id: 7, subject: "Changed" })]);
    await world.database.transaction((queries) =>
      removeCampaign(queries, organization.id, 9, world.clock.now),
    );
    const [page, ...others] = (await read({ ...call, verb: "changes", cursor })) as ChangesPage[];
    assert.deepEqual(others, []);
    assert.deepEqual(
      page?.emails.map(({ id, subject, deleted }) => ({ id, subject, deleted })),
      [
        { id: 7, subject: "Changed", deleted: false },
        { id: 9, subject: undefined, deleted: true },
      ],
    );
    await world.database.transaction((queries) => startNewHistory(queries, organization.id, present));
    const { error } = await client({ ...call, verb: "changes", ...(page && { cursor: page.cursor }) });
    assert.equal(error?.code, "gone");
    assert.match(
      error.message,
      /status 410, gone: .* Start again with a download and an empty copy, and go on from its cursor\./,
    );
  });

  test(`the ${name} client names the request when the key is rejected`, async () => {
    const call = { address: service.url, key: "ea_test_1_secret", verb: "emails" } as const;
    const { error, waits } = await client(call);
    assert.deepEqual([error?.code, error?.status, waits], ["unauthorized", 401, []]);
    assert.match(error?.requestId ?? "", /^[\w-]{36}$/);
    assert.ok(error?.message.endsWith(` (request ${error.requestId})`), String(error?.message));
    assert.ok(service.logged.some((line) => line.request_id === error?.requestId));
  });

  test(`the ${name} client sends its key to no address that is not safe`, async () => {
    const cases: [address: string, key: string, message: RegExp][] = [
      ["http://x.example", "secret", /^address: ["']http:\/\/x\.example["'] is not https/],
      ["analytics.example.com", "secret", /^address: .* is no URL such as https:/],
      ["ftp://x.example", "secret", /^address: .* is no URL such as https:/],
      ["http://127.evil.example", "secret", /^address: .* is not https/],
      [
        "https://user:pass@x.example",
        "secret",
        /^address: leave out the user name and the password; the key/,
      ],
      ["https://x.example", "secret\n", /^key: it is empty, or has characters that no key has$/],
    ];
    for (const [address, key, message] of cases) {
      const { error } = await client({ address, key, verb: "emails" });
      assert.match(error?.message ?? "", message);
      assert.ok(!error?.message.includes("pass@"));
    }
  });

  test(`the ${name} client has records of NDJSON only`, async () => {
    const { call } = await makeOrganization();
    const { error } = await client({ ...call, verb: "records", format: "parquet" });
    assert.match(
      error?.message ?? "",
      /^records\(\) reads NDJSON, and this download is parquet; use download\(/,
    );
  });

  test(`the ${name} client reads all pages with the same end, and fails when the list changes`, async (t) => {
    const requests: URL[] = [];
    let total = 200;
    const listener: RequestListener = ({ url = "" }, response) => {
      requests.push(new URL(url, "http://localhost"));
      response.end(emailsPage({ total_entries: total, total_pages: 2 }));
    };
    const address = await startStandIn(t, [
      listener,
      listener,
      listener,
      (...all) => {
        total -= 1;
        listener(...all);
      },
    ]);
    assert.deepEqual((await client({ address, key, verb: "emails" })).value, []);
    const ends = requests.map(({ searchParams }) => searchParams.get("sent_before"));
    assert.equal(new Set(ends).size, 1);
    assert.ok(Math.abs(Date.parse(ends[0] ?? "") - Date.now()) < 600_000, ends[0] ?? "no end");
    assert.match(ends[0] ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|\+00:00)$/, "as in specification 4.1");
    assert.deepEqual(
      requests.map(({ searchParams }) => searchParams.get("page")),
      ["1", "2"],
    );
    const { error } = await client({ address, key, verb: "emails" });
    assert.equal(error?.code, "list_changed");
  });

  test(`the ${name} client sends its key to no other host`, async (t) => {
    const others: unknown[] = [];
    const other = await startStandIn(t, [
      ({ headers }, response) => {
        others.push(headers);
        response.end(emailsPage());
      },
    ]);
    for (const [status, verb] of [
      [301, "emails"],
      [302, "changes"],
      [307, "download"],
      [308, "emails"],
    ] as const) {
      const address = await startStandIn(t, [
        (_, response) => response.writeHead(status, { location: `${other}/?${key}` }).end(),
      ]);
      const { error } = await client({ address, key, verb });
      assert.deepEqual([error?.code, error?.status], ["redirected", status]);
      assert.ok(error?.message.includes(`redirects to "${other}/?<API_KEY>"`), String(error?.message));
    }
    assert.deepEqual(others, []);
  });

  for (const { title, verb = "emails", listeners, expected, format = "ndjson" } of faults()) {
    test(`the ${name} client ${title}`, async (t) => {
      const address = await startStandIn(t, listeners);
      const { value, error, waits } = await client({ address, key, verb, format });
      assert.deepEqual(waits, expected.waits ?? []);
      if (!expected.code) assert.deepEqual([value, error], [[], undefined]);
      else {
        assert.equal(error?.code, expected.code, String(error?.message));
        assert.match(error?.message ?? "", expected.message ?? /./);
        assert.ok(!error?.message.includes(key), String(error?.message));
        assert.equal(error?.retryAfter ?? undefined, expected.retryAfter);
      }
    });
  }
}

test("the Python client fails when a download with gzip ends early between two lines", async (t) => {
  const file = gzipSync('{"id":1}\n{"id":2}\n').subarray(0, 20);
  const address = await startStandIn(t, [closing(file, "content-encoding: gzip\r\n")]);
  const { error } = await (clients.Python as Client)({ address, key, verb: "records" });
  assert.equal(error?.code, "cut");
});

test("the Python client says that a data frame needs pandas", async () => {
  const { call } = await makeOrganization();
  const { error } = await (clients.Python as Client)({ ...call, verb: "to_pandas" });
  assert.equal(error?.message, "to_pandas() needs pandas; install it, or use records()");
});

test("the Python client saves a download only once, and keeps its file", async (t) => {
  const { call } = await makeOrganization();
  const path = join(makeFolder(t), "emails.csv");
  const { error } = await (clients.Python as Client)({ ...call, verb: "save_twice", format: "csv", path });
  assert.equal(
    error?.message,
    "save() needs the whole download, and a part of it was read; start another one",
  );
  const { bytes } = await requestDownload(`${service.url}/data_api/v1/emails.csv`, call);
  assert.deepEqual(new Uint8Array(readFileSync(path)), bytes);
});

test("the Python client returns times as datetime and date, and nothing known as None", async () => {
  const { call } = await makeOrganization();
  const python = clients.Python as Client;
  const [email] = (await python({ ...call, verb: "emails" })).value as Record<string, unknown>[];
  assert.deepEqual([email?.id, email?.sent_at], [120, "datetime 2024-04-28T20:00:00"]);
  const [record] = (await python({ ...call, verb: "records" })).value as Record<string, unknown>[];
  const { sent_at, sent_on, sent_from, closed_at } = record ?? {};
  assert.deepEqual(
    { sent_at, sent_on, sent_from, closed_at },
    {
      sent_at: "datetime 2024-04-29T00:00:00+00:00",
      sent_on: "date 2024-04-28",
      sent_from: null,
      closed_at: null,
    },
  );
});

interface Fault {
  title: string;
  verb?: ClientCall["verb"];
  format?: "csv" | "ndjson" | "parquet";
  /** Of the requests, one by one. */
  listeners: RequestListener[];
  /** Without a code, the client gets an empty page. */
  expected: { code?: string; message?: RegExp; retryAfter?: number; waits?: number[] };
}

function faults(): Fault[] {
  const page: RequestListener = (_, response) => response.end(emailsPage());
  const answer =
    (status: number, headers = {}, body = errorBody): RequestListener =>
    (_, response) =>
      response.writeHead(status, { "x-request-id": "r-1", ...headers }).end(body);
  const html = "<html><h1>502 Bad Gateway</h1>";
  const everyTime = (listener: RequestListener) => Array.from({ length: 5 }, () => listener);
  return [
    {
      title: "waits as Retry-After says",
      listeners: [
        answer(429, { "retry-after": "2" }),
        answer(503, { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }),
        page,
      ],
      expected: { waits: [2, 0] },
    },
    {
      title: "does not wait for an hour",
      listeners: [answer(429, { "retry-after": "3600" })],
      expected: {
        code: "some_error",
        message: /answered with status 429, some_error: No\. <API_KEY> \(request r-1\)$/,
        retryAfter: 3600,
      },
    },
    {
      title: "retries an internal error, and gives up",
      listeners: everyTime(answer(500)),
      expected: { code: "some_error", message: /status 500.*\(request r-1\)$/, waits: [1, 2, 4, 8] },
    },
    {
      title: "shows the error page of a proxy",
      listeners: everyTime(answer(502, {}, html + key)),
      expected: {
        code: "unexpected_response",
        message:
          /status 502 and text that is not an error of the API: "<html><h1>502 Bad Gateway<\/h1><API_KEY>"\. A proxy/,
        waits: [1, 2, 4, 8],
      },
    },
    {
      title: "retries a page that is cut, and a connection that is reset",
      listeners: [cut(emailsPage(), 7), (_, response) => response.destroy(), page],
      expected: { waits: [1, 2] },
    },
    {
      title: "does not retry when the first connection fails",
      listeners: [(_, response) => response.destroy()],
      expected: { code: "connection_failed", message: /^The request to 127\.0\.0\.1:\d+ failed: .+\.$/ },
    },
    ...["<html>Sign in</html>", '{"campaigns":[]}', "[]", "null"].map((body) => ({
      title: `asks to check the address when it gets ${body}`,
      listeners: [answer(200, {}, body)],
      expected: { code: "unexpected_response", message: /Is address the base URL of the service\?/ },
    })),
    ...files.flatMap(([format, content]): Fault[] => {
      const download = { verb: "download", format } as const;
      const expected = { code: "cut", message: /was cut: .*Discard it, and start again\. \(request r-1\)$/ };
      return [
        {
          ...download,
          title: `fails when a download of ${format} with a length is cut`,
          listeners: [cut(content, 9)],
          expected,
        },
        {
          ...download,
          title: `fails when a download of ${format} in chunks is cut`,
          listeners: [cut(content, 9, { "transfer-encoding": "chunked" })],
          expected,
        },
        {
          ...download,
          title: `fails when a download of ${format} ends early with its connection`,
          listeners: [closing(content.slice(0, 9))],
          expected,
        },
      ];
    }),
  ];
}

function emailsPage(meta = { total_entries: 0, total_pages: 0 }): string {
  return JSON.stringify({ emails: [], meta });
}

/** Sends only the first bytes, and resets the connection. */
function cut(content: string, bytes: number, headers?: Record<string, string>): RequestListener {
  return (_, response) => {
    response.writeHead(200, { "x-request-id": "r-1", ...(headers ?? { "content-length": content.length }) });
    response.write(content.slice(0, bytes), () => response.socket?.end());
  };
}

/** Sends a response of HTTP/1.0, which ends with its connection. */
function closing(content: string | Uint8Array, headers = ""): RequestListener {
  return (_, { socket }: ServerResponse) => {
    socket?.write(`HTTP/1.0 200 OK\r\nx-request-id: r-1\r\n${headers}\r\n`);
    socket?.end(content);
  };
}

/** Answers each request with the next of the listeners, and further ones with 404. */
async function startStandIn(t: TestContext, listeners: RequestListener[]): Promise<string> {
  const rest = [...listeners];
  const server = createServer((request, response) => {
    response.setHeader("connection", "close");
    const listener = rest.shift() ?? (() => response.writeHead(404).end());
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The values that Python has for times, as the service writes them. */
function withTexts(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(/"date ([\d-]+)"/g, '"$1"')
    .replaceAll(/"datetime ([^"+]+)\+00:00"/g, (_, time) => JSON.stringify(new Date(`${time}Z`)))
    .replaceAll(/"datetime ([^"]+)"/g, (_, time) =>
      JSON.stringify(formatSentAt(Date.parse(`${time}Z`), "UTC")),
    );
  return JSON.parse(text);
}
