import { runBatch } from "./batch.js";
import { PlatenDocument } from "./document.js";
import { RenderJob } from "./job.js";
import { queueOf } from "./queue.js";
import { isFile, jsonBody, jsonBodyWithFile } from "./source.js";
import { Templates } from "./templates.js";
import { createTransport, pause, } from "./transport.js";
/** A client of the service. It keeps no connections open; one per program is sufficient. */
export class Platen {
    /** The stored templates. */
    templates;
    #transport;
    #waiting = new Map();
    constructor(options) {
        this.#transport = createTransport(options);
        this.templates = new Templates(this.#transport);
    }
    /**
     * Fills a template, given by its id or as a file, converts it, and returns the document. Without `data` it only
     * converts.
     */
    async render(template, request = {}, options = {}) {
        const query = { download: true };
        // The service stores nothing, so the call may be repeated.
        return new PlatenDocument(await this.#start(template, request, { ...options, query, repeat: 'always' }));
    }
    /**
     * Like `render`, but the service keeps the document for one download within an hour. Returns its id, for `fetch`.
     */
    async store(template, request = {}, options = {}) {
        const response = await this.#start(template, request, { ...options, repeat: 'keyed' });
        return (await response.json()).data;
    }
    /** Downloads a stored document, which is possible once. */
    async fetch(renderId, options = {}) {
        const path = `/render/${encodeURIComponent(renderId)}`;
        return new PlatenDocument(await this.#transport.send({ ...options, method: 'GET', path, repeat: 'always' }));
    }
    /** Renders in the background. `await job.document()` waits for the end. */
    async renderAsync(template, request = {}, { webhook, ...options } = {}) {
        const response = await this.#start(template, request, {
            ...options,
            headers: {
                ...(webhook === undefined ? { prefer: 'respond-async' } : headersOf(webhook)),
                ...options.headers,
            },
            repeat: 'keyed',
        });
        await response.body?.cancel();
        return this.#job(response.headers.get('service-job-id') ?? '', webhook !== undefined);
    }
    /** A job by its id, for instance one that another process started. */
    job(id) {
        return this.#job(id, false);
    }
    /**
     * The jobs of the last day, newest first: all of them, or only those whose webhook call was delivered or was not.
     */
    async *jobs(query = {}, options = {}) {
        for (let cursor = query.cursor;;) {
            const response = await this.#get('/jobs', { ...options, query: { ...query, cursor } });
            const page = (await response.json());
            yield* page.data;
            if (!page.hasMore)
                return;
            cursor = page.nextCursor;
        }
    }
    /** Passes a verified webhook call to the jobs of this client that wait for it. */
    notify(notice) {
        for (const arrived of this.#waiting.get(notice.jobId) ?? [])
            arrived(notice);
    }
    /**
     * Makes a document of each item and returns them in the order of the items, each as soon as it is made. Items are
     * read while documents arrive. A call that breaks off is repeated from the first item without a document.
     */
    async *batch(template, { items, ...request }, { size = 32, onError = 'throw', ...options } = {}) {
        const inline = isFile(template);
        const path = `/render/${inline ? 'template' : encodeURIComponent(template)}/stream`;
        const first = { ...request, batchOnError: 'report' };
        const body = inline ? await jsonBodyWithFile(first, template, false) : jsonBody(first);
        const head = await new Response(body.make()).blob();
        const stop = new AbortController(); // ends the upload when the source of the items fails or the caller stops reading
        const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
        const headers = { ...options.headers, accept: 'multipart/mixed' };
        const { streams, retries, backoffMs, send } = this.#transport;
        const queue = queueOf(items, size, (error) => stop.abort(error));
        try {
            const calls = {
                streams,
                retries,
                send: (lines) => send({ method: 'POST', path, body: lines, repeat: 'always', headers, signal }),
                pause: (repetition) => pause(backoffMs(repetition), signal),
            };
            for await (const result of runBatch(queue, head, calls, signal)) {
                if (result.error !== undefined && onError === 'throw')
                    throw result.error;
                yield result;
            }
        }
        finally {
            await queue.close();
            stop.abort();
        }
    }
    /**
     * Returns all problems of a template, given as a file or by the ID of a stored one; with data, also what the
     * template reads that the data lacks. Renders nothing.
     */
    async lint(template, request = {}, options = {}) {
        const response = await this.#inspect('/template/lint', template, request, options);
        return (await response.json()).data;
    }
    /** Returns the JSON Schema of the data that a template reads, and a matching sample. */
    async schema(template, options = {}) {
        const response = await this.#inspect('/template/schema', template, {}, options);
        return (await response.json()).data;
    }
    /** Returns the possible conversions: the formats, their engines and their options. */
    async conversions(options = {}) {
        const response = await this.#get('/conversions', options);
        return (await response.json()).data;
    }
    /** Returns whether the service accepts work. Throws `UnavailableError` if it does not. */
    async status(options = {}) {
        return (await (await this.#get('/status', options)).json());
    }
    #job(id, webhook) {
        const path = `/jobs/${encodeURIComponent(id)}`;
        const calls = {
            report: async (_, options) => (await (await this.#get(path, options)).json()).data,
            cancel: async (_, options) => {
                const sent = { ...options, method: 'DELETE', path, repeat: 'refused' };
                return (await (await this.#transport.send(sent)).json()).data;
            },
            repeatWebhook: async (_, options) => {
                const sent = { ...options, method: 'POST', path: `${path}/webhook`, repeat: 'refused' };
                return (await (await this.#transport.send(sent)).json()).data;
            },
            fetch: (renderId, options) => this.fetch(renderId, options),
            notice: (jobId) => this.#notice(jobId),
        };
        return new RenderJob(id, calls, webhook);
    }
    #notice(jobId) {
        const waiting = this.#waiting.get(jobId) ?? new Set();
        this.#waiting.set(jobId, waiting);
        let resolve = () => { };
        const arrived = new Promise((deliver) => (resolve = deliver));
        waiting.add(resolve);
        const stop = () => {
            waiting.delete(resolve);
            if (waiting.size === 0)
                this.#waiting.delete(jobId);
        };
        return { arrived, stop };
    }
    #get(path, options = {}) {
        return this.#transport.send({ ...options, method: 'GET', path, repeat: 'always' });
    }
    async #inspect(path, template, request, options) {
        const file = isFile(template)
            ? template
            : await (await this.templates.download(template, options)).bytes();
        const body = await jsonBodyWithFile(request, file, this.#transport.streams);
        return this.#transport.send({ ...options, method: 'POST', path, body, repeat: 'always' });
    }
    async #start(template, request, sent) {
        const inline = isFile(template);
        const path = `/render/${inline ? 'template' : encodeURIComponent(template)}`;
        const body = inline
            ? await jsonBodyWithFile(request, template, this.#transport.streams)
            : jsonBody(request);
        return this.#transport.send({ ...sent, method: 'POST', path, body });
    }
}
function headersOf({ url, headers = {} }) {
    const named = Object.entries(headers).map(([name, value]) => [`service-webhook-header-${name}`, value]);
    return { 'service-webhook-url': String(url), ...Object.fromEntries(named) };
}
