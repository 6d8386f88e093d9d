// Settings: defaults, accepted values and error messages.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { openIdOf, readSettings, type SettingName, settings } from "../src/config.ts";
import { AppError } from "../src/errors.ts";
import { makeFolder } from "./support/world.ts";

const read = (name: SettingName, text: string) => readSettings({}, { [name]: text })[name];

/** The error message for a value that is not accepted. */
function errorFor(name: SettingName, text: string): string {
  let message = "";
  assert.throws(
    () => readSettings({}, { [name]: text }),
    (error) => {
      assert.ok(error instanceof AppError);
      assert.equal(error.code, "bad_request");
      message = error.message;
      return true;
    },
    `${name}=${text} was accepted`,
  );
  return message;
}

test("settings have their defaults when the environment is empty", () => {
  assert.deepEqual(readSettings({}, {}), {
    DATABASE_URL: "sqlite:data/email-analytics.db",
    DATABASE_CONNECTIONS: 10,
    UNSAFE_COMMITS: "refuse",
    MCP: "off",
    HOST: "127.0.0.1",
    PORT: 8080,
    REGION: "local",
    PUBLIC_URL: "",
    LOG_LEVEL: "info",
    SETUP_TOKEN: "",
    TRUSTED_PROXIES: [],
    SCANNER_NETWORKS: "",
    INGEST_QUEUE_BYTES: 268_435_456,
    QUARANTINE_BYTES: 536_870_912,
    TRACKING_SECRET: [],
    TRACKING_URL: "",
    OIDC_ISSUER: "",
    OIDC_CLIENT_ID: "",
    OIDC_CLIENT_SECRET: "",
    OIDC_EMAILS: "verified",
    SMTP_URL: "",
    MAIL_FROM: "",
    READINGS_MAX: 400,
    INDEX_MEMORY_BYTES: 134_217_728,
    DOWNLOADS_MAX: 3,
    DOWNLOAD_SECONDS: 600,
    MAX_CONNECTIONS: 1000,
    EMAIL_ANALYTICS_PULL_KEY: "",
    CORS_ORIGINS: [],
    MONITORING: null,
  });
});

test("options override the environment, and the environment overrides the default", () => {
  const environment = { PORT: "81", HOST: "localhost", UNRELATED: "x" };
  const { PORT, HOST, REGION } = readSettings({ PORT: "82" }, environment);
  assert.deepEqual([PORT, HOST, REGION], [82, "localhost", "local"]);
});

interface SettingCases {
  /** Accepted texts that are their value. */
  same?: string[];
  /** Other accepted texts, with their values. */
  good?: Record<string, unknown>;
  bad: string[];
}

const [x32, y40] = ["x".repeat(32), "y".repeat(40)];

const cases: Record<SettingName, SettingCases> = {
  DATABASE_URL: {
    same: [
      ...["sqlite:x.db", "sqlite:/var/lib/x.db", "sqlite:///var/lib/x.db", "postgresql://host/db"],
      "postgres://user:secret@host:5432/db?sslmode=verify-full",
    ],
    bad: ["", "sqlite:", "sqlite::memory:", "x.db", "postgres://", "mysql://user@host/db", "SQLITE:x.db"],
  },
  DATABASE_CONNECTIONS: { good: { 2: 2, 1000: 1000 }, bad: ["", "1", "1001", "many", "2.5"] },
  UNSAFE_COMMITS: { same: ["refuse", "allow"], bad: ["", "yes", "off", "ALLOW"] },
  HOST: {
    same: ["0.0.0.0", "::1", "my-host.example.com"],
    bad: ["", "a b", "http://x", "x/y", "[::1]"],
  },
  PORT: {
    good: { 0: 0, 65535: 65_535 },
    bad: ["", "-1", "65536", "80.5", "8e3", "0x50", " 80", "http"],
  },
  REGION: { same: ["eu", "apsouth1"], bad: ["", "e", "EU", "e_u", "ap-south", "x".repeat(9)] },
  PUBLIC_URL: {
    same: ["", "https://analytics.example.com"],
    good: {
      "https://analytics.example.com/": "https://analytics.example.com",
      "http://example.com:8080/reports//": "http://example.com:8080/reports",
    },
    bad: [
      ...["analytics.example.com", "ftp://example.com", "https://example.com/?", "https://example.com/?a=1"],
      ...["https://example.com/#a", "https://user@example.com", "https://:secret@example.com", "https://"],
    ],
  },
  LOG_LEVEL: {
    same: ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
    bad: ["", "INFO", "verbose", "30"],
  },
  SETUP_TOKEN: {
    same: ["", x32, "a-B_9".repeat(51)],
    bad: ["short", `${x32} x`, `${x32}/x`, "x".repeat(257)],
  },
  TRUSTED_PROXIES: {
    good: {
      "": [],
      "10.0.0.0/8, 192.168.1.5": ["10.0.0.0/8", "192.168.1.5"],
      "::1,fd00::/8,": ["::1", "fd00::/8"],
    },
    bad: [
      ...["localhost", "10.0.0.0/33", "10.0.0.0/0", "10.0.0.0/8/8", "fd00::/129", "10.0.0"],
      "10.0.0.1 10.0.0.2",
    ],
  },
  CORS_ORIGINS: {
    good: {
      "": [],
      "https://intranet.example.com, http://localhost:3000,": [
        "https://intranet.example.com",
        "http://localhost:3000",
      ],
    },
    bad: [
      "*",
      "null",
      "intranet.example.com",
      "https://a.example/",
      "https://A.example",
      "https://a.example:443",
      "data:,",
    ],
  },
  SCANNER_NETWORKS: { same: ["/etc/networks.txt"], bad: [] },
  INGEST_QUEUE_BYTES: {
    good: { 1: 1, 67108864: 67_108_864 },
    bad: ["", "0", "64 MiB", "-1", "10000000001"],
  },
  QUARANTINE_BYTES: {
    good: { 0: 0, 100000000000: 100_000_000_000 },
    bad: ["", "-1", "1e5", "100000000001"],
  },
  TRACKING_SECRET: {
    good: { "": [], [x32]: [x32], [`${x32}, ${y40}`]: [x32, y40] },
    bad: ["short", `${x32},`, `${x32},short`, "a secret that has spaces in it, and more"],
  },
  TRACKING_URL: {
    good: { "": "", "https://links.example.com/": "https://links.example.com" },
    bad: ["links.example.com", "ftp://links.example.com", "https://u:p@links.example.com"],
  },
  READINGS_MAX: { good: { 0: 0, 1000000: 1_000_000 }, bad: ["", "-1", "1000001"] },
  OIDC_ISSUER: {
    same: [
      ...["", "https://login.example.com/", "https://login.example.com/realms/acme"],
      ...["http://127.0.0.1:9999", "http://[::1]:9999", "http://localhost:9999"],
    ],
    bad: [
      ...["login.example.com", "http://login.example.com", "http://127.0.0.1.example.com"],
      ...["https://u:p@login.example.com", "https://login.example.com?tenant=1", "ftp://login.example.com"],
    ],
  },
  OIDC_CLIENT_ID: {
    same: ["", "email-analytics", "0oa1.apps/x:y@z"],
    bad: ["with space", "two\nlines", "nämë"],
  },
  OIDC_CLIENT_SECRET: { same: ["", "s3cr~t/+="], bad: ["with space", "two\nlines", "x".repeat(4001)] },
  OIDC_EMAILS: { same: ["verified", "all"], bad: ["", "none", "Verified", "true"] },
  INDEX_MEMORY_BYTES: {
    good: { 1000000: 1_000_000 },
    bad: ["", "0", "999999", "100000000001", "1e9"],
  },
  DOWNLOADS_MAX: { good: { 1: 1, 100: 100 }, bad: ["", "0", "101", "two"] },
  DOWNLOAD_SECONDS: { good: { 1: 1, 86400: 86_400 }, bad: ["", "0", "86401", "1m"] },
  MAX_CONNECTIONS: { good: { 1: 1, 1000000: 1_000_000 }, bad: ["", "0", "1000001", "many", "-5"] },
  EMAIL_ANALYTICS_PULL_KEY: {
    same: ["", "s3cr~t/+="],
    bad: ["with space", "two\nlines", "x".repeat(4001)],
  },
  SMTP_URL: {
    same: ["", "smtps://ann:secret@smtp.example.com:465", "smtp://127.0.0.1"],
    bad: [
      ...["smtp.example.com", "https://smtp.example.com", "smtp://", "smtp://h/path"],
      "smtp://h?secure=false",
    ],
  },
  MAIL_FROM: {
    same: ["", "analytics@example.com"],
    bad: ["analytics", "Ann <ann@example.com>", "a@b, c@d.com"],
  },
  MCP: { same: ["on", "off"], bad: ["", "yes", "ON"] },
  MONITORING: {
    good: {
      "": null,
      "127.0.0.1:9464": { host: "127.0.0.1", port: 9464 },
      "[::1]:0": { host: "::1", port: 0 },
      "my-host.example.com:65535": { host: "my-host.example.com", port: 65_535 },
    },
    bad: [
      ...["9464", ":9464", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:9464/metrics"],
      ...["http://127.0.0.1:9464", "::1:9464", "[127.0.0.1]:9464", "a b:9464", "127.0.0.1:9 "],
    ],
  },
};

const hidden = (Object.keys(settings) as SettingName[]).filter((name) => "isSecret" in settings[name]);

for (const [name, { same = [], good = {}, bad }] of Object.entries(cases) as [SettingName, SettingCases][]) {
  test(`${name} accepts its values, and rejects others with its name, the value and what it accepts`, () => {
    for (const text of same) assert.equal(read(name, text), text);
    for (const [text, value] of Object.entries(good)) assert.deepEqual(read(name, text), value, text);
    for (const text of bad) {
      const isHidden = hidden.includes(name);
      const shown = isHidden ? "" : JSON.stringify(text);
      const message = errorFor(name, text);
      assert.ok(message.startsWith(`${name}: `), message);
      assert.ok(message.endsWith(` is not ${settings[name].accepts}`), message);
      if (!text.includes("@")) assert.ok(message.includes(shown), message);
    }
  });
}

test("every setting has test cases", () => {
  assert.deepEqual(Object.keys(cases), Object.keys(settings));
});

test("the settings with secrets are hidden in messages", () => {
  assert.deepEqual(hidden, [
    ...["DATABASE_URL", "SETUP_TOKEN", "TRACKING_SECRET", "OIDC_CLIENT_SECRET", "EMAIL_ANALYTICS_PULL_KEY"],
    "SMTP_URL",
  ]);
});

test("a secret is read from the file that NAME_FILE names, and other settings are not", (t) => {
  const path = join(makeFolder(t), "secret");
  writeFileSync(path, `${x32}\n`);
  assert.equal(readSettings({}, { SETUP_TOKEN_FILE: path }).SETUP_TOKEN, x32);
  assert.deepEqual(readSettings({}, { TRACKING_SECRET_FILE: path }).TRACKING_SECRET, [x32]);
  assert.equal(readSettings({}, { SETUP_TOKEN: y40, SETUP_TOKEN_FILE: path }).SETUP_TOKEN, y40);
  assert.equal(readSettings({}, { SETUP_TOKEN: "", SETUP_TOKEN_FILE: path }).SETUP_TOKEN, x32);
  assert.equal(readSettings({}, { SETUP_TOKEN_FILE: "" }).SETUP_TOKEN, "");
  assert.equal(readSettings({}, { REGION_FILE: path }).REGION, "local");
  writeFileSync(path, "hunter2 hunter2");
  assert.throws(() => readSettings({}, { SETUP_TOKEN_FILE: path }), {
    message: `SETUP_TOKEN: the value (not shown) is not ${settings.SETUP_TOKEN.accepts}`,
  });
  assert.throws(() => readSettings({}, { SMTP_URL_FILE: `${path}.not` }), {
    message: `SMTP_URL_FILE: cannot read ${path}.not (ENOENT)`,
  });
});

test("the error message of a setting names it, its value and what it accepts", () => {
  assert.equal(errorFor("PORT", "http"), 'PORT: "http" is not a port from 0 to 65535');
  const expected = 'LOG_LEVEL: "loud" is not one of trace, debug, info, warn, error, fatal, silent';
  assert.equal(errorFor("LOG_LEVEL", "loud"), expected);
  assert.equal(errorFor("REGION", "X".repeat(500)).includes("X".repeat(101)), false);
});

test("error messages of settings never contain a password", () => {
  const withPassword = [
    "mysql://user:hunter2@host/db",
    "postgres://user:hunter2@host:port/db",
    "user:hunter2@host/db",
    "hunter2",
    "hunter2:",
    "hunter2://x",
  ];
  for (const text of withPassword) {
    const shown = errorFor("DATABASE_URL", text).split(" is not ")[0] ?? "";
    assert.doesNotMatch(shown, /hunter2|user|host/);
  }
  assert.equal(
    errorFor("DATABASE_URL", "mysql://user:hunter2@host/db"),
    'DATABASE_URL: "mysql://…" is not a URL of the form sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  );
  assert.equal(
    errorFor("DATABASE_URL", "hunter2"),
    "DATABASE_URL: the value (not shown) is not a URL of the form sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE",
  );
  assert.equal(
    errorFor("PUBLIC_URL", "https://user:hunter2@example.com/a"),
    'PUBLIC_URL: "https://…@example.com/a" is not an http or https URL without a query, such as https://analytics.example.com',
  );
});

test("the settings of OpenID Connect must be set together, and no message contains the secret", () => {
  const whole = {
    OIDC_ISSUER: "https://login.example.com/",
    OIDC_CLIENT_ID: "email-analytics",
    OIDC_CLIENT_SECRET: "hunter2hunter2",
  };
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = whole;
  const read = { issuer, clientId, clientSecret };
  assert.deepEqual(openIdOf(readSettings(whole, {})), { ...read, trustsEmails: false });
  const trusting = { ...whole, OIDC_EMAILS: "all" };
  assert.deepEqual(openIdOf(readSettings(trusting, {})), { ...read, trustsEmails: true });
  assert.equal(openIdOf(readSettings({}, {})), undefined);
  for (const name of Object.keys(whole) as (keyof typeof whole)[]) {
    const part = { ...whole, [name]: "" };
    assert.throws(
      () => openIdOf(readSettings(part, {})),
      new AppError(
        "bad_request",
        `${name}: not set; set OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET together, or leave all of them empty`,
      ),
    );
  }
  assert.doesNotMatch(errorFor("OIDC_CLIENT_SECRET", "hunter2 hunter2"), /hunter2/);
  assert.doesNotMatch(errorFor("EMAIL_ANALYTICS_PULL_KEY", "hunter2 hunter2"), /hunter2/);
});
