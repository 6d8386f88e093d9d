// The actions of the audit log. The page, the command, the documentation and the tests take them from this table.

import type { CampaignReference } from "../campaign/events/event.ts";

/** What each action means. The web application has translations. */
export const auditActions = {
  "attribute.add": "Added an attribute",
  "attribute.change": "Renamed an attribute",
  "attribute.delete": "Deleted an attribute",
  "campaign.add": "Registered a campaign",
  "campaign.change": "Corrected a campaign",
  "campaign.close": "Closed a campaign",
  "campaign.reset": "Reset a value of a campaign",
  "campaign.delete": "Deleted a campaign",
  "campaigns.edit": "Changed or deleted campaigns",
  "campaigns.import": "Imported campaigns",
  "campaigns.pull": "Pulled campaigns",
  "campaigns.undo": "Undid an import of campaigns",
  "chat.change": "Connected a chat",
  "chat.delete": "Disconnected a chat",
  "csv-link.add": "Created a CSV link",
  "csv-link.allow": "Allowed CSV links",
  "csv-link.refuse": "Refused CSV links",
  "data.export": "Exported data",
  "directory.replace": "Replaced the directory",
  "events.import": "Imported events",
  "events.send": "Sent events to a campaign without names",
  "file.discard": "Discarded a file of campaigns",
  "file.upload": "Uploaded a file of campaigns",
  "key.add": "Created an API key",
  "key.delete": "Deleted an API key or a CSV link",
  "key.roll": "Replaced an API key",
  "language.change": "Changed their language",
  "notifications.change": "Chose notifications",
  "numbers.repair": "Repaired numbers",
  "organization.add": "Added the organization",
  "organization.change": "Changed the organization",
  "organization.restore": "Announced a restored backup",
  "password.change": "Chose a password",
  "quarantine.discard": "Discarded quarantined events",
  "quarantine.replay": "Replayed quarantined events",
  "recipient.forget": "Forgot a recipient",
  "recipients.export": "Downloaded recipients",
  "recipients.view": "Viewed recipients",
  "second-factor.add": "Turned on the second factor",
  "second-factor.codes": "Created new recovery codes",
  "second-factor.delete": "Turned off the second factor",
  "second-factor.recover": "Used a recovery code",
  "second-factor.reset": "Reset the second factor of a user",
  "session.end": "Ended a session",
  "session.start": "Signed in",
  "share-link.add": "Created a share link",
  "share-link.allow": "Allowed share links",
  "share-link.refuse": "Refused share links",
  "share-link.revoke": "Revoked a share link",
  "source.add": "Added a source",
  "source.change": "Changed a source",
  "source.delete": "Deleted a source",
  "rule.add": "Added a rule for new campaigns",
  "rule.delete": "Deleted a rule for new campaigns",
  "tag.add": "Added a tag",
  "tag.change": "Changed a tag",
  "tag.delete": "Deleted a tag",
  "user.change": "Changed the role of a user",
  "user.delete": "Deleted a user",
  "user.invite": "Invited a user",
  "user.reset": "Reset a password",
  "views.add": "Added SQL views",
  "views.remove": "Removed SQL views",
} as const;

export type AuditAction = keyof typeof auditActions;

/** The actor of a command. No email and no name of a key reads like it: those of keys start with `API key`. */
export const commandLine = "command line";

/** The actor of what anyone can do without signing in, such as asking for a new password. */
export const somebody = "somebody";

export const keyActor = (name: string): string => `API key ${name}`;

/** The changed settings as a target: `time zone: Europe/Berlin, close after days: 30`. */
export function describeChange(change: object): string {
  const words = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return Object.entries(change)
    .map(([name, value]) => `${words(name)}: ${value}`)
    .join(", ");
}

/** A source as a target. Its whole id is a secret: who knows the webhook URL may send events. */
export function describeSource({ provider, id }: { provider: string; id: string }): string {
  return `${provider} ${id.slice(0, id.indexOf("-") + 7)}…`;
}

/** Quarantined events as a target: `campaign 42, unreadable`. @param filter a campaign that is undefined has no name */
export function describeQuarantined({
  campaigns,
  reason,
}: {
  campaigns?: readonly (CampaignReference | undefined)[] | undefined;
  reason?: string | undefined;
}): string {
  const names = campaigns?.map((each) =>
    each === undefined ? "unknown campaign" : `campaign ${JSON.stringify(each)}`,
  );
  return [names?.join(", ") ?? "all campaigns", reason].filter(Boolean).join(", ");
}
