// The table of all providers' examples: a provider without one does not compile.

import type { ProviderName } from "../../../src/providers/providers.ts";
import { azureExample } from "./azure.ts";
import { brevoExample } from "./brevo.ts";
import { mailgunExample } from "./mailgun.ts";
import { mandrillExample } from "./mandrill.ts";
import { postmarkExample } from "./postmark.ts";
import type { ProviderExample } from "./provider-example.ts";
import { resendExample } from "./resend.ts";
import { sendgridExample } from "./sendgrid.ts";
import { sesExample } from "./ses.ts";
import { sparkpostExample } from "./sparkpost.ts";

export const providerExamples: Record<ProviderName, ProviderExample> = {
  azure: azureExample,
  brevo: brevoExample,
  mailgun: mailgunExample,
  mandrill: mandrillExample,
  postmark: postmarkExample,
  resend: resendExample,
  sendgrid: sendgridExample,
  ses: sesExample,
  sparkpost: sparkpostExample,
};
