// Every error that the service reports: its code, HTTP status and default public message. An error that is not in this
// table is an internal error: the log has the details, the client does not.

/** `message` is the default when the code that throws has nothing more exact to say. */
export const errors = {
  bad_request: { status: 400, message: "The request is invalid." },
  unauthorized: { status: 401, message: "A valid API key is required." },
  forbidden: {
    status: 403,
    message: "The API key does not have the scope that this request requires. Use a key with that scope.",
  },
  not_found: { status: 404, message: "No resource exists at this URL." },
  method_not_allowed: { status: 405, message: "This URL does not support the request method." },
  not_acceptable: {
    status: 406,
    message: "The resource does not exist in a format that the Accept header allows.",
  },
  request_timeout: { status: 408, message: "The request did not arrive in full before the timeout." },
  conflict: { status: 409, message: "The change conflicts with existing data." },
  gone: {
    status: 410,
    message:
      "The cursor belongs to a state of the data that no longer exists, because a backup was restored. Start again without a cursor, and with an empty copy.",
  },
  payload_too_large: { status: 413, message: "The request body is too large." },
  unsupported_media_type: { status: 415, message: "The Content-Type of the request body is not supported." },
  too_many_requests: { status: 429, message: "Too many requests. Retry later." },
  request_header_fields_too_large: {
    status: 431,
    message: "The URL and headers have more than 32 KiB together.",
  },
  internal_error: {
    status: 500,
    message:
      "An internal error occurred. The operator of this service can find the cause in the log. Give them the request ID.",
  },
  not_implemented: { status: 501, message: "This part of the protocol is not supported." },
  unavailable: { status: 503, message: "The service is temporarily unavailable. Retry later." },
  http_version_not_supported: {
    status: 505,
    message:
      "This response is sent in pieces, which HTTP/1.0 cannot mark as complete. Send HTTP/1.1; nginx needs: proxy_http_version 1.1;",
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errors;

/** An error whose message is public: it never contains a secret. Only the log shows its cause. */
export class AppError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string = errors[code].message, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** An error as a thread posts it to another one, which cannot receive its class. */
export interface PostedError {
  appError?: { code: ErrorCode; message: string; cause?: string };
  /** Stack of an unexpected error. */
  failure?: string;
}

export function toPostedError(error: unknown): PostedError {
  if (!(error instanceof AppError)) return { failure: String((error as Error).stack ?? error) };
  const { code, message, cause } = error;
  return { appError: { code, message, ...(cause !== undefined && { cause: String(cause) }) } };
}

export function fromPostedError({ appError, failure }: PostedError): Error {
  return appError ? new AppError(appError.code, appError.message, appError.cause) : new Error(failure);
}

/** Returns what was looked up. @throws AppError `not_found` if there is nothing */
export function orNotFound<Value>(value: Value | undefined | false, message?: string): Value {
  if (value === undefined || value === false) throw new AppError("not_found", message);
  return value;
}

/** The JSON body of an error response (specification 7). */
export function errorBody(code: ErrorCode, message: string = errors[code].message): string {
  return JSON.stringify({ error: code, error_message: message });
}

/** The same for OData clients (OData JSON Format 4.0, 19). */
export function odataErrorBody(code: ErrorCode, message: string): string {
  return JSON.stringify({ error: { code, message } });
}
