// The answer to a request that is refused.

import type { ErrorCode } from "../../src/errors.ts";

/** Status and body. */
export const refusal = (status: number, error: ErrorCode, error_message: string) => [
  status,
  { error, error_message },
];
