// The authorization server for assistants (OAuth 2.1, RFC 8414, RFC 7591, RFC 8707), by oidc-provider.

import { AsyncLocalStorage } from "node:async_hooks";
import { generateKeyPairSync } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import Provider, { errors, type KoaContextWithOIDC } from "oidc-provider";
import { dayMs, hourMs, minuteMs } from "../../../campaign/calendar/durations.ts";
import { paths, webPaths } from "../../../paths.ts";
import { sessionOfGrant } from "../../../storage/users/oauth-records.ts";
import type { User } from "../../../storage/users/users.ts";
import { accountOf, oauthScope } from "../../request/oauth.ts";
import type { WebContext } from "../frame/web-context.ts";
import { makeClientId, readClientId } from "./client-id.ts";
import { oauthAdapter } from "./oauth-adapter.ts";

/** How long each lives, in seconds. The session of a grant ends before, as those of browsers do. */
const lifetimes = {
  Interaction: (10 * minuteMs) / 1000,
  AuthorizationCode: 60,
  AccessToken: hourMs / 1000,
  RefreshToken: (30 * dayMs) / 1000,
  Grant: (30 * dayMs) / 1000,
  Session: 60,
  IdToken: 60,
};

/** A client asks a user for access. */
interface PendingRequest {
  interaction: InstanceType<Provider["Interaction"]>;
  /** The name that the client gave itself; may be empty. */
  name: string;
  /** Where the browser takes the code. */
  host: string;
}

/** What the types of the library leave out. */
interface TokenModel {
  accountId: string;
  generateTokenId(): string;
}

export class OAuthServer {
  readonly #provider: Provider;
  readonly #callback: ReturnType<Provider["callback"]>;
  readonly #resource: string;
  /** The account of the signed-in user of the request at hand; empty for requests of clients. */
  readonly #account = new AsyncLocalStorage<string>();

  /** @param publicUrl the issuer, without a trailing slash */
  constructor(context: Pick<WebContext, "database" | "now" | "log">, publicUrl: string) {
    const resource = `${publicUrl}${paths.mcp}`;
    const currentAccount = () => this.#account.getStore() ?? "";
    // No token is signed, but the library asks for a key.
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { server: _server, resource: _resource, ...routes } = paths.oauth;
    this.#provider = new Provider(publicUrl, {
      adapter: (kind) => oauthAdapter(context, kind, currentAccount),
      jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "ES256", use: "sig" } as never] },
      clientDefaults: { id_token_signed_response_alg: "ES256" },
      clientAuthMethods: ["none"],
      responseTypes: ["code"],
      scopes: ["offline_access"],
      pkce: { required: () => true },
      cookies: { long: { signed: false }, short: { signed: false } },
      routes,
      ttl: lifetimes,
      interactions: { url: (_, { uid }) => `${webPaths.assistant}/${uid}` },
      findAccount: async (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
      issueRefreshToken: async () => true,
      rotateRefreshToken: true,
      expiresWithSession: async () => false,
      renderError: (ctx, { error, error_description: description }) => {
        ctx.type = "text/plain";
        ctx.body = `${description ?? error}\nConnect again from your assistant.\n`;
      },
      features: {
        devInteractions: { enabled: false },
        userinfo: { enabled: false },
        // Their paths and proofs are not served, so clients must not find them in the metadata.
        pushedAuthorizationRequests: { enabled: false },
        dPoP: { enabled: false },
        rpInitiatedLogout: { enabled: false },
        revocation: {
          enabled: true,
          allowedPolicy: async (_, client, token) => token.clientId === client.clientId,
        },
        registration: { enabled: true, issueRegistrationAccessToken: false, idFactory: registerClient },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => resource,
          useGrantedResource: () => true,
          getResourceServerInfo: (_, asked) => {
            if (asked !== resource) throw new errors.InvalidTarget(`the only resource is ${resource}`);
            return { scope: oauthScope, audience: resource, accessTokenFormat: "opaque" };
          },
        },
      },
    });
    this.#provider.proxy = true;
    this.#provider.on("server_error", (_, error) =>
      context.log.error({ err: error }, "OAuth request failed"),
    );
    // Tokens start with the organization, as those of cookies do: a look-up touches no row of another one.
    for (const kind of ["AccessToken", "RefreshToken", "AuthorizationCode", "Grant"] as const) {
      const model = this.#provider[kind].prototype as unknown as TokenModel;
      const { generateTokenId } = model;
      model.generateTokenId = function () {
        return `${this.accountId.split(".")[0]}.${generateTokenId.call(this)}`;
      };
    }
    this.#resource = resource;
    this.#callback = this.#provider.callback();
  }

  /** Answers a request of a browser, with the account of its user, or of a client, with an empty account. */
  handle(account: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.#account.run(account, () => this.#callback(request, response));
  }

  /** A request that waits for its user; undefined if it is another user's, has expired or was answered. */
  async findRequest(user: User, uid: string): Promise<PendingRequest | undefined> {
    const interaction = await this.#account.run(accountOf(user), () => this.#provider.Interaction.find(uid));
    // A second press of Allow would start a second session.
    if (!interaction || interaction.result) return undefined;
    const client = readClientId(String(interaction.params.client_id));
    const uri = interaction.params.redirect_uri ?? client?.redirect_uris[0];
    return client && { interaction, name: client.client_name, host: new URL(String(uri)).host };
  }

  /**
   * Saves the answer of the user.
   *
   * @param answer.save starts the session with this hash; undefined if the user refuses
   * @returns where the browser goes next
   */
  async answer(
    user: User,
    { interaction }: PendingRequest,
    save?: (hash: string) => Promise<void>,
  ): Promise<string> {
    const accountId = accountOf(user);
    return this.#account.run(accountId, async () => {
      if (save) {
        const grant = new this.#provider.Grant({ accountId, clientId: String(interaction.params.client_id) });
        grant.addResourceScope(this.#resource, oauthScope);
        // Clients ask for what the metadata lists. A scope that is missing would ask the user again.
        grant.addOIDCScope("openid offline_access");
        const grantId = await grant.save();
        await save(sessionOfGrant(grantId));
        interaction.result = { login: { accountId }, consent: { grantId } };
      } else interaction.result = { error: "access_denied", error_description: "the user refused" };
      await interaction.save(lifetimes.Interaction);
      return interaction.returnTo;
    });
  }
}

/** Keeps what a client id contains of the metadata, and makes the client a public one. */
function registerClient({ oidc }: KoaContextWithOIDC): string {
  const id = makeClientId(oidc.body ?? {});
  const client = id === undefined ? undefined : readClientId(id);
  if (id === undefined || !client) {
    throw new errors.InvalidClientMetadata(
      "redirect_uris must be https URLs, or http URLs of this computer, and fit in a client id of 2,000 characters",
    );
  }
  Object.assign(oidc, { body: client });
  return id;
}
