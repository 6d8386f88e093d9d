// Records the latest webhook requests of each source, also rejected ones: in memory during requests, in the database a
// little later.

import type { Logger } from "pino";
import { type Delivery, deliveriesKept, saveDeliveries } from "../../storage/keys/deliveries.ts";
import { findSource, type Source } from "../../storage/keys/sources.ts";
import { lockOrganization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";

/** How long a delivery waits for others. The page of a source looks for news every second. */
const flushAfterMs = 1_000;

export class DeliveryLog {
  readonly #database: Pick<Database, "transactionOf">;
  readonly #log: Pick<Logger, "warn">;
  #pending = new Map<string, { source: Source; deliveries: Delivery[] }>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ database, log }: { database: Pick<Database, "transactionOf">; log: Pick<Logger, "warn"> }) {
    this.#database = database;
    this.#log = log;
  }

  /** Synchronous: no request waits for the database. Of many deliveries only those are kept that the table keeps. */
  note(source: Source, delivery: Delivery): void {
    const deliveries = this.#pending.get(source.id)?.deliveries ?? [];
    deliveries.push(delivery);
    if (deliveries.length > deliveriesKept) deliveries.shift();
    this.#pending.set(source.id, { source, deliveries });
    this.#timer ??= setTimeout(() => this.flush(), flushAfterMs).unref();
  }

  /** Drops deliveries that cannot be written: the list is an aid, and events are elsewhere. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const due = this.#pending;
    this.#pending = new Map();
    for (const { source, deliveries } of due.values()) {
      try {
        await this.#write(source, deliveries);
      } catch (error) {
        this.#log.warn({ err: error, organization: source.organizationId }, "cannot record webhook requests");
      }
    }
  }

  #write({ organizationId, id }: Source, deliveries: readonly Delivery[]): Promise<void> {
    return this.#database.transactionOf(organizationId, async (scope) => {
      const organization = await lockOrganization(scope);
      // The source may have been deleted meanwhile.
      if (!organization || !(await findSource(scope.queries, id))) return;
      await saveDeliveries(scope, id, deliveries);
    });
  }
}
