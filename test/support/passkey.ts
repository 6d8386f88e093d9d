// A passkey without a browser: what an authenticator returns when it creates one (WebAuthn, attestation "none").

import { generateKeyPairSync, hash, randomBytes } from "node:crypto";

/** @param page that asks for the passkey, with the options of the service */
export function createPasskey(page: string, origin: string): string {
  const [, json = "{}"] = /data-options="([^"]*)"/.exec(page) ?? [];
  const options = JSON.parse(json.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  const bytes = (hex: string) => Buffer.from(hex, "hex");
  const coseKey = Buffer.concat([
    ...[bytes("a5010203262001215820"), Buffer.from(x, "base64url")],
    ...[bytes("225820"), Buffer.from(y, "base64url")],
  ]);
  // Flags: the user was present and verified, and the credential follows.
  const authData = Buffer.concat([
    hash("sha256", new URL(origin).hostname, "buffer"),
    bytes(`4500000000${"00".repeat(16)}0010`),
    ...[id, coseKey],
  ]);
  const attestationObject = Buffer.concat([
    bytes("a363666d74646e6f6e656761747453746d74a068617574684461746158"),
    ...[Buffer.from([authData.length]), authData],
  ]);
  const clientData = { type: "webauthn.create", challenge: options.challenge, origin, crossOrigin: false };
  return JSON.stringify({
    ...{ id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key" },
    clientExtensionResults: {},
    response: {
      clientDataJSON: Buffer.from(JSON.stringify(clientData)).toString("base64url"),
      attestationObject: attestationObject.toString("base64url"),
    },
  });
}
