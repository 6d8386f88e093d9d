// Finds a tool by the id in a URL.

import { AppError } from "../../../errors.ts";
import type { Locale } from "../../../locale/locale.ts";
import type { ConnectTool } from "../../connect/connect-tool.ts";
import { tools } from "../../connect/tools.ts";

/** @throws AppError `not_found` */
export function requireTool({ t }: Locale, id: string | undefined): ConnectTool {
  const tool = tools.find((each) => each.id === id);
  if (tool) return tool;
  throw new AppError("not_found", t("connect.notFound"));
}
