// What `oidc-provider` stores, in the table `oauth_records`. Clients and its own sessions are not stored.

import { type Adapter, type AdapterPayload, errors } from "oidc-provider";
import type { Scope } from "../../../storage/queries/scope.ts";
import {
  consumeOAuthRecord,
  deleteOAuthGrant,
  deleteOAuthRecord,
  findOAuthRecord,
  organizationOfRecord,
  saveOAuthRecord,
} from "../../../storage/users/oauth-records.ts";
import type { WebContext } from "../frame/web-context.ts";
import { readClientId } from "./client-id.ts";

/**
 * @param kind of records, such as `RefreshToken`
 * @param currentAccount the account of the signed-in user, whose requests no other user finds
 */
export function oauthAdapter(
  { database, now }: Pick<WebContext, "database" | "now">,
  kind: string,
  currentAccount: () => string,
): Adapter {
  const keyOf = (id: string) => ({ kind, id: kind === "Interaction" ? `${currentAccount()}.${id}` : id });
  const run = <Result>(id: string, work: (scope: Scope) => Promise<Result>) =>
    database.transactionOf(organizationOfRecord(keyOf(id).id), work);
  return {
    async upsert(id, payload, expiresIn = 0) {
      if (kind === "Client" || kind === "Session") return;
      const user = { id: Number((payload.accountId ?? currentAccount()).split(".")[1]) };
      const expiresAt = now() + expiresIn * 1000;
      await run(id, (scope) =>
        saveOAuthRecord(scope, keyOf(id), { user, payload: { ...payload }, expiresAt, now: now() }),
      );
    },
    async find(id) {
      if (kind === "Client") return readClientId(id);
      if (kind === "Session") return undefined;
      // Strangers may send any token, so they take no lock.
      const payload = await database.queryOf(organizationOfRecord(keyOf(id).id), (scope) =>
        findOAuthRecord(scope, keyOf(id), now()),
      );
      return payload && ({ ...payload, jti: id } as AdapterPayload);
    },
    async consume(id) {
      // Two requests with the same code may have found it at the same time.
      const isFirst = await run(id, (scope) => consumeOAuthRecord(scope, keyOf(id), now()));
      if (!isFirst) throw new errors.InvalidGrant("it was used before");
    },
    async destroy(id) {
      await run(id, (scope) => deleteOAuthRecord(scope, keyOf(id)));
    },
    async revokeByGrantId(id) {
      await run(id, (scope) => deleteOAuthGrant(scope, id));
    },
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  };
}
