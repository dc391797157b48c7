/** The base of all errors of the client. */
export class PlatenError extends Error {
    name = 'PlatenError';
    status;
    /** The code of the API, such as "w101" or "api.content-type"; undefined if no answer of the API came. */
    code;
    /** All problems of the template; empty for other errors. */
    problems;
    /** The id of the request in the logs of the service. */
    requestId;
    /** How long to wait before a retry, if the service states it, in ms. */
    retryAfterMs;
    constructor(message, details = {}) {
        super(message, details.cause === undefined ? undefined : { cause: details.cause });
        this.status = details.status ?? 0;
        this.code = details.code;
        this.problems = details.problems ?? [];
        this.requestId = details.requestId;
        this.retryAfterMs = details.retryAfterMs;
    }
}
/** 400, 413, 415 and 422: the request must be changed. */
export class InvalidRequestError extends PlatenError {
    name = 'InvalidRequestError';
}
/** 401 and 403: the token is missing, invalid, expired, or has insufficient permissions. */
export class AuthenticationError extends PlatenError {
    name = 'AuthenticationError';
}
/** 402: the account has no credits left. */
export class CreditsError extends PlatenError {
    name = 'CreditsError';
}
/** 404: the template, render or job is unknown, expired or has been downloaded. */
export class NotFoundError extends PlatenError {
    name = 'NotFoundError';
}
/** 409: the request conflicts with the current state, such as a job that has already ended. */
export class ConflictError extends PlatenError {
    name = 'ConflictError';
}
/**
 * The document could not be made, because of the template, its data or the document; `problems` lists their places.
 */
export class RenderError extends PlatenError {
    name = 'RenderError';
}
/** 429, 502, 503 and 504, after the last retry: the same call may succeed later. */
export class UnavailableError extends PlatenError {
    name = 'UnavailableError';
}
/** 500 and all others: the service failed. */
export class ServerError extends PlatenError {
    name = 'ServerError';
}
/** There was no complete response: the address is wrong, the network failed, or the response broke off. */
export class ConnectionError extends PlatenError {
    name = 'ConnectionError';
}
/** A webhook call that was not signed with the secret, or that is too old. */
export class WebhookError extends PlatenError {
    name = 'WebhookError';
}
/** The code of all failures of a render that its template, data or document caused. */
const renderFailed = 'w101';
/** The error class for a status and a code of the API. */
export function errorOf(message, details) {
    const { status, code, problems = [] } = details;
    if (status >= 500 && (code === renderFailed || problems.length > 0))
        return new RenderError(message, details);
    const Named = byStatus.get(status) ?? (status >= 500 ? ServerError : InvalidRequestError);
    return new Named(message, details);
}
const byStatus = new Map([
    [401, AuthenticationError],
    [403, AuthenticationError],
    [402, CreditsError],
    [404, NotFoundError],
    [409, ConflictError],
    [429, UnavailableError],
    [502, UnavailableError],
    [503, UnavailableError],
    [504, UnavailableError],
]);
/** The error that a response with a status from 400 describes. Reads its body. */
export async function errorOfAnswer(response) {
    const text = await response.text().catch(() => '');
    const body = read(text);
    const problems = Array.isArray(body['problems']) ? body['problems'] : [];
    const message = body['error'];
    const code = body['code'];
    const requestId = response.headers.get('x-request-id');
    const retryAfterMs = retryAfterOf(response);
    // A proxy between client and service responds in its own format.
    return errorOf(typeof message === 'string' ? message : `The service answered with status ${response.status}.`, {
        status: response.status,
        problems,
        ...(typeof code === 'string' ? { code } : {}),
        ...(requestId === null ? {} : { requestId }),
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
}
/** The delay of the header `retry-after` in milliseconds: seconds, or a date (RFC 9110 10.2.3). */
export function retryAfterOf({ headers }, now = Date.now()) {
    const text = headers.get('retry-after')?.trim() ?? '';
    if (/^\d+$/.test(text))
        return Number(text) * 1000;
    const date = Date.parse(text);
    return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
function read(text) {
    try {
        const value = JSON.parse(text);
        return typeof value === 'object' && value !== null ? value : {};
    }
    catch {
        return {};
    }
}
