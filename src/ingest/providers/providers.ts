// The table of providers.

import { postmark } from "./postmark.ts";
import type { Provider } from "./provider.ts";

export const providers = {
  postmark,
} as const satisfies Record<string, Provider>;

export type ProviderName = keyof typeof providers;

export const providerNames = Object.keys(providers) as ProviderName[];

/** @throws Error for a name that is not in the table: a newer program made the source */
export function findProvider(name: string): Provider {
  const found = providerNames.find((each) => each === name);
  if (!found) throw new Error(`the provider ${name} is not known to this version`);
  return providers[found];
}
