// GET /connect/:tool/:file: the files of a tool with the URL of this service. They hold no secret, so they need no session.

import type { FastifyInstance } from "fastify";
import { orNotFound } from "../../../errors.ts";
import { localeOf } from "../../../locale/locale.ts";
import { webPaths } from "../../../paths.ts";
import { connectorText } from "../../connect/connector-text.ts";
import { requireTool } from "./require-tool.ts";

/** @param publicUrl the base URL that replaces `{{address}}` */
export function addConnectorFiles(scope: FastifyInstance, publicUrl: () => string): void {
  scope.get<{ Params: { tool: string; file: string } }>(
    `${webPaths.connect}/:tool/:file`,
    async (request, reply) => {
      const { params } = request;
      const locale = localeOf(request);
      const file = orNotFound(
        requireTool(locale, params.tool).files.find(({ name }) => name === params.file),
        locale.t("connect.fileNotFound"),
      );
      return reply
        .headers({
          "content-type": file.contentType,
          "content-disposition": `attachment; filename="${file.name}"`,
          "cache-control": "no-cache",
        })
        .send(connectorText(file.path, publicUrl()));
    },
  );
}
