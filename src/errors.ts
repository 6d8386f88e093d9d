// The refusals: every code with its HTTP status and its public meaning. Whatever is not in this table is an
// internal error: logged in full, told to nobody.

/** `message` is what is said when there is nothing more exact to say. */
export const errors = {
  bad_request: { status: 400, message: "The request cannot be understood." },
  unauthorized: { status: 401, message: "A valid API key is needed." },
  forbidden: { status: 403, message: "The API key does not open this door." },
  not_found: { status: 404, message: "There is nothing at this address." },
  method_not_allowed: { status: 405, message: "This address does not take this method." },
  request_timeout: { status: 408, message: "The request did not arrive completely in time." },
  conflict: { status: 409, message: "The change contradicts what is already there." },
  payload_too_large: { status: 413, message: "The request body is too large." },
  uri_too_long: { status: 414, message: "The request address is too long." },
  unsupported_media_type: { status: 415, message: "The body is of a type that is not understood." },
  expectation_failed: { status: 417, message: "Of the header Expect only 100-continue is understood." },
  too_many_requests: { status: 429, message: "More comes in than can be taken now. Try again later." },
  request_header_fields_too_large: { status: 431, message: "The request head is too large." },
  internal_error: {
    status: 500,
    message: "The service failed. The log has the details under the request id.",
  },
  unavailable: { status: 503, message: "The service cannot answer now. Try again." },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errors;

/** A refusal whose message is meant for whoever asked: it never holds a secret. Its cause is for the log alone. */
export class AppError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string = errors[code].message, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** The body of every answer that is no success (specification 7). */
export function errorBody(code: ErrorCode, message: string = errors[code].message): string {
  return JSON.stringify({ error: code, error_message: message });
}
