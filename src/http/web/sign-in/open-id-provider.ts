// The OpenID provider: what is asked of it, and what its answers come to.

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
import type { OpenIdSettings } from "../web-context.ts";

/** For each answer of the provider, in seconds: somebody waits for the page. */
const timeoutSeconds = 5;

/** What shows later that an answer belongs to the question. */
export interface Question {
  state: string;
  nonce: string;
  verifier: string;
}

export class OpenIdProvider {
  readonly #settings: OpenIdSettings;
  #found: Promise<Configuration> | undefined;

  constructor(settings: OpenIdSettings) {
    this.#settings = settings;
  }

  /** Where to send somebody so that the provider says who they are, to the address `backTo`. */
  async ask(backTo: string): Promise<{ url: URL; question: Question }> {
    const configuration = await this.#find();
    const question = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: backTo,
      scope: "openid email",
      state: question.state,
      nonce: question.nonce,
      code_challenge: await calculatePKCECodeChallenge(question.verifier),
      code_challenge_method: "S256",
    });
    return { url, question };
  }

  /** @returns the email that counts (see the setting OIDC_EMAILS); undefined where there is none */
  async emailIn(answer: URL, { state, nonce, verifier }: Question): Promise<string | undefined> {
    const configuration = await this.#find();
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
    const tokens = await authorizationCodeGrant(configuration, answer, checks);
    const claims = tokens.claims();
    if (!claims) return undefined;
    // Some put no more into the token than whose it is.
    const isElsewhere = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint;
    const { email, email_verified: isVerified } = isElsewhere
      ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : claims;
    // What it says it has not verified is nobody's, whatever is set.
    const counts = isVerified === true || (this.#settings.trustsEmails && isVerified === undefined);
    return typeof email === "string" && counts ? email : undefined;
  }

  /** Found when it is first needed, so that the service starts without it; a failure is not remembered. */
  #find(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    // The settings take http of the same machine only.
    const insecure = issuer.startsWith("http:") ? [allowInsecureRequests] : [];
    const execute = [enableNonRepudiationChecks, ...insecure];
    this.#found ??= discovery(new URL(issuer), clientId, clientSecret, undefined, {
      timeout: timeoutSeconds,
      execute,
    }).catch((error: unknown) => {
      this.#found = undefined;
      throw error;
    });
    return this.#found;
  }
}

const providerFailures = [
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR",
];

/** Whether the provider has failed, or what is set of it is wrong; otherwise the one who came back was refused. */
export function isProviderFailure(error: unknown): boolean {
  if (error instanceof AuthorizationResponseError) return error.error === "server_error";
  if (error instanceof ResponseBodyError) return error.error !== "invalid_grant";
  return !(error instanceof ClientError) || providerFailures.includes(error.code ?? "");
}

/** What of an error can be logged: no token, and no secret. */
export function factsOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { reason: "unknown" };
  const { code } = error as { code?: unknown };
  const said = error instanceof AuthorizationResponseError || error instanceof ResponseBodyError;
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  return {
    reason: error.message.slice(0, 300),
    ...(typeof code === "string" && { code }),
    ...(said && { provider_error: error.error.slice(0, 100) }),
    ...(cause !== undefined && { cause: cause.slice(0, 300) }),
  };
}
