// The certificates that Amazon SNS signs with, fetched once and cached.

import { X509Certificate } from "node:crypto";
import { LRUCache } from "lru-cache";
import { AppError } from "../errors.ts";
import type { WebhookRequest } from "./provider.ts";

/** Amazon uses one certificate per region at a time. The limit bounds the memory that made-up URLs could take. */
const cache = new LRUCache<string, Promise<X509Certificate>>({ max: 100 });

/**
 * The certificate at a URL whose host is known to be Amazon's. Single-flight: concurrent calls share one request.
 * Failures are not cached.
 *
 * @throws AppError `unavailable` if Amazon does not respond with a certificate
 */
export function loadSnsCertificate(url: string, fetch: WebhookRequest["fetch"]): Promise<X509Certificate> {
  const cached = cache.get(url);
  if (cached) return cached;
  const certificate = fetchCertificate(url, fetch);
  cache.set(url, certificate);
  certificate.catch(() => cache.delete(url));
  return certificate;
}

/** TLS has authenticated the host, so the chain of this certificate does not need to be verified, too. */
async function fetchCertificate(url: string, fetch: WebhookRequest["fetch"]): Promise<X509Certificate> {
  const pem = await fetch(url);
  try {
    const certificate = new X509Certificate(pem);
    if (certificate.publicKey.asymmetricKeyType === "rsa") return certificate;
  } catch {
    // Reported below, like a certificate with another type of key.
  }
  throw new AppError(
    "unavailable",
    "SigningCertURL: the response of Amazon is not an SNS certificate. Try again.",
  );
}
