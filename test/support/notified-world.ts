// Three weeks of campaigns of two teams: the last week is still counting, and two weeks have final numbers.

import type { Mailer } from "../../src/letters/mailer.ts";
import { Notifier } from "../../src/letters/notifier.ts";
import type { PostToChat } from "../../src/letters/post-to-chat.ts";
import { makeWebWorld, type WebWorld } from "./web-world.ts";
import type { Cleanup } from "./world.ts";
import { campaign, present, type ServedWith } from "./world.ts";

const dayMs = 86_400_000;

/** Now is Monday, June 15, 2026. */
export async function makeNotifiedWorld(t: Cleanup, served: ServedWith = {}): Promise<WebWorld> {
  const web = await makeWebWorld(t, served);
  const { world, organization } = web;
  const sent = (id: number, days: number, unique_opens: number, given: { subject?: string } = {}) =>
    campaign({
      ...{ id, team: "HR", sentAt: present - days * dayMs, recipientCount: 1_000, ...given },
      metrics: {
        ...{ unique_opens, unique_clicks: unique_opens / 5, open_rate: unique_opens / 1_000 },
        ...{ click_rate: unique_opens / 5_000, click_per_unique_open_rate: 20 },
        ...{ enps_score_average: null, enps_reactions_count: 0, survey_reactions_count: 0 },
      },
    });
  await world.save(organization, [
    // The usual of the team, and June 1 to 7 with one that stands out.
    ...Array.from({ length: 8 }, (_, id) => sent(id + 1, 30 + 7 * id, 500 + 5 * id)),
    ...[sent(11, 20, 510), sent(12, 18, 505), sent(13, 16, 500), sent(14, 19, 505), sent(15, 17, 505)],
    ...[sent(21, 13, 520), sent(22, 12, 515), sent(23, 10, 900, { subject: "Pay <day> & parking" })],
  ]);
  await world.register(organization, 31, {
    sent_at: "2026-06-12T12:00:00Z",
    team: "HR",
    recipient_count: 40,
    tracking_type: "Anonymous",
  });
  const events = Array.from({ length: 10 }, (_, number) => ({
    ...{ id: `e-${number}`, campaign_id: 31, recipient: `${number}@example.com`, type: "survey" },
    ...{ at: "2026-06-12T13:00:00Z", survey_id: "s", kind: "enps", score: 9, comment: `Comment ${number}` },
  }));
  await world.ingest(organization, events);
  return web;
}

/** Sends what is due at the time of the world's clock. */
export function notifierOf(
  { world }: WebWorld,
  { mailer, postToChat = refuseChat }: { mailer?: Mailer | undefined; postToChat?: PostToChat },
): Notifier {
  const log = { warn: () => undefined, error: (about: unknown) => console.error(about) };
  const publicUrl = () => "http://127.0.0.1";
  const { database, clock } = world;
  return new Notifier({ database, mailer, postToChat, publicUrl, log, now: () => clock.now });
}

const refuseChat: PostToChat = async () => {
  throw new Error("no chat is connected");
};
