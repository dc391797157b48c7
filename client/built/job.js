import { errorOf, NotFoundError } from "./errors.js";
import { pause } from "./transport.js";
/** An asynchronous render. */
export class RenderJob {
    id;
    #calls;
    #webhook;
    constructor(id, calls, webhook) {
        this.id = id;
        this.#calls = calls;
        this.#webhook = webhook;
    }
    /** How far it is. */
    report(options) {
        return this.#calls.report(this.id, options);
    }
    /** Throws `ConflictError` where it has ended. */
    cancel(options) {
        return this.#calls.cancel(this.id, options);
    }
    /** Has the webhook of a job that has ended called once more. Throws `ConflictError` before the end and without one. */
    repeatWebhook(options) {
        return this.#calls.repeatWebhook(this.id, options);
    }
    /**
     * Waits for the end and returns the render id: by asking the service, or at once when `platen.notify` gets the
     * webhook call. Throws the error of a render that failed.
     */
    async renderId(options = {}) {
        const { arrived, stop } = this.#calls.notice(this.id);
        const polling = new AbortController();
        const signal = options.signal === undefined ? polling.signal : AbortSignal.any([options.signal, polling.signal]);
        try {
            const ended = await Promise.race([arrived, this.#polled({ ...options, signal })]);
            if (ended.success)
                return ended.renderId;
            throw failureOf(ended.error, ended.code);
        }
        finally {
            stop();
            polling.abort();
        }
    }
    /** Waits for the end and downloads the document, which is possible once. */
    async document(options = {}) {
        return this.#calls.fetch(await this.renderId(options), options);
    }
    async #polled(options) {
        // Where a webhook is expected, asking only makes up for a call that was lost.
        const [firstMs, maxMs] = this.#webhook ? [5000, 30_000] : [100, 3000];
        for (let ms = firstMs;; ms = Math.min(ms * 1.5, maxMs)) {
            await pause(ms, options.signal);
            const { state, renderId, error = '', code } = await this.report(options);
            const jobId = this.id;
            if (state === 'expired')
                throw new NotFoundError('The document of this job can no longer be downloaded.');
            if (state === 'failed')
                return { jobId, success: false, error, ...(code === undefined ? {} : { code }) };
            if (renderId !== undefined)
                return { jobId, success: true, renderId };
        }
    }
}
/** A job that was cancelled or could not be started has a code of its own; the others failed as renders. */
function failureOf(message, code) {
    return errorOf(message, { status: 500, ...(code === undefined ? {} : { code }) });
}
