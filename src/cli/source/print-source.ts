// Prints sources: their rows, webhook URLs, and hints about missing settings.

import { paths } from "../../paths.ts";
import { findProvider } from "../../providers/providers.ts";
import type { Source } from "../../storage/keys/sources.ts";
import type { Output } from "../shell/output.ts";
import { publicUrlOf, warnWithoutPublicUrl } from "../shell/public-url.ts";
import type { Shell } from "../shell/shell.ts";

export function toRow(shell: Shell, source: Source) {
  const { id, provider, campaignField, secret, createdAt, sender } = source;
  return {
    id,
    provider,
    sender,
    campaign_field: campaignField,
    has_secret: secret !== undefined,
    added: new Date(createdAt).toISOString().slice(0, 10),
    url: webhookUrl(shell, source),
  };
}

export function webhookUrl(shell: Shell, { id }: Pick<Source, "id">): string {
  return `${publicUrlOf(shell)}${paths.ingest.webhooks}/${id}`;
}

export function warnOfWebhookUrl(shell: Shell): void {
  warnWithoutPublicUrl(shell, "webhook URL", "providers");
}

/** Says how to set the secret of a source that has none; in --json only if the provider requires one. */
export function printSecretHint(output: Output, { id, organizationId, provider }: Source): void {
  const { title, secret } = findProvider(provider);
  if (output.json && !secret.isRequired) return;
  const description = secret.description.replaceAll("`", "");
  const command = `email-analytics source change --organization ${organizationId} --id ${id} --secret -`;
  output.stderr.write(
    secret.isRequired
      ? `Events from ${title} get 401 until the source has its secret: ${description}. Create the webhook at ${title}, then run: ${command}\n`
      : `The source has no secret: anyone who knows the webhook URL can send events. It can have one: ${description}. To set it, run: ${command}\n`,
  );
}
