// The client of an OpenID provider.

import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import type { OpenIdSettings } from "../frame/web-context.ts";

/** Timeout of each request to the provider, in seconds. A user is waiting for the page. */
const timeoutSeconds = 5;

/** Proves later that a response belongs to this request. */
export interface AuthorizationRequest {
  state: string;
  nonce: string;
  /** The PKCE code verifier (RFC 7636). */
  verifier: string;
}

export class OpenIdProvider {
  readonly #settings: OpenIdSettings;
  #configuration: Promise<Configuration> | undefined;

  constructor(settings: OpenIdSettings) {
    this.#settings = settings;
  }

  /** The provider's sign-in page, which redirects to `callbackUrl`. */
  async authorizationUrl(callbackUrl: string): Promise<{ url: URL; request: AuthorizationRequest }> {
    const configuration = await this.#discover();
    const request = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: callbackUrl,
      scope: "openid email",
      state: request.state,
      nonce: request.nonce,
      code_challenge: await calculatePKCECodeChallenge(request.verifier),
      code_challenge_method: "S256",
    });
    return { url, request };
  }

  /** The email in a response that the setting OIDC_EMAILS accepts; undefined if there is none. */
  async verifiedEmail(
    response: URL,
    { state, nonce, verifier }: AuthorizationRequest,
  ): Promise<string | undefined> {
    const configuration = await this.#discover();
    const tokens = await authorizationCodeGrant(configuration, response, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
    });
    const claims = tokens.claims();
    if (!claims) return undefined;
    // Some providers leave the email out of the ID token and return it from the userinfo endpoint.
    const needsUserInfo = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint;
    const { email, email_verified: isVerified } = needsUserInfo
      ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : claims;
    // An email that is explicitly not verified never counts.
    const isAccepted = isVerified === true || (this.#settings.trustsEmails && isVerified === undefined);
    return typeof email === "string" && isAccepted ? email : undefined;
  }

  /** Discovers the provider on first use, so that the service starts without it. Failures are not cached. */
  #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    // The settings accept http only for localhost.
    const insecure = issuer.startsWith("http:") ? [allowInsecureRequests] : [];
    this.#configuration ??= discovery(new URL(issuer), clientId, clientSecret, undefined, {
      timeout: timeoutSeconds,
      execute: [enableNonRepudiationChecks, ...insecure],
    }).catch((error: unknown) => {
      this.#configuration = undefined;
      throw error;
    });
    return this.#configuration;
  }
}

const providerFailures = [
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR",
];

/** Whether the provider failed or is misconfigured. Otherwise the response itself was invalid or denied. */
export function isProviderFailure(error: unknown): boolean {
  if (error instanceof AuthorizationResponseError) return error.error === "server_error";
  if (error instanceof ResponseBodyError) return error.error !== "invalid_grant";
  return !(error instanceof ClientError) || providerFailures.includes(error.code ?? "");
}

/** The fields of an error that are safe to log: no tokens and no secrets. */
export function loggableFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { reason: "unknown" };
  const { code } = error as { code?: unknown };
  const isResponse = error instanceof AuthorizationResponseError || error instanceof ResponseBodyError;
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  return {
    reason: error.message.slice(0, 300),
    ...(typeof code === "string" && { code }),
    ...(isResponse && { provider_error: error.error.slice(0, 100) }),
    ...(cause !== undefined && { cause: cause.slice(0, 300) }),
  };
}
