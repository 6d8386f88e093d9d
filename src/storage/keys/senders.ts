// Who can send events: API keys with the scope `ingest`, and sources. Both have numbers from one sequence.

import { describeSource, keyActor } from "../../access/audit-actions.ts";
import type { Scope } from "../queries/scope.ts";
import { listApiKeys } from "./api-keys.ts";
import { listSources } from "./sources.ts";

interface NamedSender {
  /** The name of the key or webhook in the audit log. */
  name: string;
  /** Whether a user made it in the web application, and so may know its secret. */
  isFromWeb: boolean;
}

/** The senders of events, by their number. */
export async function findSenders(scope: Scope): Promise<Map<number, NamedSender>> {
  const keys = (await listApiKeys(scope)).filter((key) => key.scope === "ingest");
  const sources = await listSources(scope);
  const senders = new Map<number, NamedSender>();
  const named = [
    ...keys.map((key) => ({ ...key, name: keyActor(key.name) })),
    ...sources.map((source) => ({ ...source, name: describeSource(source) })),
  ];
  for (const { sender, name, createdBy } of named) {
    senders.set(sender, { name, isFromWeb: createdBy !== null || senders.get(sender)?.isFromWeb === true });
  }
  return senders;
}
