// Sends generated webhook requests of one provider: unchanged, changed and forged ones.

import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { minuteMs } from "../../src/campaign/calendar/durations.ts";
import { type ProviderName, providerNames } from "../../src/providers/providers.ts";
import { Random } from "../../test/support/histories.ts";
import { changeText, changeValue, truncate } from "./change-body.ts";
import { type Action, providerRequests, type Sent } from "./provider-bodies.ts";

/** Campaign IDs that no changed digit turns into each other. */
export const campaigns = { unchanged: 4242, changed: 7_777_777 } as const;
const connections = 16;
/** One of so many requests is unchanged, so that its events are known. */
const unchangedEvery = 20;

interface Reply {
  status: number;
  text: string;
}

/** What one provider has sent, and how the service has responded. */
interface Target {
  provider: ProviderName;
  url: string;
  agent: Agent;
  random: Random;
  /** Opens and clicks of unchanged requests, and the sums over all responses. */
  total: { opens: number; clicks: number; accepted: number; quarantined: number; repeated: number };
  /** The number of responses by kind of request and status. */
  statuses: Map<string, number>;
}

/** @throws AssertionError if a request gets a 5xx, or a forged request is accepted */
export async function sendProviderRequests(provider: ProviderName, url: string, bodies: number) {
  const target: Target = {
    provider,
    url,
    agent: new Agent({ keepAlive: true, maxSockets: connections }),
    random: new Random(providerNames.indexOf(provider)),
    total: { opens: 0, clicks: 0, accepted: 0, quarantined: 0, repeated: 0 },
    statuses: new Map(),
  };
  let next = 0;
  const connection = async () => {
    for (let index = next++; index < bodies; index = next++) {
      if (index % unchangedEvery === 0) await sendUnchangedTwice(target, index);
      await sendChanged(target, index);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  target.agent.destroy();
  const { accepted, quarantined, repeated } = target.total;
  const statuses = [...target.statuses].sort().map(([name, count]) => `${name}: ${count}`);
  return {
    ...target.total,
    summary: `${statuses.join(", ")}; accepted ${accepted}, quarantined ${quarantined}, repeated ${repeated}`,
  };
}

async function sendUnchangedTwice(target: Target, index: number): Promise<void> {
  const { provider, url, total } = target;
  const actions = generateActions(target, campaigns.unchanged, index);
  const text = JSON.stringify(providerRequests[provider].document(actions));
  for (let time = 0; time < 2; time++) {
    const reply = await post(target, providerRequests[provider].send(text, url));
    assert.equal(reply.status, 200, `${provider}: ${reply.text}`);
    count(target, reply, "unchanged");
  }
  // A click implies an open, and each action has its own recipient.
  total.opens += actions.length;
  total.clicks += actions.filter(({ type }) => type === "click").length;
}

async function sendChanged(target: Target, index: number): Promise<void> {
  const { provider, url, random } = target;
  const { document: documentOf, send, forge } = providerRequests[provider];
  const document = documentOf(generateActions(target, campaigns.changed, index));
  const text = random.chance(40)
    ? changeText(random, JSON.stringify(document))
    : JSON.stringify(changeValue(random, document));
  const sent = send(text ?? "", url);
  if (forge && random.chance(20)) {
    const reply = await post(target, forge(send(JSON.stringify(document), url)));
    assert.equal(reply.status, 401, `${provider} ${url}: a forged request was accepted`);
    count(target, reply, "forged");
    return;
  }
  count(target, await post(target, random.chance(15) ? truncate(random, sent) : sent), "changed");
}

function count({ provider, total, statuses }: Target, { status, text }: Reply, kind: string): void {
  statuses.set(`${kind} ${status}`, (statuses.get(`${kind} ${status}`) ?? 0) + 1);
  assert.ok(status < 500, `${provider}: ${status} ${text}`);
  if (status !== 200) return;
  const reply = JSON.parse(text) as Record<"accepted" | "repeated" | "quarantined", number>;
  for (const name of ["accepted", "repeated", "quarantined"] as const) total[name] += reply[name] ?? 0;
}

function generateActions({ provider, random }: Target, campaign: number, index: number): Action[] {
  const length = providerRequests[provider].isBatch ? random.between(1, 3) : 1;
  return Array.from({ length }, (_, position) => ({
    campaign,
    // Each action has its own recipient, so that clicks are never a burst.
    recipient: `${provider}-${index}-${position}@example.com`,
    type: random.pick(["open", "click"] as const),
    number: index,
    at: Date.now() - minuteMs,
  }));
}

function post({ url, agent }: Target, { body, headers }: Sent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const posted = request(url, {
      method: "POST",
      agent,
      headers: { ...headers, "content-length": body.length },
    });
    posted.on("response", (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    posted.on("error", reject);
    posted.end(body);
  });
}
