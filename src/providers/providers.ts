// The table of email providers.

import { azure } from "./azure.ts";
import { brevo } from "./brevo.ts";
import { mailgun } from "./mailgun.ts";
import { mandrill } from "./mandrill.ts";
import { postmark } from "./postmark.ts";
import type { Provider } from "./provider.ts";
import { resend } from "./resend.ts";
import { sendgrid } from "./sendgrid.ts";
import { ses } from "./ses.ts";
import { sparkpost } from "./sparkpost.ts";

export const providers = {
  azure,
  brevo,
  mailgun,
  mandrill,
  postmark,
  resend,
  sendgrid,
  ses,
  sparkpost,
} as const satisfies Record<string, Provider>;

export type ProviderName = keyof typeof providers;

export const providerNames = Object.keys(providers) as ProviderName[];

/** @throws Error if this version does not know the provider: a newer version created the source */
export function findProvider(name: string): Provider {
  const known = providerNames.find((each) => each === name);
  if (!known) throw new Error(`this version does not know the provider ${name}`);
  return providers[known];
}

/** Describes a provider, even one of a newer version, which keeps the name that is stored. */
export function describeProvider(name: string): { title: string; secret?: Provider["secret"] } {
  const known: Provider | undefined = providerNames.some((each) => each === name)
    ? findProvider(name)
    : undefined;
  return known ?? { title: name };
}
