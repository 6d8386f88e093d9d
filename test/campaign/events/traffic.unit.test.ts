// The classification of traffic, by real user agents.

import assert from "node:assert/strict";
import test from "node:test";
import {
  classifyTraffic,
  deviceOf,
  isIncluded,
  type TrafficEvidence,
  type TrafficReason,
  type trafficFilters,
  trafficReasons,
} from "../../../src/campaign/events/traffic.ts";

const webKit = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0";

/** User agents of people, and the device that each names. */
const people: [userAgent: string, device: "desktop" | "mobile" | null][] = [
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit}`, "desktop"],
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) ${webKit} Mobile/15E148`, "mobile"],
  [`Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) ${webKit} Mobile/15E148`, "mobile"],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) ${webKit} GSA/280.3 Mobile/15E148 Safari/604.1`,
    "mobile",
  ],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`, "desktop"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/120.0.0.0`, "desktop"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 OneOutlook/1.2023.1214.201`, "desktop"],
  [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${chrome} Mobile Safari/537.36`, "mobile"],
  [`Mozilla/5.0 (Linux; Android 13; SM-S908U Build/TP1A; wv) ${chrome} Mobile Safari/537.36`, "mobile"],
  ["Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/118.0", "desktop"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:102.0) Gecko/20100101 Thunderbird/102.4.0", "desktop"],
  [
    "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; .NET4.0C; Microsoft Outlook 16.0.4266; ms-office; MSOffice 16)",
    "desktop",
  ],
  ["Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17126; Pro)", "desktop"],
  ["Outlook-iOS/709.2189947.prod.iphone (3.24.1)", "mobile"],
  ["Lotus-Notes/6.0 (Windows-NT)", null],
  ["The Bat! 9.3", null],
  ["YahooMobileMail/1.0 (Android Mail; 6.29.0) (gphone;samsung;SM-G991B;11;2236x1080)", "mobile"],
];

const automated: [userAgent: string, reason: TrafficReason][] = [
  [
    "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
    "google_proxy",
  ],
  ["YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html", "yahoo_proxy"],
  ["Mozilla/5.0", "apple_prefetch"],
  ["\tMozilla/5.0 ", "apple_prefetch"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0",
    "google_prefetch",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Gmail-content-sampling",
    "google_prefetch",
  ],
  ["Gmail-content-sampling", "google_prefetch"],
  ["Microsoft Office Existence Discovery", "bot"],
  ["Microsoft Office Protocol Discovery", "bot"],
  ["Microsoft Office Word Existence Discovery ", "bot"],
  ["Microsoft Data Access Internet Publishing Provider Protocol Discovery", "bot"],
  ["Barracuda Sentinel (EE)", "gateway"],
  ["Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1; Trident/5.0; BarracudaCentral)", "gateway"],
  ["Mimecast-URL-Protect", "gateway"],
  ["Proofpoint URL Defense", "gateway"],
  ["Mozilla/5.0 (Windows NT 6.1; Win64; x64; Symantec Endpoint Protection) AppleWebKit/537.36", "gateway"],
  ["curl/8.5.0", "bot"],
  ["Wget/1.21.4", "bot"],
  ["python-requests/2.31.0", "bot"],
  ["Go-http-client/1.1", "bot"],
  ["Java/17.0.2", "bot"],
  ["facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "bot"],
  ["Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "bot"],
  ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "bot"],
  [`Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0`, "bot"],
];

const classify = (given: Partial<TrafficEvidence>) => classifyTraffic({ type: "open", ...given });
const device = (given: Partial<TrafficEvidence>) => deviceOf({ type: "open", ...given });

test("classifies browsers and mail clients as human, with the device that they name", () => {
  for (const [userAgent, expected] of people) {
    assert.deepEqual([classify({ userAgent }), device({ userAgent })], ["person", expected], userAgent);
  }
});

test("recognizes proxies, prefetches, gateways and bots by their user agent, without a device", () => {
  for (const [userAgent, reason] of automated) {
    for (const type of ["open", "click", "read"] as const) {
      assert.equal(classify({ type, userAgent }), reason, userAgent);
      assert.equal(device({ type, userAgent }), null, userAgent);
    }
  }
});

test("does not mistake similar user agents for a prefetch of Apple or Gmail", () => {
  for (const userAgent of [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit}`,
    `Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246`,
  ]) {
    assert.equal(classify({ userAgent }), "person");
  }
});

test("classifies a missing or blank user agent as human", () => {
  for (const userAgent of [undefined, "", " \t"]) {
    assert.deepEqual([classify({ userAgent }), device({ userAgent })], ["person", null]);
  }
});

test("lets the hidden link decide before HEAD, provider and user agent, and takes survey answers as human", () => {
  const [bot, person] = [{ userAgent: "curl/8.5.0" }, { userAgent: people[0]?.[0] }];
  const cases: [Partial<TrafficEvidence>, TrafficReason][] = [
    [{ type: "click", isHidden: true, isMachine: true, ...bot }, "hidden_link"],
    [{ type: "click", isHidden: true, ...person }, "hidden_link"],
    [{ type: "open", isHidden: true, ...person }, "person"],
    [{ type: "click", isHidden: true, isHead: true, ...person }, "hidden_link"],
    [{ type: "click", isHead: true, isMachine: true, ...person }, "head_request"],
    [{ type: "open", isHead: true, ...bot }, "head_request"],
    [{ type: "survey", isHead: true, ...bot }, "person"],
    [{ type: "click", isMachine: true, ...person }, "provider_scanner"],
    [{ type: "click", isMachine: true, ...bot }, "provider_scanner"],
    [{ type: "open", isMachine: true, ...bot }, "provider_prefetch"],
    [{ type: "read", isMachine: true, ...person }, "provider_prefetch"],
    [{ type: "open", isMachine: false, ...bot }, "bot"],
    [{ type: "click", isHidden: true, isFlood: true, ...person }, "hidden_link"],
    [{ type: "open", isFlood: true, isMachine: true, ...person }, "provider_prefetch"],
    [{ type: "open", isFlood: true, ...person }, "flood"],
    [{ type: "open", isScannerNetwork: true, isFlood: true, ...person }, "flood"],
    [{ type: "open", isScannerNetwork: true, ...person }, "network"],
    [{ type: "click", isScannerNetwork: true, ...bot }, "network"],
    [{ type: "survey", isScannerNetwork: true, ...person }, "person"],
    [{ type: "survey", isMachine: true, ...bot }, "person"],
  ];
  for (const [evidence, reason] of cases) {
    assert.equal(classify(evidence), reason, JSON.stringify(evidence));
  }
});

test("counts humans and humans behind proxies as people, and everything as all", () => {
  const included = (traffic: (typeof trafficFilters)[number]) =>
    (Object.keys(trafficReasons) as TrafficReason[]).filter((reason) => isIncluded(reason, traffic));
  assert.deepEqual(included("people"), ["person", "google_proxy", "yahoo_proxy"]);
  assert.deepEqual(included("all"), [
    ...["person", "google_proxy", "yahoo_proxy", "apple_prefetch", "google_prefetch", "provider_prefetch"],
    ...["provider_scanner", "hidden_link", "head_request", "flood", "network", "gateway", "bot"],
  ]);
});

test("classifies correctly during a flood of invented user agents", () => {
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < 5_000; index++) {
      assert.equal(classify({ userAgent: `curl/${index}` }), "bot");
    }
    assert.equal(classify({ userAgent: people[1]?.[0] }), "person");
  }
});
