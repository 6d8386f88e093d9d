// Texts of the sources page: providers, programs, tracking, and the quarantine.

import type { Html } from "../../html.ts";
import { html } from "../../html.ts";
import { formatCount, formatCountOf } from "../ui/number-format.ts";

export const sourcesStrings = {
  title: "Sources",

  // Email providers
  providers: "Email providers",
  noProviders: html`No email provider sends events yet. The operator of this service adds one with the command <code>email-analytics source add</code>.`,
  providersCaption: (sources: number, note: string) => `${formatCountOf(sources, "source")}. ${note}`,
  urlsAreSecret: "Keep the webhook URLs secret: anyone who knows one can send events.",
  urlsForAdmins: "Only admins can see the webhook URLs.",
  provider: "Provider",
  lastEvent: "Last event",
  campaignField: "Field with the campaign ID",
  webhookUrl: "Webhook URL",
  webhookUrlOf: (provider: string) => `the webhook URL for ${provider}`,
  noEventYet: "none yet",
  silent: "no recent events",
  noSecretTitle: (provider: string) => `${provider} has no secret yet.`,
  noSecret: html`All its events are rejected until you set the secret with the command <code>email-analytics source change --secret</code>.`,
  silentTitle: (provider: string) => `${provider} stopped sending events.`,
  silentAfterCampaign: (time: string) =>
    `The last event arrived ${time}, and a campaign was sent after that.`,
  silentForDays: (time: string) => `The last event arrived ${time}, more than seven days ago.`,
  silentChecklist: (provider: string): Html =>
    html`Check at ${provider} that the webhook is enabled, that its URL is the one of this source, that it sends opens and clicks, and that its secret is unchanged. The log of this service has every rejected request. If you no longer use ${provider}, delete the source with the command <code>email-analytics source delete</code>.`,

  // Programs
  programs: "Programs",
  noPrograms: "No program sends campaigns and events: there is no API key with the scope ingest.",
  programsCaption:
    "Programs send with an API key that has the scope ingest. Last used is accurate to the hour.",
  apiKey: "API key",
  lastUsed: "Last used",
  notUsedYet: "not used yet",
  programsForViewers: (programs: number, lastUsed: string | undefined) =>
    `${formatCountOf(programs, "program")} can send. ${lastUsed === undefined ? "No data was sent yet" : `Last used ${lastUsed}`}.`,

  // Tracked messages
  trackedMessages: "Tracked messages",
  trackingOn: "This service can track messages itself: the setting TRACKING_SECRET is set.",
  trackingOff: "This service does not track messages itself: the setting TRACKING_SECRET is empty.",

  // Quarantine
  quarantine: "Events that could not be counted",
  noQuarantined: "No events are in quarantine.",
  quarantined: (events: number) =>
    `${formatCountOf(events, "event")} could not be counted and ${events === 1 ? "is" : "are"} in quarantine.`,
  replayHelp: "A replay counts those that can be counted now and keeps the others.",
  nothingCounts:
    "They cannot be counted now: they are unreadable, or their campaign is not registered, is closed, or has imported numbers.",
  quarantineCaption: (otherEvents: number) =>
    otherEvents === 0
      ? "By campaign and reason"
      : `By campaign and reason. Smaller groups have another ${formatCountOf(otherEvents, "event")}`,
  campaign: "Campaign",
  reason: "Reason",
  events: "Events",
  firstReceived: "First received",
  lastReceived: "Last received",
  unknownCampaign: "unknown",
  replay: "Replay",
  replayAll: "Replay all",
  replayCampaign: (name: string) => `Replay the events of campaign ${name}`,
  replayed: ({ accepted, repeated, ignored, quarantined }: ReplayCounts) =>
    `Replayed: ${formatCount(accepted)} counted, ${formatCount(repeated)} repeated, ${formatCount(ignored)} ignored (campaign closed or recipient forgotten), ${formatCount(quarantined)} still in quarantine.`,
  replayIncomplete: (left: number) =>
    `The replay ran out of time with ${formatCountOf(left, "event")} left. Replay again to continue.`,
  nothingToReplay: (campaign: string) => `Campaign: ${campaign} has no events in quarantine.`,
  campaignRule: 'the JSON of a campaign ID (such as 42) or of an external ID (such as "spring-news")',
};

interface ReplayCounts {
  accepted: number;
  repeated: number;
  ignored: number;
  quarantined: number;
}
