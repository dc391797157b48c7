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
    /** Returns the state of the job and its progress. */
    report(options) {
        return this.#calls.report(this.id, options);
    }
    /** Cancels the job. Throws `ConflictError` if it has already ended. */
    cancel(options) {
        return this.#calls.cancel(this.id, options);
    }
    /**
     * Makes the service repeat the webhook call of a job that has ended. Throws `ConflictError` if the job has not
     * ended or has no webhook.
     */
    repeatWebhook(options) {
        return this.#calls.repeatWebhook(this.id, options);
    }
    /**
     * Waits for the end of the job and returns the render id. It polls the service, and returns at once when
     * `platen.notify` receives the webhook call. Throws the error of a render that failed.
     */
    async renderId(options = {}) {
        const { arrived, stop } = this.#calls.notice(this.id);
        const polling = new AbortController();
        const signal = options.signal === undefined ? polling.signal : AbortSignal.any([options.signal, polling.signal]);
        try {
            const ended = await Promise.race([arrived, this.#polled({ ...options, signal })]);
            if (ended.success)
                return ended.renderId;
            throw failureOf(ended);
        }
        finally {
            stop();
            polling.abort();
        }
    }
    /** Waits for the end of the job and downloads the document, which is possible once. */
    async document(options = {}) {
        return this.#calls.fetch(await this.renderId(options), options);
    }
    async #polled(options) {
        // If a webhook call is expected, polling only compensates for a lost call.
        const [firstMs, maxMs] = this.#webhook ? [5000, 30_000] : [100, 3000];
        for (let ms = firstMs;; ms = Math.min(ms * 1.5, maxMs)) {
            await pause(ms, options.signal);
            const { state, renderId, error = '', code, problems } = await this.report(options);
            const jobId = this.id;
            if (state === 'expired')
                throw new NotFoundError('The document of this job can no longer be downloaded.');
            if (state === 'failed')
                return {
                    jobId,
                    success: false,
                    error,
                    ...(code === undefined ? {} : { code }),
                    ...(problems === undefined ? {} : { problems }),
                };
            if (renderId !== undefined)
                return { jobId, success: true, renderId };
        }
    }
}
/** A job that was cancelled or could not be started has a code of its own; all others failed as renders. */
function failureOf({ error, code, problems }) {
    const details = { ...(code === undefined ? {} : { code }), ...(problems === undefined ? {} : { problems }) };
    return errorOf(error, { status: 500, ...details });
}
