// The base URL of a service, to which the paths of its API are added.

import { paths } from "../../paths.ts";

/** Accepts the URL of the emails endpoint, too, which people copy from a service. @param url has no query */
export function baseUrlOf({ href }: URL): URL {
  return new URL(href.replace(/\/+$/, "").replace(new RegExp(`${paths.api.emails}$`), ""));
}
