export const isFile = (value) => value instanceof Uint8Array ||
    value instanceof ArrayBuffer ||
    value instanceof Blob ||
    value instanceof ReadableStream;
export function jsonBody(value) {
    const text = JSON.stringify(value);
    return { type: 'application/json', once: false, make: () => text };
}
/**
 * A JSON body with the fields of `value` and the file as base64 in `template`. A stream is sent while it arrives if
 * the runtime supports that, and can then not be sent again.
 */
export async function jsonBodyWithFile(value, file, streams) {
    const type = 'application/json';
    const fields = JSON.stringify(value);
    const head = `${fields.slice(0, -1)}${fields === '{}' ? '' : ','}"template":"`;
    const tail = '"}';
    if (file instanceof ReadableStream && streams) {
        return { type, once: true, make: () => encoded(file, head, tail) };
    }
    const blob = await blobOf(file);
    const buffered = await new Response(encoded(blob.stream(), head, tail)).blob();
    return { type, once: false, make: () => buffered };
}
/** A form with text fields and the file as its last part, which uploads require. */
export async function formWithFile(fields, file, { name, streams }) {
    if (file instanceof ReadableStream && streams)
        return streamedForm(fields, file, name);
    const form = new FormData();
    for (const [field, text] of Object.entries(fields))
        form.append(field, text);
    form.append('template', await blobOf(file), name);
    return { once: false, make: () => form };
}
function streamedForm(fields, file, name) {
    const boundary = `platen-${crypto.randomUUID()}`;
    const begin = (disposition) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}`;
    const texts = Object.entries(fields).map(([field, text]) => `${begin(`name="${quotable(field)}"`)}\r\n\r\n${text}\r\n`);
    const head = `${texts.join('')}${begin(`name="template"; filename="${quotable(name)}"`)}\r\ncontent-type: application/octet-stream\r\n\r\n`;
    return {
        type: `multipart/form-data; boundary=${boundary}`,
        once: true,
        make: () => between(file, head, `\r\n--${boundary}--\r\n`, (bytes) => bytes),
    };
}
/** Escapes names of parts as browsers do (HTML, "multipart form data"). */
const quotable = (text) => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
async function blobOf(file) {
    if (file instanceof Blob)
        return file;
    if (file instanceof ReadableStream)
        return new Response(file).blob();
    return new Blob([file]);
}
/** Base64 is written in groups of three bytes, so up to two bytes wait for the next chunk. */
function encoded(file, head, tail) {
    let waiting = new Uint8Array(0);
    return between(file, head, tail, (bytes, last) => {
        const all = new Uint8Array(waiting.length + bytes.length);
        all.set(waiting);
        all.set(bytes, waiting.length);
        const end = last ? all.length : all.length - (all.length % 3);
        waiting = all.slice(end);
        return new TextEncoder().encode(base64(all.subarray(0, end)));
    });
}
/** More arguments in one call overflow the stack of some JavaScript engines. */
const maxArguments = 8190; // a multiple of three
function base64(bytes) {
    const parts = [];
    for (let at = 0; at < bytes.length; at += maxArguments)
        parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + maxArguments))));
    return parts.join('');
}
/**
 * Concatenates `head`, the chunks of a stream as `convert` returns them, and `tail`. The last call of `convert` has
 * no bytes.
 */
function between(file, head, tail, convert) {
    const reader = file.getReader();
    return new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
        async pull(controller) {
            for (;;) {
                const { value, done } = await reader.read();
                const bytes = convert(value ?? new Uint8Array(0), done);
                if (bytes.length > 0)
                    controller.enqueue(bytes);
                if (done) {
                    controller.enqueue(new TextEncoder().encode(tail));
                    return controller.close();
                }
                if (bytes.length > 0)
                    return;
            }
        },
        cancel: (reason) => reader.cancel(reason),
    });
}
