// The option `--secret` of sources.

import { buffer } from "node:stream/consumers";
import { AppError } from "../../errors.ts";
import { findProvider } from "../../providers/providers.ts";
import { findSecretProblem } from "../../providers/secret-problem.ts";
import type { Shell } from "../shell/shell.ts";

export const secretHelp =
  "the secret that authenticates the provider; - reads it from standard input, which keeps it out of the shell history and the process list";

/** The value of `--secret`; `-` reads it from standard input, without the line break at its end. */
export async function readSecret({ stdin }: Shell, option: string | undefined): Promise<string | undefined> {
  if (option !== "-") return option;
  return (await buffer(stdin)).toString().replace(/\r?\n$/, "");
}

/** @throws AppError `bad_request` if the provider cannot have such a secret; the message does not contain it */
export function checkSecret(secret: string | undefined, provider: string): void {
  if (secret === undefined) return;
  const accepted = findSecretProblem(secret, findProvider(provider).secret);
  if (accepted !== undefined) throw new AppError("bad_request", `--secret: the value is not ${accepted}`);
}
