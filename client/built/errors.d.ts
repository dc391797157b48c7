/** The errors of the client. Each class says what a caller can do about it; `code` says exactly what happened. */
import type { ErrorCode } from './api.js';
/** One problem of a template: what, where, and what to do next. */
export interface Problem {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly place?: {
        /** The part of the file, such as word/document.xml. */
        readonly part: string;
        readonly tag?: string;
        /** The paragraph, cell or line with the tag. */
        readonly snippet?: string;
        /** Where that is: "cell B2 of sheet Prices", "page 2", "line 12". */
        readonly at?: string;
    };
}
export interface ErrorDetails {
    /** The HTTP status; 0 where no answer came. */
    readonly status?: number;
    readonly code?: ErrorCode;
    readonly problems?: readonly Problem[];
    readonly requestId?: string;
    readonly retryAfterMs?: number;
    readonly cause?: unknown;
}
/** The base of all errors of the client. */
export declare class PlatenError extends Error {
    readonly name: string;
    readonly status: number;
    /** The code of the API, such as "w101", where the error has one. */
    readonly code: ErrorCode | undefined;
    /** Every problem of the template, where it has any. */
    readonly problems: readonly Problem[];
    /** The id of the request in the logs of the service. */
    readonly requestId: string | undefined;
    /** How long the service asks to wait, where it does. */
    readonly retryAfterMs: number | undefined;
    constructor(message: string, details?: ErrorDetails);
}
/** 400, 413, 415 and 422: the request must be changed. */
export declare class InvalidRequestError extends PlatenError {
    readonly name = "InvalidRequestError";
}
/** 401 and 403: the token is missing, wrong, expired, or not enough. */
export declare class AuthenticationError extends PlatenError {
    readonly name = "AuthenticationError";
}
/** 402: the account has no credits left. */
export declare class CreditsError extends PlatenError {
    readonly name = "CreditsError";
}
/** 404: the template, render or job is unknown, expired or has been downloaded. */
export declare class NotFoundError extends PlatenError {
    readonly name = "NotFoundError";
}
/** 409: it conflicts with what is there, such as a job that has ended. */
export declare class ConflictError extends PlatenError {
    readonly name = "ConflictError";
}
/** The document could not be made, because of the template, its data or the document; `problems` has the places. */
export declare class RenderError extends PlatenError {
    readonly name = "RenderError";
}
/** 429, 502, 503 and 504, after the last retry: the same call may succeed later. */
export declare class UnavailableError extends PlatenError {
    readonly name = "UnavailableError";
}
/** 500 and all others: the service failed. */
export declare class ServerError extends PlatenError {
    readonly name = "ServerError";
}
/** No answer came: the address is wrong, the network failed, or the answer broke off. */
export declare class ConnectionError extends PlatenError {
    readonly name = "ConnectionError";
}
/** A webhook call that the holder of the secret did not sign, or one that is too old. */
export declare class WebhookError extends PlatenError {
    readonly name = "WebhookError";
}
/** The class for a status, and for the code of the API. */
export declare function errorOf(message: string, details: ErrorDetails & {
    readonly status: number;
}): PlatenError;
/** The error that an answer with a status from 400 describes. Reads its body. */
export declare function errorOfAnswer(response: Response): Promise<PlatenError>;
/** The header `retry-after` in milliseconds from now: seconds, or a date (RFC 9110 10.2.3). */
export declare function retryAfterOf({ headers }: Response, now?: number): number | undefined;
