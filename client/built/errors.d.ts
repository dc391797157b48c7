/**
 * The errors of the client. Each class corresponds to what a caller can do about the error; `code` identifies its
 * cause.
 */
import type { ErrorCode } from './api.js';
/** One problem of a template: its description, its place, and a suggestion. */
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
        /** The position of the tag: "cell B2 of sheet Prices", "page 2", "line 12". */
        readonly at?: string;
    };
}
export interface ErrorDetails {
    /** The HTTP status; 0 without a response. */
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
    /** The code of the API, such as "w101" or "api.content-type"; undefined if no answer of the API came. */
    readonly code: ErrorCode | undefined;
    /** All problems of the template; empty for other errors. */
    readonly problems: readonly Problem[];
    /** The id of the request in the logs of the service. */
    readonly requestId: string | undefined;
    /** How long to wait before a retry, if the service states it, in ms. */
    readonly retryAfterMs: number | undefined;
    constructor(message: string, details?: ErrorDetails);
}
/** 400, 413, 415 and 422: the request must be changed. */
export declare class InvalidRequestError extends PlatenError {
    readonly name = "InvalidRequestError";
}
/** 401 and 403: the token is missing, invalid, expired, or has insufficient permissions. */
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
/** 409: the request conflicts with the current state, such as a job that has already ended. */
export declare class ConflictError extends PlatenError {
    readonly name = "ConflictError";
}
/**
 * The document could not be made, because of the template, its data or the document; `problems` lists their places.
 */
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
/** There was no complete response: the address is wrong, the network failed, or the response broke off. */
export declare class ConnectionError extends PlatenError {
    readonly name = "ConnectionError";
}
/** A webhook call that was not signed with the secret, or that is too old. */
export declare class WebhookError extends PlatenError {
    readonly name = "WebhookError";
}
/** The error class for a status and a code of the API. */
export declare function errorOf(message: string, details: ErrorDetails & {
    readonly status: number;
}): PlatenError;
/** The error that a response with a status from 400 describes. Reads its body. */
export declare function errorOfAnswer(response: Response): Promise<PlatenError>;
/** The delay of the header `retry-after` in milliseconds: seconds, or a date (RFC 9110 10.2.3). */
export declare function retryAfterOf({ headers }: Response, now?: number): number | undefined;
