// Checks the secret that a person enters for a source.

import { isStorable } from "../campaign/fields/validate-fields.ts";
import type { Provider } from "./provider.ts";

const maxSecretLength = 10_000;

/** Completes the sentence "the value is not …"; undefined if the provider can have such a secret. Never contains it. */
export function findSecretProblem(secret: string, { format }: Provider["secret"]): string | undefined {
  const isText = secret.length >= 1 && secret.length <= maxSecretLength && isStorable(secret);
  if (!isText) return `text of 1 to ${maxSecretLength} characters`;
  return format && !format.isValid(secret) ? format.description : undefined;
}
