/** Batches whose items are sent while their documents arrive. */
import { fileName } from "./document.js";
import { ConnectionError, errorOfAnswer, ServerError, UnavailableError } from "./errors.js";
import { partsOf } from "./multipart.js";
const headers = {
    index: 'service-batch-index',
    status: 'service-batch-status',
    end: 'service-batch-end',
};
/**
 * Makes a document of each item and returns the results in the order of the items, each as soon as it has arrived.
 * Items are kept until their documents have arrived, so after a response that breaks off the batch continues with the
 * first item without a document. `options` is the first line of each body. Throws the reason of `signal` when it
 * aborts.
 */
export async function* runBatch(queue, options, calls, signal) {
    let failures = 0; // in a row
    while (await queue.hasMore()) {
        const answer = await calls.send(calls.streams ? queue.streamBody(options) : await queue.wholeBody(options));
        try {
            for await (const result of resultsOf(answer, queue)) {
                failures = 0;
                yield result;
            }
        }
        catch (error) {
            signal.throwIfAborted();
            const mayPass = error instanceof ConnectionError || error instanceof UnavailableError;
            if (!mayPass || failures === calls.retries)
                throw error;
            await calls.pause(failures++);
        }
    }
}
/** The results of one response, whose first document is that of the oldest item. Removes each item from the queue. */
async function* resultsOf(answer, queue) {
    const first = queue.first;
    const requestId = answer.headers.get('x-request-id');
    for await (const part of partsOf(answer)) {
        const index = first + Number(part.headers.get(headers.index) ?? Number.NaN);
        if (part.headers.has(headers.end))
            throw await errorOf(part, requestId);
        if (index !== queue.first)
            throw new ServerError('The documents of the batch are not in the order of its items.');
        queue.dropFirst();
        if (part.headers.get(headers.status) === '200')
            yield { index, name: fileName(part.headers.get('content-disposition') ?? ''), bytes: part.bytes };
        else
            yield { index, error: await errorOf(part, requestId) };
    }
}
/** The error in a part. Its request is that of the whole response. */
function errorOf({ headers: fields, bytes }, requestId) {
    const status = Number(fields.get(headers.status)) || 500;
    const init = requestId === null ? {} : { headers: { 'x-request-id': requestId } };
    return errorOfAnswer(new Response(bytes, { status, ...init }));
}
