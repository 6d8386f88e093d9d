// Security headers of the web application, set by helmet.

import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

/** No third-party requests, no inline scripts or styles, no framing. */
export const directives = {
  defaultSrc: ["'none'"],
  styleSrc: ["'self'"],
  scriptSrc: ["'self'"],
  connectSrc: ["'self'"],
  imgSrc: ["'self'"],
  fontSrc: ["'self'"],
  manifestSrc: ["'self'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
  baseUri: ["'none'"],
};

/** Adds the headers to every response of a scope. API responses have scopes of their own and do not pay for it. */
export async function addSecurityHeaders(scope: FastifyInstance, publicUrl: () => string): Promise<void> {
  await scope.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives },
    referrerPolicy: { policy: "same-origin" },
    xFrameOptions: { action: "deny" },
    // The header is for this host alone: others below it may not have HTTPS.
    strictTransportSecurity: publicUrl().startsWith("https:") && {
      maxAge: 365 * 24 * 60 * 60,
      includeSubDomains: false,
    },
  });
}
