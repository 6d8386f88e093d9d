// The text of a file in `connectors/`, with the URL of this service.

import { readFileSync } from "node:fs";

/** The folder is beside `src/` in a checkout, and beside `dist/` in the package. */
const folder = new URL("../../../connectors/", import.meta.url);

/**
 * @param path below `connectors/`, from the table of tools
 * @param address the base URL of the service, without a slash at the end
 */
export function connectorText(path: string, address: string): string {
  return fillInAddress(readFileSync(new URL(path, folder), "utf8"), address);
}

/** Replaces each `{{address}}`. Expressions of the tools, such as `{{ config['url'] }}`, stay. */
export function fillInAddress(text: string, address: string): string {
  return text.replaceAll("{{address}}", () => address);
}

/** The values of `{{address}}`, `{{organization}}` and `{{key}}`. */
export interface Placeholders {
  address: string;
  /** The id of the organization. */
  organization: number;
  /** A key that was just created; `…` by default. */
  key?: string | undefined;
}

/** Does the same as {@link fillInAddress} for the table of tools, with the key, which files never contain. */
export function fillInText(text: string, { address, organization, key = "…" }: Placeholders): string {
  return fillInAddress(text, address)
    .replaceAll("{{organization}}", String(organization))
    .replaceAll("{{key}}", key);
}
