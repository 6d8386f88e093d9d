// Reads the body of a submitted form.

import type { FastifyRequest } from "fastify";
import { AppError } from "../../../errors.ts";
import { maxTagIds } from "../../../listing/campaigns-query.ts";
import type { Locale } from "../../../locale/locale.ts";
import { mediaTypeOf } from "../../request/body.ts";

/** The most fields of a form, with the tags that it may choose. */
const maxFields = 100 + maxTagIds;

/** @throws AppError `bad_request` if the body is not a form or has too many fields */
export function readForm({ t }: Locale, request: FastifyRequest): URLSearchParams {
  mediaTypeOf(request, ["application/x-www-form-urlencoded"]);
  const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
  return toForm({ t }, [...new URLSearchParams(body.toString("utf8"))]);
}

const multipart = "multipart/form-data";

/**
 * Reads the body of a form that may have a file.
 *
 * @throws AppError `bad_request` as {@link readForm}
 */
export async function readFormWithFile(
  locale: Locale,
  request: FastifyRequest,
): Promise<{ form: URLSearchParams; upload?: Uint8Array; uploadName?: string }> {
  const { "content-type": type = "" } = request.raw.headers;
  if (!type.toLowerCase().startsWith(multipart)) return { form: readForm(locale, request) };
  // Node.js parses the parts itself.
  const body = new Response(request.body as Buffer<ArrayBuffer>, { headers: { "content-type": type } });
  const parts = await body.formData().catch(() => {
    throw new AppError("bad_request", locale.t("ui.brokenForm"));
  });
  const texts: [string, string][] = [];
  let file: { upload: Uint8Array; uploadName: string } | undefined;
  for (const [name, value] of parts) {
    if (typeof value === "string") texts.push([name, value]);
    else file = { upload: await value.bytes(), uploadName: value.name };
  }
  return { form: toForm(locale, texts), ...file };
}

function toForm({ t }: Pick<Locale, "t">, entries: readonly [string, string][]): URLSearchParams {
  // Every get() scans all fields, so a form with many fields would be slow to read.
  if (entries.length > maxFields) {
    throw new AppError("bad_request", t("ui.tooManyFields", { count: entries.length, max: maxFields }));
  }
  return new URLSearchParams(
    entries.map(([name, value]) => [name, value.replaceAll("\r\n", "\n").replaceAll("\0", "")]),
  );
}
