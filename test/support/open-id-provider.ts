// A small OpenID provider on a real socket, whose responses a test can change.

import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

export const client = {
  clientId: "email-analytics",
  clientSecret: "the-secret-of-the-client",
  trustsEmails: false,
};

export interface TestOpenIdProvider {
  issuer: string;
  /** Claims of the next ID tokens, besides the standard ones. Undefined removes a claim. */
  claims: Record<string, unknown>;
  /** The response of the userinfo endpoint; undefined turns it off. */
  userInfo: Record<string, unknown> | undefined;
  /** Handlers that replace the standard ones, by path. */
  overrides: Map<string, (request: IncomingMessage, response: ServerResponse) => void>;
  /** The key that signs the tokens: the published one, or another. */
  signing: "own" | "foreign";
  /** The user agrees. Returns the callback URL to which the provider redirects. */
  authorize(url: string): string;
  /** The requests to the token endpoint. */
  tokenRequests: URLSearchParams[];
}

interface Granted {
  nonce: string;
  challenge: string;
  redirectUri: string;
}

const keys = {
  own: generateKeyPairSync("rsa", { modulusLength: 2048 }),
  foreign: generateKeyPairSync("rsa", { modulusLength: 2048 }),
};

export async function startProvider(test: TestContext): Promise<TestOpenIdProvider> {
  const granted = new Map<string, Granted>();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: TestOpenIdProvider = {
    issuer,
    claims: { email: "ada@example.com", email_verified: true },
    userInfo: undefined,
    overrides: new Map(),
    signing: "own",
    tokenRequests: [],
    authorize(url) {
      const query = new URL(url).searchParams;
      const code = randomBytes(8).toString("hex");
      const redirectUri = query.get("redirect_uri") ?? "";
      const [nonce, challenge] = [query.get("nonce") ?? "", query.get("code_challenge") ?? ""];
      granted.set(code, { nonce, challenge, redirectUri });
      return `${redirectUri}?${new URLSearchParams({ code, state: query.get("state") ?? "" })}`;
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split("?")[0] ?? "";
    const other = provider.overrides.get(path);
    if (other) return other(request, response);
    if (path === "/.well-known/openid-configuration")
      return sendJson(response, 200, metadataOf(issuer, provider));
    if (path === "/keys") {
      const key = keys.own.publicKey.export({ format: "jwk" });
      return sendJson(response, 200, { keys: [{ ...key, use: "sig", alg: "RS256", kid: "1" }] });
    }
    if (path === "/me") return sendJson(response, 200, { sub: "ada", ...provider.userInfo });
    if (path === "/token") return sendJson(response, ...tokensFor(await formOf(request)));
    return sendJson(response, 404, {});
  }

  function tokensFor(form: URLSearchParams): [number, object] {
    provider.tokenRequests.push(form);
    const code = form.get("code") ?? "";
    const grant = granted.get(code);
    granted.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight = grant?.challenge === challenge && grant.redirectUri === form.get("redirect_uri");
    if (!isRight) return [400, { error: "invalid_grant" }];
    if (form.get("client_secret") !== client.clientSecret) {
      return [401, { error: "invalid_client" }];
    }
    const now = Math.floor(Date.now() / 1000);
    const usual = {
      iss: issuer,
      aud: client.clientId,
      sub: "ada",
      iat: now,
      exp: now + 60,
      nonce: grant.nonce,
    };
    const token = signed({ ...usual, ...provider.claims }, keys[provider.signing].privateKey);
    return [200, { access_token: "access", token_type: "Bearer", id_token: token }];
  }
  return provider;
}

function metadataOf(issuer: string, { userInfo }: TestOpenIdProvider) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    ...(userInfo && { userinfo_endpoint: `${issuer}/me` }),
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
}

function signed(claims: object, key: Parameters<typeof sign>[2]): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const body = `${encode({ alg: "RS256", kid: "1" })}.${encode(claims)}`;
  return `${body}.${sign("sha256", Buffer.from(body), key as never).toString("base64url")}`;
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = "";
  for await (const piece of request) text += piece;
  return new URLSearchParams(text);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
