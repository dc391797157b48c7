/** Sends requests, and repeats them where that is safe. Uses only web standards. */
import { ConnectionError, errorOfAnswer } from "./errors.js";
/** Statuses after which the same call may succeed, and the status of a service that did not begin. */
const transient = new Set([408, 429, 502, 503, 504]);
const refused = 429;
/** The status of a call whose key belongs to a call that is still running. The response then has `retry-after`. */
const running = 409;
const firstPauseMs = 250;
export function createTransport(options) {
    const base = String(options.url).replace(/\/+$/, '');
    const retries = options.retries ?? 3;
    const maxPauseMs = options.maxPauseMs ?? 30_000;
    // A method of the global object must be called on it.
    const fetcher = options.fetch ?? ((url, init) => fetch(url, init));
    return { streams: options.streams ?? canStream(), retries, backoffMs, send };
    function backoffMs(repetition) {
        return Math.min(firstPauseMs * 2 ** repetition, maxPauseMs) * jitter();
    }
    async function send(call) {
        const sent = withKey(call);
        const once = sent.body?.once === true;
        for (let attempt = 0;; attempt++) {
            const outcome = await attemptOnce(sent);
            if (outcome instanceof Response)
                return outcome;
            const pauseMs = outcome.retryAfterMs ?? backoffMs(attempt);
            if (once || attempt >= retries || !repeats(sent, outcome) || pauseMs > maxPauseMs)
                throw outcome;
            await pause(pauseMs, sent.signal);
        }
    }
    async function attemptOnce(sent) {
        const { method, path, query = {}, body, signal } = sent;
        signal?.throwIfAborted();
        const headers = new Headers(options.headers);
        const token = typeof options.token === 'function' ? await options.token() : options.token;
        if (token !== undefined)
            headers.set('authorization', `Bearer ${token}`);
        if (body?.type !== undefined)
            headers.set('content-type', body.type);
        for (const [name, value] of Object.entries(sent.headers ?? {}))
            headers.set(name, value);
        const init = { method, headers };
        if (signal !== undefined)
            init.signal = signal;
        if (body !== undefined)
            init.body = body.make();
        if (init.body instanceof ReadableStream)
            init.duplex = 'half';
        try {
            const response = await fetcher(`${base}${path}${queryText(query)}`, init);
            return response.status < 400 ? response : await errorOfAnswer(response);
        }
        catch (cause) {
            signal?.throwIfAborted();
            return new ConnectionError(`No answer came from ${new URL(base).origin}.`, { cause });
        }
    }
}
/** Adds an `idempotency-key` to the call, which is the same in all attempts. */
function withKey(sent) {
    if (sent.repeat !== 'keyed')
        return sent;
    const key = sent.idempotencyKey ?? newKey();
    return { ...sent, headers: { 'idempotency-key': key, ...sent.headers } };
}
/** 128 random bits. `crypto.randomUUID` is missing in pages that were loaded over plain HTTP. */
function newKey() {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
function repeats({ repeat }, { status, retryAfterMs }) {
    if (repeat === 'keyed' && status === running)
        return retryAfterMs !== undefined;
    if (repeat === 'refused')
        return status === refused;
    return status === 0 || transient.has(status);
}
/** A random factor between 0.5 and 1, which spreads the retries of callers that failed together. */
const jitter = () => 1 - Math.random() / 2;
/** Resolves after `ms`. Throws the reason of the signal when it aborts. */
export function pause(ms, signal) {
    return new Promise((resolve, reject) => {
        const stop = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        if (signal?.aborted === true)
            return reject(signal.reason);
        const timer = setTimeout(() => {
            signal?.removeEventListener('abort', stop);
            resolve();
        }, ms);
        signal?.addEventListener('abort', stop, { once: true });
    });
}
function queryText(query) {
    const parameters = Object.entries(query).flatMap(([name, value]) => value === undefined ? [] : [[name, String(value)]]);
    return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`;
}
/**
 * Whether `fetch` can stream a request body. Browsers can only over HTTP/2, or not at all, and this cannot be
 * detected beforehand; `importScripts` and `window` exist in their workers and pages, and in no other runtime.
 */
function canStream() {
    return !('window' in globalThis) && !('importScripts' in globalThis);
}
