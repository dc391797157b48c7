/** The media type of JSON lines, the first of which contains the options of the render. */
const type = 'application/x-ndjson';
/** A queue of at most `size` items. `onFailure` receives the error of the source, which ends the batch. */
export function queueOf(source, size, onFailure) {
    const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    const lines = []; // each with its line end, so that the service recognises at once that it is complete
    let first = 0;
    let isEnded = false;
    let taking; // one call of the source at a time, even when two bodies request its next item
    let onRoom = () => { };
    return {
        get first() {
            return first;
        },
        async hasMore() {
            if (lines.length === 0 && !isEnded)
                await takeOne();
            return lines.length > 0;
        },
        dropFirst() {
            lines.shift();
            first++;
            onRoom();
        },
        streamBody: (options) => ({ type, once: false, make: () => stream(options) }),
        async wholeBody(options) {
            while (!isEnded && lines.length < size)
                await takeOne();
            const body = new Blob([options, '\n', ...lines]);
            return { type, once: false, make: () => body };
        },
        async close() {
            if (isEnded)
                return;
            isEnded = true;
            const closed = Promise.resolve(iterator.return?.());
            // A source that still waits for its next item could block the caller as well.
            if (taking === undefined)
                await closed;
            else
                closed.catch(() => { });
        },
    };
    async function take() {
        try {
            const { value, done } = await iterator.next();
            if (done === true)
                isEnded = true;
            else
                lines.push(`${JSON.stringify(value)}\n`);
        }
        catch (error) {
            isEnded = true;
            onFailure(error);
            throw error;
        }
    }
    function takeOne() {
        taking ??= take().finally(() => {
            taking = undefined;
        });
        return taking;
    }
    function stream(options) {
        const encoder = new TextEncoder();
        let next = first; // the item that this stream sends next
        let isCancelled = false;
        return new ReadableStream({
            async start(controller) {
                controller.enqueue(new Uint8Array(await new Blob([options, '\n']).arrayBuffer()));
            },
            async pull(controller) {
                while (next >= first + lines.length) {
                    if (isEnded)
                        return controller.close();
                    if (lines.length < size)
                        await takeOne();
                    else
                        await new Promise((resolve) => (onRoom = resolve));
                    if (isCancelled)
                        return;
                }
                controller.enqueue(encoder.encode(lines[next++ - first]));
            },
            cancel() {
                isCancelled = true;
                onRoom();
            },
        }, { highWaterMark: 0 });
    }
}
