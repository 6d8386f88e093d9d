// Finds a tool by the id in a URL.

import { orNotFound } from "../../../errors.ts";
import type { Locale } from "../../../locale/locale.ts";
import type { ConnectTool } from "../../connect/connect-tool.ts";
import { tools } from "../../connect/tools.ts";

/** @throws AppError `not_found` */
export function requireTool({ t }: Locale, id: string | undefined): ConnectTool {
  return orNotFound(
    tools.find((tool) => tool.id === id),
    t("connect.notFound"),
  );
}
